"""What the rules of resources work with, besides the declarations of the resource itself."""

from __future__ import annotations

from dataclasses import dataclass

from cms.access.authentication import Passwords
from cms.background.outbox import Outbox
from cms.background.publications import Publications
from cms.context import SiteContext
from cms.hooks import Hooks
from cms.operations.notify import WriteNotifier
from cms.operations.renderer import Renderer
from cms.operations.visibility import ContentVisibility


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


def build_services(
    site: SiteContext,
    hooks: Hooks,
    renderer: Renderer,
    outbox: Outbox,
    publications: Publications,
    passwords: Passwords,
) -> Services:
    """Return the services of a site."""
    visibility = ContentVisibility(site.content_registry)
    notifier = WriteNotifier(hooks, outbox)
    return Services(site, hooks, renderer, visibility, notifier, publications, passwords, outbox)
