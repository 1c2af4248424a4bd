"""Names for what peewee's stubs leave without types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: A part of a query that can be combined by `&`, `|`, `==`, `.in_()` and the like.
Expression = Any
#: Builds a part of a query; it is called when a statement of its shape is written for the first time.
Build = Callable[[], Expression]
