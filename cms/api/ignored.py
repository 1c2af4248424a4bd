"""What of a body isn't taken: told in a header, or refused where the request asks for that by `strict=1`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from marshmallow import Schema

from cms.errors import InvalidParams
from cms.i18n import _
from cms.schema.endpoint import Endpoint
from cms.schema.schemas import fields_of

HEADER = "X-CMS-Ignored"
STRICT = "strict"
#: How long the header may be: servers refuse to send very long ones.
MAX_HEADER = 1_000


def is_strict(endpoint: Endpoint, sent: Mapping[str, Any]) -> bool:
    """Tell whether a request asks to be refused where something of it would be dropped."""
    return STRICT not in endpoint.loader.fields and sent.get(STRICT) in (True, 1, "1", "true")


def ignored_names(
    endpoint: Endpoint,
    schema: type[Schema] | None,
    sent: Mapping[str, Any],
    in_address: Collection[str],
    args: Mapping[str, Any],
) -> tuple[str, ...]:
    """Return the names in a body that aren't taken here; read-only fields of the item may be sent back with it.

    A known name counts too where its value was of no use, such as a number where a text is expected.
    """
    fields, readable = endpoint.loader.fields, set(endpoint.path_args)
    if schema is not None:
        readable.update(fields_of(schema))
    found = []
    for name, value in sent.items():
        if name.startswith("_") or name == STRICT or name in in_address:
            continue
        is_unknown = name not in fields and name not in readable
        is_useless = name in fields and name not in args and value is not None
        if is_unknown or is_useless:
            found.append(name)
    return tuple(found)


def refuse_ignored(names: Sequence[str]) -> None:
    """Raise InvalidParams that names what isn't taken, where there is something."""
    if names:
        raise InvalidParams(dict.fromkeys(names, _("This isn't taken here.")))


def header_value(names: Sequence[str]) -> str:
    """Return the header: names with commas, percent-encoded; three dots stand for those that there is no room for."""
    parts: list[str] = []
    length = 0
    for name in names:
        parts.append(quote(name[:100], safe="=[]"))
        length += len(parts[-1]) + 2
        if length > MAX_HEADER:
            parts[-1] = "..."
            break
    return ", ".join(parts)
