"""The hooks of the editing page, each with its contract; `specs` has them among all others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cms.hooks.markers import hookspec

if TYPE_CHECKING:
    from cms.config import Config
    from cms.schema.page_editors import PageEditor


@hookspec
def register_editors(config: Config) -> Iterable[PageEditor]:  # type: ignore[empty-body]
    """Add editors of texts, which take the place of the editing page's own for the types that they name, or for all.

    A type has one of them at most. The module runs under the policy of the page: scripts, styles, fonts and requests of
    the site alone, nothing that stands in the page itself.
    """
