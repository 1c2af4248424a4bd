"""The hooks of answers that are kept for visitors, each with its contract; `specs` has them among all others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from cms.hooks.markers import hookspec

if TYPE_CHECKING:
    from cms.site import Site


@hookspec
def register_uncached_resources() -> Iterable[str]:  # type: ignore[empty-body]
    """Name resources whose answers to visitors can't be kept, since you make them of more than the stored data.

    That is: of what another service says, of files, of chance, of headers of the request. For what depends on the time
    alone there is `next_change`. Routes of your own are kept only where their `Answer` says `cacheable=True`.
    """


@hookspec
def next_change(now: str, site: Site) -> str | None:
    """Return the next moment after `now` at which what you show changes without a write; None where there is none.

    Both are dates in GMT as they are stored. No answer is kept beyond that moment. Scheduled content is known already.
    """
