"""What all operations of the OpenAPI document share: refusals, headers, arguments, ways to sign in."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus

from cms.api.cursors import CURSOR_ARGUMENTS
from cms.api.openapi.codes import CODES
from cms.i18n import Text, _
from cms.schema.endpoint import Codes
from cms.schema.json_schema import JsonSchema, argument_schema

JSON = "application/json"
#: How a file is described, for tools of both editions of the specification.
BINARY = {"type": "string", "format": "binary", "contentMediaType": "application/octet-stream"}
#: What a status says that has no text of its own.
REFUSED = _("The request was refused.")
#: What each status says where a request is refused.
REFUSALS: dict[int, Text] = {
    400: _("The request can't be used."),
    401: _("Sign in first, or the credentials are wrong."),
    403: _("The account may not do this."),
    404: _("There is nothing of this kind here."),
    409: _("The state of things doesn't allow this now."),
    410: _("It is in the trash already."),
    412: _("The version that was named isn't the present one."),
    413: _("This is larger than the site takes."),
    414: _("The address is too long."),
    416: _("The file is shorter than the part that was asked for."),
    429: _("Too many attempts; Retry-After says when the next one may follow."),
    500: _("Something went wrong in the site."),
    501: _("This can't be moved to a trash."),
    503: _("The site can't answer at the moment; Retry-After says when to ask again."),
}
#: A refusal.
EXAMPLE = {
    "code": "rest_post_invalid_id",
    "message": _("There is nothing with this id."),
    "data": {"status": 404},
}


def component_name(status: int) -> str:
    """Return the name of the response of a status."""
    return "".join(word.capitalize() for word in HTTPStatus(status).name.split("_"))


def refusals(statuses: list[int], own: Codes) -> dict[str, JsonSchema]:
    """Return the refusals of an operation, by status, and what stands for all others; `own` are codes of it alone."""
    found = {}
    for status in sorted({*statuses, *own}):
        found[str(status)] = {"$ref": f"#/components/responses/{component_name(status)}"}
        if status in own:
            found[str(status)] = _response(status, own[status])
    return {**found, "default": {"$ref": "#/components/responses/Refused"}}


def shared_responses() -> dict[str, JsonSchema]:
    """Return the responses that refuse, with their codes; NotModified for a copy that still holds."""
    found: dict[str, JsonSchema] = {
        "NotModified": {"description": _("The copy that If-None-Match names still holds.")},
        "Refused": _refusal(REFUSED),
    }
    for status in REFUSALS:
        found[component_name(status)] = _response(status)
    return found


def _response(status: int, own: Sequence[str] = ()) -> JsonSchema:
    """Return the response that refuses with a status, with the codes of some endpoint before those of all."""
    text = REFUSALS.get(status, REFUSED)
    response = _refusal(text)
    codes = list(dict.fromkeys((*own, *CODES.get(status, ()))))
    if codes:
        response["description"] = _("%(text)s Codes: %(codes)s.", text=text, codes=", ".join(codes))
        response["x-codes"] = codes
    if status in (429, 503):
        response["headers"] = _headers("Retry-After")
    return response


def _refusal(text: Text) -> JsonSchema:
    return {"description": text, "content": {JSON: {"schema": ref("Error"), "example": EXAMPLE}}}


def ref(name: str) -> JsonSchema:
    """Return a reference to a schema of the document."""
    return {"$ref": f"#/components/schemas/{name}"}


def _headers(*names: str) -> dict[str, JsonSchema]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def item_headers(status: int) -> dict[str, JsonSchema]:
    """Return the headers of an answer with one item."""
    if status == HTTPStatus.CREATED:
        return _headers("Allow", "Location", "X-CMS-Ignored")
    return _headers("Allow", "ETag", "Link", "X-CMS-Ignored")


def list_headers(is_counted: bool, takes_cursor: bool) -> dict[str, JsonSchema]:
    """Return the headers of an answer with a list."""
    names = ["Allow"]
    if is_counted:
        names += ["ETag", "Link", "X-WP-Total", "X-WP-TotalPages"]
    if takes_cursor:
        names.append("X-CMS-Cursor")
    return _headers(*names)


def shared_headers() -> dict[str, JsonSchema]:
    """Return the headers of answers."""
    number = {"type": "integer", "minimum": 0}
    return {
        "Allow": _header(_("The methods that whoever asks may use here.")),
        "ETag": _header(_("The version of what is answered, for If-Match and If-None-Match.")),
        "Link": _header(
            _("The pages before and after this one (rel prev and next), or the page of an item.")
        ),
        "Location": _header(_("The address of what was made."), {"type": "string", "format": "uri"}),
        "Retry-After": _header(_("After how many seconds to ask again."), number),
        "X-CMS-Cursor": _header(
            _("Where the next page of a list with a cursor begins; the last page has none.")
        ),
        "X-CMS-Ignored": _header(_("Names in the body that weren't taken.")),
        "X-WP-Total": _header(_("How many items the whole list has."), number),
        "X-WP-TotalPages": _header(_("How many pages the whole list has."), number),
    }


def _header(text: Text, schema: JsonSchema | None = None) -> JsonSchema:
    return {"description": text, "schema": schema or {"type": "string"}}


def parameter(name: str) -> JsonSchema:
    """Return a reference to an argument that many operations take."""
    return {"$ref": f"#/components/parameters/{name}"}


def shared_parameters() -> dict[str, JsonSchema]:
    """Return the arguments and headers that many operations take."""
    names = {"type": "array", "items": {"type": "string"}}
    text = {"type": "string"}
    return {
        "fields": _query(
            "_fields",
            _("Which fields to answer with, such as id,title.rendered; all others are left out."),
            names,
        ),
        "embed": _query("_embed", _("Which linked items to embed, by relation; 1 for all of them."), names),
        "envelope": _query(
            "_envelope",
            _("Wraps the answer as the schema Envelope says; its status is then 200 in any case."),
            {"type": "string", "enum": ["1"]},
        ),
        "strict": _query(
            "strict",
            _("Whether to refuse the request where something of it would be dropped."),
            {"type": "boolean"},
        ),
        "ifMatch": _in_header("If-Match", _("Change it only if this is still its ETag."), text),
        "ifNoneMatch": _in_header("If-None-Match", _("Answer with 304 if this is still the ETag."), text),
        "contentDisposition": _in_header(
            "Content-Disposition", _("The name of a file that is the whole body."), text
        ),
        **cursor_parameters(),
    }


def cursor_parameters() -> dict[str, JsonSchema]:
    """Return the arguments of lists that take a cursor."""
    found = {}
    for name, field in CURSOR_ARGUMENTS.items():
        found[name] = _query(name, field.description, argument_schema(field))
    return found


def _query(name: str, text: Text, schema: JsonSchema) -> JsonSchema:
    found: JsonSchema = {"name": name, "in": "query", "description": text, "schema": schema}
    if schema["type"] == "array":
        found |= {"style": "form", "explode": False}
    return found


def _in_header(name: str, text: Text, schema: JsonSchema) -> JsonSchema:
    return {"name": name, "in": "header", "description": text, "schema": schema}


def shared_schemas() -> dict[str, JsonSchema]:
    """Return the schemas of refusals, links and envelopes."""
    link = {
        "type": "object",
        "properties": {"href": {"type": "string"}, "embeddable": {"type": "boolean"}},
        "required": ["href"],
        "additionalProperties": {},
    }
    return {
        "Error": _error_schema(),
        "Links": {"type": "object", "additionalProperties": {"type": "array", "items": link}},
        "Embedded": {"type": "object", "additionalProperties": {"type": "array", "items": {}}},
        "Envelope": {
            "type": "object",
            "properties": {
                "body": {},
                "status": {"type": "integer"},
                "headers": {"type": "object", "additionalProperties": {"type": "string"}},
            },
            "required": ["body", "status", "headers"],
        },
    }


def _error_schema() -> JsonSchema:
    data = {
        "type": "object",
        "properties": {
            "status": {"type": "integer", "description": _("The status of the answer.")},
            "params": {
                "description": _(
                    "What is wrong with each argument, by its name; or the names that are missing."
                ),
                "anyOf": [
                    {"type": "object", "additionalProperties": {"type": "string"}},
                    {"type": "array", "items": {"type": "string"}},
                ],
            },
            "retry_after": {"type": "integer", "description": _("After how many seconds to ask again.")},
            "request_id": {"type": "string", "description": _("The id of the request in the site's log.")},
        },
        "required": ["status"],
        "additionalProperties": {},
    }
    return {
        "type": "object",
        "properties": {
            "code": {"type": "string", "description": _("What programs tell the refusal by.")},
            "message": {"type": "string", "description": _("What a person reads.")},
            "data": data,
        },
        "required": ["code", "message", "data"],
    }


def security_schemes() -> dict[str, JsonSchema]:
    """Return the ways to sign in; plugins may know more of them."""
    return {
        "basic": {
            "type": "http",
            "scheme": "basic",
            "description": _("Login and password, or a token in place of the password."),
        },
        "bearer": {
            "type": "http",
            "scheme": "bearer",
            "description": _("A token that cms token create makes."),
        },
    }
