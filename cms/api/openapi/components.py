"""The schemas of an OpenAPI document: each by one name, those of items in each context."""

from __future__ import annotations

import re
from collections.abc import Iterable

from marshmallow import Schema

from cms.api.openapi.common import BINARY, ref, shared_schemas
from cms.schema.endpoint import Endpoint
from cms.schema.fields import EDIT, EMBED, VIEW
from cms.schema.json_schema import JsonSchema, body_schema, item_schema

#: What the name of an item's schema ends with, by context, in the order in which clients try them.
ENDINGS = {EDIT: "Edit", VIEW: "", EMBED: "Embed"}


def pascal_case(text: str) -> str:
    """Return words as one name: post-item as PostItem."""
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[^0-9A-Za-z]+", text))


class Components:
    """Collects schemas by name; equal ones of one thing are one."""

    def __init__(self) -> None:
        self.schemas: dict[str, JsonSchema] = shared_schemas()

    def item(
        self, schema: type[Schema], title: str, contexts: Iterable[str], besides: tuple[str, ...] = ()
    ) -> JsonSchema:
        """Return what an item is in one of the contexts, with the fields that one answer shows besides."""
        wanted, found = set(contexts), []
        for context, ending in ENDINGS.items():
            if context in wanted:
                name = self._item(schema, title, context, "Created" if besides else ending, besides)
                found.append(ref(name))
        unique = [each for number, each in enumerate(found) if each not in found[:number]]
        return unique[0] if len(unique) == 1 else {"anyOf": unique}

    def _item(
        self, schema: type[Schema], title: str, context: str, ending: str, besides: tuple[str, ...]
    ) -> str:
        made = item_schema(schema, context, besides)
        if made == item_schema(schema, VIEW):
            ending = ""
        made["properties"] |= {"_links": ref("Links"), "_embedded": ref("Embedded")}
        return self._add(pascal_case(title) + ending, made)

    def body(self, endpoint: Endpoint, title: str) -> JsonSchema:
        """Return what the body of a write is."""
        kind = "Create" if endpoint.methods == ("POST",) else "Update"
        schema = body_schema(endpoint.loader.fields)
        if endpoint.upload_capability:
            schema["properties"] = {"file": BINARY, **schema["properties"]}
            schema["required"] = ["file", *schema.get("required", ())]
        return ref(self._add(pascal_case(title) + kind, schema))

    def deletion(self, title: str, item: JsonSchema) -> JsonSchema:
        """Return what says that something is gone, with what it was."""
        schema = {
            "type": "object",
            "properties": {"deleted": {"type": "boolean", "const": True}, "previous": item},
            "required": ["deleted", "previous"],
        }
        return ref(self._add(pascal_case(title) + "Deletion", schema))

    def _add(self, name: str, schema: JsonSchema) -> str:
        """Add a schema and return its name, with a number where another one has it."""
        number, wanted = 1, name
        while self.schemas.setdefault(wanted, schema) != schema:
            number += 1
            wanted = f"{name}{number}"
        return wanted
