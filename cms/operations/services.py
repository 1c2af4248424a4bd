"""What the rules of resources work with, besides the declarations of the resource itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from cms.access.authentication import Passwords
from cms.access.capabilities import Principal
from cms.background.outbox import Outbox
from cms.background.publications import Publications
from cms.context import SiteContext
from cms.db.bounded_table import BoundedTable
from cms.hooks import Hooks
from cms.operations.notify import WriteNotifier
from cms.operations.renderer import Renderer
from cms.operations.visibility import ContentVisibility
from cms.schema.resource import Arguments
from cms.schema.schemas import Serializer

#: Finds the row of an item that somebody may read, update or delete: by id, action, arguments and principal.
FindPermitted = Callable[[int, str, Arguments, Principal], object]
#: How many bytes the compiled serializers of a site take at most: requests choose fields as they like.
MOST_SERIALIZERS = 1_000_000


@dataclass(frozen=True)
class Services:
    """The services of one site that operations and rules use."""

    site: SiteContext
    hooks: Hooks
    renderer: Renderer
    visibility: ContentVisibility
    notifier: WriteNotifier
    publications: Publications
    passwords: Passwords
    outbox: Outbox
    #: Compiled serializers by resource, context and chosen fields.
    serializers: BoundedTable[tuple[str, str, frozenset[str] | None], Serializer]
    #: By the resource's name, filled as the site is put together: for rules that depend on items of other resources.
    finders: dict[str, FindPermitted] = field(init=False, default_factory=dict)


def build_services(
    site: SiteContext,
    hooks: Hooks,
    renderer: Renderer,
    outbox: Outbox,
    publications: Publications,
    passwords: Passwords,
) -> Services:
    """Return the services of a site."""
    return Services(
        site,
        hooks,
        renderer,
        ContentVisibility(site.content_registry),
        WriteNotifier(hooks, outbox),
        publications,
        passwords,
        outbox,
        BoundedTable(MOST_SERIALIZERS),
    )
