"""A request to an endpoint, below HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cms.access.capabilities import Principal
from cms.media.uploads import OpenUpload
from cms.site import Site


@dataclass(frozen=True)
class Call:
    """A request to an endpoint: who asks, checked arguments, those as they were sent, the path's values."""

    site: Site
    principal: Principal
    args: Mapping[str, Any]
    raw_arguments: Mapping[str, Any]
    path: Mapping[str, Any]
    #: Row versions that a change asks for, by an If-Match header; None for any.
    versions: frozenset[int] | None = None
    #: Gives the request's file, for endpoints that take one.
    open_upload: OpenUpload | None = None
