"""Routes as the paths of an OpenAPI document, and their endpoints as its operations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from marshmallow import Schema

from cms.api.cursors import CURSOR_ARGUMENTS
from cms.api.openapi.common import BINARY, JSON, item_headers, list_headers, parameter, refusals
from cms.api.openapi.components import Components, pascal_case
from cms.i18n import Text, _
from cms.schema.answers import contexts_of
from cms.schema.endpoint import CHECKED_BY_HANDLER, PUBLIC, Codes, Endpoint, Route
from cms.schema.fields import Field, List, Object
from cms.schema.json_schema import JsonSchema, argument_schema
from cms.schema.resource import NAMESPACE

VARIABLE = re.compile(r"<(\w+):(\w+)>")
KINDS: dict[str, JsonSchema] = {
    "digits": {"type": "integer", "minimum": 0},
    "name": {"type": "string", "pattern": "^[0-9A-Za-z_-]+$"},
}
#: What the names of operations begin with.
VERBS = {"GET": "get", "POST": "create", "PUT": "replace", "PATCH": "update", "DELETE": "delete"}
#: The forms of answers with many items.
LISTS = ("list", "by name")
SIGNED_IN: list[JsonSchema] = [{"basic": []}, {"bearer": []}]


def path_of(route: Route) -> str:
    """Return a route's address with its variables in braces."""
    return VARIABLE.sub(r"{\2}", route.rule)


def operation_id(route: Route, method: str, endpoint: Endpoint) -> str:
    """Return a name that no other operation has: its verb and its address."""
    verb = VERBS[method]
    if endpoint.answer_shape(route.schema).form in LISTS:
        verb = "list"
    elif method == "POST" and len(endpoint.methods) > 1:
        verb = "post"
    path = route.path
    if route.namespace not in ("", NAMESPACE):
        path = f"/{route.namespace}{path}"
    named = VARIABLE.sub(lambda match: f"By-{match[2]}", path)
    return verb + (pascal_case(named) or pascal_case(route.namespace or "document"))


def path_item(route: Route, components: Components, labels: Mapping[str, Text]) -> JsonSchema:
    """Return a route with all its operations; `labels` are the names of resources for people."""
    item: JsonSchema = {}
    for endpoint in route.endpoints:
        for method in endpoint.methods:
            item[method.lower()] = Operation(route, endpoint, method, components, labels).describe()
    return item


class Operation:
    """One method of an endpoint."""

    def __init__(
        self,
        route: Route,
        endpoint: Endpoint,
        method: str,
        components: Components,
        labels: Mapping[str, Text],
    ) -> None:
        self._route, self._endpoint, self._method = route, endpoint, method
        self._components, self._labels = components, labels
        self._shape = endpoint.answer_shape(route.schema)
        self._schema: type[Schema] | None = self._shape.schema or route.schema
        self._title = self._shape.title or route.title

    def describe(self) -> JsonSchema:
        """Return the operation."""
        described: JsonSchema = {
            "operationId": operation_id(self._route, self._method, self._endpoint),
            "summary": self._summary(),
            "tags": [tag_of(self._route)],
            "parameters": [*self._path_parameters(), *self._parameters(), *self._shared_parameters()],
            "responses": self._responses(),
        }
        if self._is_write() and self._endpoint.args is not None:
            described["requestBody"] = self._body()
        if self._endpoint.permission not in (PUBLIC, CHECKED_BY_HANDLER):
            described["security"] = SIGNED_IN
        return described

    def _is_write(self) -> bool:
        return self._method in ("POST", "PUT", "PATCH")

    def _summary(self) -> Text:
        name = self._labels.get(self._route.title, self._route.title or tag_of(self._route))
        if self._shape.form in LISTS:
            return _("List: %(name)s", name=name)
        if self._method == "GET":
            return _("Read one: %(name)s", name=name)
        if self._method == "DELETE":
            return _("Delete: %(name)s", name=name)
        if self._endpoint.methods == ("POST",):
            return _("Create: %(name)s", name=name)
        return _("Change: %(name)s", name=name)

    def _path_parameters(self) -> Iterator[JsonSchema]:
        for kind, name in VARIABLE.findall(self._route.rule):
            described = {"name": name, "in": "path", "required": True, "schema": KINDS[kind]}
            declared = self._endpoint.path_args.get(name)
            if declared is not None and declared.description:
                described["description"] = declared.description
            yield described

    def _parameters(self) -> Iterator[JsonSchema]:
        if self._is_write():
            return
        for name, field in self._endpoint.loader.fields.items():
            if not field.hidden:
                yield query_parameter(name, field)

    def _shared_parameters(self) -> list[JsonSchema]:
        names = ["fields", "envelope"]
        if self._method == "GET":
            names += ["embed", "ifNoneMatch"]
        if self._endpoint.takes_cursor:
            names += CURSOR_ARGUMENTS
        if self._is_write() and "strict" not in self._endpoint.loader.fields:
            names.append("strict")
        if self._method != "GET" and "id" in self._endpoint.path_args:
            names.append("ifMatch")
        if self._endpoint.upload_capability:
            names.append("contentDisposition")
        return [parameter(name) for name in names]

    def _body(self) -> JsonSchema:
        body = self._components.body(self._endpoint, self._title or tag_of(self._route))
        if self._endpoint.upload_capability:
            content = {
                "multipart/form-data": {"schema": body},
                "application/octet-stream": {"schema": BINARY},
            }
            return {"required": True, "content": content}
        content = {"schema": body, **self._example()}
        return {"required": bool(self._endpoint.loader.required), "content": {JSON: content}}

    def _example(self) -> JsonSchema:
        """Return a body made of the examples of its fields, where there are any."""
        found = {}
        for name, field in self._endpoint.loader.fields.items():
            if field.example is not None and not field.hidden:
                found[name] = field.example
        return {"example": found} if found else {}

    def _responses(self) -> JsonSchema:
        shape = self._shape
        success: JsonSchema = {"description": _("What was asked for."), "headers": self._headers()}
        if shape.form == "file":
            success["content"] = {shape.content_type: {"schema": {"type": "string"}}}
        else:
            success["content"] = {JSON: {"schema": self._answer()}}
        found = {str(shape.status): success}
        if self._method == "GET":
            found["304"] = {"$ref": "#/components/responses/NotModified"}
        return {**found, **refusals(self._refusals(), self._codes())}

    def _headers(self) -> JsonSchema:
        if self._shape.form in LISTS:
            is_counted = self._shape.is_counted and self._shape.form == "list"
            return list_headers(is_counted, self._endpoint.takes_cursor)
        return item_headers(self._shape.status)

    def _answer(self) -> JsonSchema:
        form = self._shape.form
        if self._schema is None or form == "any":
            return {}
        if form == "deletion":
            return self._deletion()
        if form == "trashing":
            return {"anyOf": [self._deletion(), self._item()]}
        item = self._item()
        if form == "list":
            return {"type": "array", "items": item}
        if form == "by name":
            return {"type": "object", "additionalProperties": item}
        return item

    def _item(self) -> JsonSchema:
        if self._schema is None:
            return {}
        contexts = contexts_of(self._shape, (self._method,), self._endpoint.loader.fields)
        return self._components.item(self._schema, self._title, contexts, self._shape.once)

    def _deletion(self) -> JsonSchema:
        return self._components.deletion(self._title, self._item())

    def _codes(self) -> Codes:
        """Return the codes that this operation alone refuses with: the endpoint's, and those of its arguments."""
        found = dict(self._endpoint.codes)
        for declared in self._endpoint.loader.fields.values():
            for status, codes in declared.codes.items():
                found[status] = (*found.get(status, ()), *codes)
        return found

    def _refusals(self) -> list[int]:
        statuses = [400, 401, 403, 404, 429, 500, 503]
        if self._method == "GET":
            return [*statuses, 414]
        if "id" in self._endpoint.path_args:
            statuses.append(412)
        if self._method == "DELETE":
            return [*statuses, 410, 501]
        return [*statuses, 409, 413]


def query_parameter(name: str, field: Field) -> JsonSchema:
    """Return an argument in the address; lists are written with commas, objects with brackets."""
    described: dict[str, Any] = {"name": name, "in": "query", "schema": argument_schema(field)}
    if field.required:
        described["required"] = True
    if field.description:
        described["description"] = field.description
    if isinstance(field, List):
        described |= {"style": "form", "explode": False}
    elif isinstance(field, Object):
        described |= {"style": "deepObject", "explode": True}
    return described


def tag_of(route: Route) -> str:
    """Return what an operation is listed under: the first part of its address below the namespace."""
    return route.path.strip("/").partition("/")[0] or "discovery"
