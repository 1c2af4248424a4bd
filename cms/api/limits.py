"""How much a request may send: bounds that are looked at before anything is read in full."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cms.access.capabilities import Principal
from cms.config import Config
from cms.errors import ApiError, InvalidParams
from cms.i18n import Text, _
from cms.schema.comparing import AMONG, ComparedFilter
from cms.schema.fields import List, split_list
from cms.schema.schemas import Loader

#: The longest query of an address in bytes; what stands for a GET takes no more in its body.
MOST_QUERY = 16_384
#: What reads, and so takes no more than an address can hold.
READING = ("GET", "HEAD", "OPTIONS")
WRITING = ("POST", "PUT", "PATCH")


def check_query(query: bytes) -> None:
    """Raise ApiError for a query that is longer than anybody needs."""
    if len(query) > MOST_QUERY:
        message = _("The address is longer than %(most)s bytes. Send arguments in a body.", most=MOST_QUERY)
        raise ApiError("rest_address_too_long", message, 414)


def most_of_body(config: Config, method: str, principal: Principal) -> int:
    """Return how many bytes a body may have: of a method that reads, of visitors, of accounts."""
    if method in READING:
        return min(MOST_QUERY, int(config["max_body"]))
    if not principal.id and not principal.capabilities:
        return min(int(config["max_visitor_body"]), int(config["max_body"]))
    return int(config["max_body"])


def body_too_large(most: int) -> ApiError:
    """Build the refusal of a body."""
    return ApiError("rest_body_too_large", _("The body is larger than %(most)s bytes.", most=most), 413)


def check_lists(loader: Loader, sent: Mapping[str, Any], config: Config, method: str) -> None:
    """Raise InvalidParams for lists that have more values than they may; not one value has been read by then."""
    setting = "max_list_items"
    if method in WRITING:
        setting = "max_written_list_items"
    most = int(config[setting])
    faults: dict[str, Text] = {}
    for name, value in sent.items():
        if _has_more_than(_listed(loader.fields.get(name), value), most):
            faults[name] = _("This may hold %(most)s values at most.", most=most)
    if faults:
        raise InvalidParams(faults)


def _listed(field: object, value: object) -> object:
    """Return what is sent as a list: to a list, or to a filter by operators for one of several values."""
    if isinstance(field, ComparedFilter) and isinstance(value, dict):
        return value.get(AMONG)
    return value if isinstance(field, List) else None


def _has_more_than(value: object, most: int) -> bool:
    if isinstance(value, str):
        return len(split_list(value, most)) > most
    return isinstance(value, (list, dict)) and len(value) > most
