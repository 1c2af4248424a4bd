"""The schemas of an OpenAPI document as types of TypeScript."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from cms.schema.json_schema import JsonSchema

NAMES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)
HEAD = "// Made by `cms types ts` from what the site declares. Don't change it by hand.\n"


def print_types(schemas: Mapping[str, JsonSchema]) -> str:
    """Return a module that exports each schema under its name."""
    parts = [HEAD]
    for name in sorted(schemas):
        parts.append(f"export {_declaration(name, schemas[name])}\n")
    return "\n".join(parts)


def _declaration(name: str, schema: JsonSchema) -> str:
    if schema.get("type") == "object" and schema.get("properties"):
        return f"interface {name} {_object(schema, '')}"
    return f"type {name} = {_type(schema, '')};"


def _type(schema: JsonSchema, indent: str) -> str:
    """Return a schema as an expression."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(each, indent) for each in schema["anyOf"]))
    kinds = schema.get("type", "")
    if isinstance(kinds, list):
        return " | ".join(_type({**schema, "type": kind}, indent) for kind in kinds)
    return _plain(str(kinds), schema, indent)


def _plain(kind: str, schema: JsonSchema, indent: str) -> str:
    if schema.get("format") == "binary":
        return "Blob"
    if kind == "array":
        return f"Array<{_type(schema.get('items', {}), indent)}>"
    if kind == "object" and schema.get("properties"):
        return _object(schema, indent)
    if kind == "object":
        return f"Record<string, {_type(_values(schema), indent)}>"
    return NAMES.get(kind, "unknown")


def _values(schema: JsonSchema) -> JsonSchema:
    found: JsonSchema | bool = schema.get("additionalProperties", {})
    return found if isinstance(found, dict) else {}


def _object(schema: JsonSchema, indent: str) -> str:
    lines = ["{", *_members(schema, f"{indent}  ")]
    if "additionalProperties" in schema:
        lines.append(f"{indent}  [name: string]: unknown;")
    return "\n".join([*lines, f"{indent}}}"])


def _members(schema: JsonSchema, indent: str) -> Iterator[str]:
    required = schema.get("required", ())
    for name, member in schema["properties"].items():
        text = str(member.get("description", "")).replace("*/", "*\u200b/")
        if text:
            yield f"{indent}/** {' '.join(text.split())} */"
        mark = "" if name in required else "?"
        access = "readonly " if member.get("readOnly") else ""
        yield f"{indent}{access}{_key(name)}{mark}: {_type(member, indent)};"


def _key(name: str) -> str:
    return name if IDENTIFIER.fullmatch(name) else json.dumps(name)
