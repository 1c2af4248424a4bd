"""Whether an answer is as the OpenAPI document says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

VARIABLE = re.compile(r"\(\?P<(\w+)>\[.*?\]\+\)")
JSON = "application/json"


class Answers:
    """Holds answers against the document of a site; names that it doesn't declare are faults too."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._paths = dict(document["paths"])
        self._components = document["components"]
        self._validator = cache(self._make_validator)

    def faults(self, pattern: str, method: str, answer: Any, chosen: bool = False, envelope: bool = False) -> Iterator[str]:
        """Tell what of an answer to a route of discovery isn't declared; of one to `_fields` nothing need be there."""
        operation = self._paths[VARIABLE.sub(r"{\1}", pattern)].get(method.lower())
        status, body = answer.status_code, answer.json if answer.mimetype == JSON and answer.data else None
        if envelope and isinstance(body, dict) and body.keys() == {"body", "status", "headers"}:
            yield from _told(self._validator("envelope", 0, False), body)
            status, body = body["status"], body["body"]
        if operation is None:
            yield from () if status in (404, 403, 400, 401, 429) else (f"{status} to a method that isn't declared",)
            return
        response = self._response(operation, status)
        if response is None:
            yield f"{status} isn't declared"
        elif answer.mimetype not in response.get("content", {answer.mimetype: {}}):
            yield f"{answer.mimetype} isn't declared for {status}"
        else:
            yield from self._header_faults(response, answer.headers)
        if response is not None and body is not None:
            found = self._validator(operation["operationId"], status, chosen)
            if found is not None:
                yield from _told(found, body)
        if status >= 400 and isinstance(body, dict) and body.get("data", {}).get("status") != status:
            yield "a refusal tells another status than it has"

    def _response(self, operation: dict[str, Any], status: int) -> dict[str, Any] | None:
        responses = operation["responses"]
        found = responses.get(str(status)) or (responses.get("default") if status >= 400 else None)
        return self._resolved(found, "responses") if found else None

    def _header_faults(self, response: dict[str, Any], headers: Mapping[str, str]) -> Iterator[str]:
        for name, reference in response.get("headers", {}).items():
            schema = self._resolved(reference, "headers")["schema"]
            value: Any = headers.get(name)
            if value is not None and schema["type"] == "integer" and not value.isdecimal():
                yield f"{name} is {value}"

    def _resolved(self, found: dict[str, Any], kind: str) -> dict[str, Any]:
        if "$ref" not in found:
            return found
        resolved: dict[str, Any] = self._components[kind][found["$ref"].rpartition("/")[2]]
        return resolved

    def _make_validator(self, name: str, status: int, chosen: bool) -> Draft202012Validator | None:
        from jsonschema import (  # seconds, which collecting tests shouldn't take
            Draft202012Validator,
            FormatChecker,
        )

        schemas = {each: _closed(schema, chosen) for each, schema in self._components["schemas"].items()}
        schema = {"$ref": "#/components/schemas/Envelope"}
        if name != "envelope":
            operations = [each for item in self._paths.values() for each in item.values()]
            operation = next(each for each in operations if each["operationId"] == name)
            content = (self._response(operation, status) or {}).get("content", {})
            if JSON not in content:
                return None
            schema = _closed(content[JSON]["schema"], chosen)
        whole = {**schema, "components": {"schemas": schemas}}
        return Draft202012Validator(whole, format_checker=FormatChecker())


def _closed(schema: Any, chosen: bool) -> Any:
    """Return a schema that takes no names but the declared ones, and where fields are `chosen`, wants none of them."""
    if isinstance(schema, list):
        return [_closed(each, chosen) for each in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: _closed(value, chosen) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        closed.setdefault("additionalProperties", False)
        if chosen:
            closed.pop("required", None)
    return closed


def _told(validator: Draft202012Validator, body: Any) -> Iterator[str]:
    from jsonschema.exceptions import best_match

    for error in validator.iter_errors(body):
        found = best_match([error])
        place = ".".join(str(part) for part in found.absolute_path if not isinstance(part, int))
        yield f"{place or 'the answer'}: {found.message[-160:]}"
