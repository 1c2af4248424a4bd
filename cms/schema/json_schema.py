"""Declared fields as JSON Schema of the draft 2020-12: what may be sent as a value, and what answers have."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from marshmallow import Schema, missing

from cms.schema.fields import DateTime, Field, List, Object, Raw, String, split_list
from cms.schema.schemas import fields_of

JsonSchema = dict[str, Any]
#: What says how large sent values may be; stored ones may be of before there was such a limit.
LIMITS = ("minimum", "maximum", "maxLength")
#: A date and a time in the site's zone or in GMT, as the field says, without an offset.
LOCAL_TIME = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$"


def argument_schema(field: Field) -> JsonSchema:
    """Return the schema of a value that is sent as an argument, without its description."""
    schema = _nullable(_value_schema(field), field.null is not missing)
    default = field.load_default
    if default is not missing:
        schema["default"] = (
            split_list(default) if isinstance(field, List) and isinstance(default, str) else default
        )
    return _with_example(schema, field)


def body_schema(fields: Mapping[str, Field]) -> JsonSchema:
    """Return the schema of an object that is sent."""
    properties, required = {}, []
    for name, field in fields.items():
        if field.hidden:
            continue
        properties[name] = _described(argument_schema(field), field)
        if field.required:
            required.append(name)
    return _object(properties, required)


def item_schema(schema: type[Schema], context: str, besides: Collection[str] = ()) -> JsonSchema:
    """Return the schema of an item in one context, with the fields that an answer shows `besides` those of it."""
    fields = {}
    for name, field in fields_of(schema).items():
        if context in field.contexts or name in besides:
            fields[name] = field
    return _properties(fields, context)


def _properties(fields: Mapping[str, Field], context: str) -> JsonSchema:
    properties, required = {}, []
    for name, field in fields.items():
        properties[name] = _described(answer_schema(field, context), field)
        if field.dump_only:
            properties[name]["readOnly"] = True
        if not field.optional:
            required.append(name)
    return _object(properties, required)


def answer_schema(field: Field, context: str) -> JsonSchema:
    """Return the schema of the value that an item has for a field in a context."""
    if field.answer is not None:
        return answer_schema(field.answer, context)
    schema = {name: value for name, value in field.shape().items() if name not in (*LIMITS, "default")}
    if isinstance(field, Object | Raw) and field.properties:
        schema = _nested(field.properties, context)
    elif isinstance(field, Object):
        schema["additionalProperties"] = answer_schema(field.values, context) if field.values else True
    elif isinstance(field, List):
        schema["items"] = answer_schema(field.items, context)
    elif isinstance(field, DateTime):
        schema |= _answered_time(field)
    elif isinstance(field, String) and field.enum:
        schema["enum"] = list(dict.fromkeys((*field.enum, *field.answer_values)))
    elif not field.dump_only:
        schema |= _reference(schema)
    is_null = field.nullable or field.null is None or (field.in_meta and field.load_default is missing)
    schema = _nullable(schema, is_null)
    return schema if isinstance(field, Object | Raw) else _with_example(schema, field)


def _answered_time(field: DateTime) -> JsonSchema:
    if field.format:
        return {}
    return {"format": "date-time-local", "pattern": LOCAL_TIME}


def _nested(properties: Mapping[str, Field], context: str) -> JsonSchema:
    chosen = {name: inner for name, inner in properties.items() if context in inner.contexts}
    return _properties(chosen, context)


def _value_schema(field: Field) -> JsonSchema:
    schema = dict(field.shape())
    if isinstance(field, Raw):
        text = _limited({"type": "string"}, field)
        return {"anyOf": [text, {"type": "object", "properties": {"raw": text}}]}
    if isinstance(field, Object) and field.properties:
        schema["properties"] = body_schema(_writable(field.properties))["properties"]
    elif isinstance(field, Object):
        schema["additionalProperties"] = True
    elif isinstance(field, List):
        schema["items"] = _value_schema(field.items)
    elif isinstance(field, DateTime):
        schema["format"] = "date-time"
    else:
        schema |= _reference(schema)
    return _limited(schema, field)


def _reference(schema: JsonSchema) -> JsonSchema:
    """Return the format of an address that is written: it may be a path, or nothing."""
    return {"format": "uri-reference"} if schema.get("format") == "uri" else {}


def _writable(fields: Mapping[str, Field]) -> dict[str, Field]:
    return {name: field for name, field in fields.items() if not field.dump_only}


def _limited(schema: JsonSchema, field: Field) -> JsonSchema:
    if field.max_length is not None:
        schema["maxLength"] = field.max_length
    return schema


def _nullable(schema: JsonSchema, is_null: bool) -> JsonSchema:
    """Return a schema that takes null too."""
    if not is_null:
        return schema
    if "anyOf" in schema:
        return {**schema, "anyOf": [*schema["anyOf"], {"type": "null"}]}
    widened = {**schema, "type": [schema["type"], "null"]}
    if "enum" in schema:
        widened["enum"] = [*schema["enum"], None]
    return widened


def _described(schema: JsonSchema, field: Field) -> JsonSchema:
    if field.description:
        schema["description"] = field.description
    return schema


def _with_example(schema: JsonSchema, field: Field) -> JsonSchema:
    if field.example is not None:
        schema["examples"] = [field.example]
    return schema


def _object(properties: Mapping[str, JsonSchema], required: list[str]) -> JsonSchema:
    schema: JsonSchema = {"type": "object", "properties": dict(properties)}
    if required:
        schema["required"] = required
    return schema
