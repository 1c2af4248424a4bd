"""Every hook with its contract. Hooks named `register_…` return data, which is checked and applied at boot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cms.hooks.markers import hookspec
from cms.plugin.answer_specs import next_change, register_uncached_resources
from cms.plugin.import_specs import import_item, import_values
from cms.plugin.page_specs import register_editors

__all__ = [
    "import_item",
    "import_values",
    "next_change",
    "register_editors",
    "register_uncached_resources",
]

if TYPE_CHECKING:
    from pathlib import Path
    from wsgiref.types import WSGIApplication

    import click

    from cms.access.actions import Action, SignIn
    from cms.access.authentication import SignInRequest
    from cms.access.capabilities import Capability, Principal
    from cms.background.events import Delivery, Event
    from cms.config import Config
    from cms.db import QueryPlan
    from cms.media.storage import Storage
    from cms.operations.results import Row
    from cms.operations.serialize import SerializationContext
    from cms.schema.checks import Check
    from cms.schema.content_types import ContentRegistry, ContentType, Locale, Status, Taxonomy
    from cms.schema.endpoint import Route
    from cms.schema.fields import Field
    from cms.schema.resource import Arguments, Resource
    from cms.site import Site


@hookspec
def register_capabilities(config: Config) -> Iterable[Capability]:  # type: ignore[empty-body]
    """Add rights, each with the roles that have it."""


@hookspec
def register_statuses(config: Config) -> Iterable[Status]:  # type: ignore[empty-body]
    """Add states that content can be in."""


@hookspec
def register_types(config: Config) -> Iterable[ContentType]:  # type: ignore[empty-body]
    """Add kinds of content, each with all that posts and pages have: routes, revisions, comments, terms."""


@hookspec
def register_taxonomies(config: Config) -> Iterable[Taxonomy]:  # type: ignore[empty-body]
    """Add ways to group content, each with the routes of its terms, and a field and filters on the types it groups."""


@hookspec
def register_locales() -> Iterable[Locale]:  # type: ignore[empty-body]
    """Add languages of descriptions and messages, each with the folder of its gettext catalogue."""


@hookspec
def register_translations(config: Config) -> str | Path:  # type: ignore[empty-body]
    """Add the folder with the plugin's own texts in languages that are there already."""


@hookspec
def register_shortcodes() -> Mapping[str, Callable[[Mapping[str, str], str], str | None]]:  # type: ignore[empty-body]
    """Add shortcodes by name, or replace the core's: `{"map": function}`, called as `function(attributes, content)`.

    It returns the HTML for `[map place="…"]content[/map]`, or None to leave the mark as it was written. Called when a
    text is written and the result is kept, so it must follow from the arguments alone; raise the plugin's version with
    every change of what it returns. What it returns isn't sanitised: escape what comes from attributes.
    """


@hookspec
def register_settings(config: Config) -> Mapping[str, Field]:  # type: ignore[empty-body]
    """Add settings that the site's owners change while it runs, by name; each has a default."""


@hookspec
def register_resources(content_registry: ContentRegistry) -> Iterable[Resource]:  # type: ignore[empty-body]
    """Add resources, each with its five operations and their routes.

    Build them inside the hook: two sites in one process must not share them.
    """


@hookspec
def register_fields(  # type: ignore[empty-body]
    content_registry: ContentRegistry, config: Config
) -> Mapping[str, Mapping[str, Field]]:
    """Add fields to resources: `{"post": {"reading_time": Integer(...)}}`, by the resource's name."""


@hookspec
def register_filters(  # type: ignore[empty-body]
    content_registry: ContentRegistry, config: Config
) -> Mapping[str, Mapping[str, Field]]:
    """Add arguments to lists, each with its `where`: `{"post": {"shorter_than": Integer(..., where=...)}}`."""


@hookspec
def register_read_arguments(content_registry: ContentRegistry) -> Mapping[str, Mapping[str, Field]]:  # type: ignore[empty-body]
    """Add arguments to the reading of one item, by the resource's name; `open_item` gets what is sent in them."""


@hookspec
def register_routes(  # type: ignore[empty-body]
    content_registry: ContentRegistry, resources: Mapping[str, Resource]
) -> Iterable[Route]:
    """Add routes of your own; every endpoint says who may call it."""


@hookspec
def register_migrations(config: Config) -> str | Path:  # type: ignore[empty-body]
    """Add a folder of numbered migrations, which `cms migrate` applies."""


@hookspec
def register_commands() -> Iterable[click.Command]:  # type: ignore[empty-body]
    """Add commands below `cms`."""


@hookspec
def register_checks() -> Iterable[Check]:  # type: ignore[empty-body]
    """Add what `cms doctor` looks at, where nothing is wrong with the database: `look` gets the ground services."""


@hookspec
def startup(site: Site) -> None:
    """Do what is to be done once in each process that serves the site, before its first request."""


@hookspec
def open_item(resource: str, row: Row, args: Arguments, principal: Principal, site: Site) -> bool | None:
    """Return True to show an item that may not be read otherwise, its protected text included; one answer is enough.

    Asked when one item is read, never for lists, embedded items or the editable form. `row` is the item's row, `args`
    are the arguments of the request. Raise ApiError to refuse with a reason. No cache keeps what is shown this way.
    """


@hookspec
def render_content(html: str, raw: str, kind: str, field: str) -> str | None:
    """Change the HTML of a text, or return None to leave it: each plugin gets what the one before made of it.

    `raw` is what was written; `kind` and `field` say where: `title`, `content` or `excerpt` of a type such as `post`,
    or `content` of `comment`. Called when a text is written and the result is kept, so it must follow from the
    arguments alone; raise the plugin's version with every change of what it returns. What it returns isn't sanitised.
    """


@hookspec
def wrap_wsgi(application: WSGIApplication, site: Site) -> WSGIApplication:  # type: ignore[empty-body]
    """Return a WSGI application around the one that serves the site: the outermost place, before any route.

    Asked once, at boot. In a host application it stands around the host too: hand on what isn't below `site.base`.
    """


@hookspec(firstresult=True)
def media_storage(config: Config) -> Storage | None:
    """Return what keeps uploaded files instead of the folder of the site; the first plugin that returns one counts.

    It is asked once, at boot. `cms.plugin.Storage` says what it must do.
    """


@hookspec
def comment_check(comment: Mapping[str, Any], post: Mapping[str, Any], principal: Principal) -> str | None:
    """Judge a new comment, given as its columns: one of VERDICTS, or None for no objection.

    Of several verdicts the strictest wins; without any the site's own rule holds, so `approve` publishes even what
    the site would hold. `reject` refuses the comment. A state that a moderator sends isn't judged. Keep it quick.
    """


@hookspec(firstresult=True)
def authenticate(request: SignInRequest, site: Site) -> Principal | None:
    """Say who sends a request, or None where this plugin doesn't know; the first that knows counts.

    Raise ApiError to refuse the request. Where no plugin knows, the Authorization header decides.
    """


@hookspec
def check_permission(
    principal: Principal, action: str, resource: str, row: Row | None, site: Site
) -> bool | None:
    """Return False to refuse an action, or None for no objection; one refusal is enough, and none can be overruled.

    `action` is list, read, create, update or delete; `row` is the item's row, None for list and create. Raise ApiError
    to refuse with a code of your own. What may not be read can't be changed either. Lists are narrowed by
    `filter_query`: implement both, so that lists and items agree.
    """


@hookspec
def filter_query(resource: str, plan: QueryPlan, args: Arguments, principal: Principal, site: Site) -> None:
    """Narrow a query of a resource's items by `plan.where`, before it is counted.

    `args` are the arguments of the list; they are empty where other things, such as comments, depend on the items.
    """


@hookspec
def prepare_items(
    resource: str, items: list[dict[str, Any]], page: SerializationContext, site: Site
) -> list[dict[str, Any]] | None:
    """Change the items of a page as they are shown, all at once; `page.rows` are their rows in the same order."""


@hookspec
def before_write(
    action: str, resource: str, values: dict[str, Any], row: Row | None, principal: Principal, site: Site
) -> dict[str, Any] | None:
    """Change what is written, or raise ApiError to refuse it; each plugin gets what the one before made of it.

    `values` are the arguments of the interface by name, those that were sent alone; they are empty for `trash` and
    `delete`. What is changed is checked as if it had been sent. `row` is the item as it is, None for a new one. Called
    before the transaction, and again where somebody else changes the item meanwhile.
    """


@hookspec
def after_write(
    action: str, resource: str, row: Row | None, previous: Row | None, principal: Principal, site: Site
) -> None:
    """Do more in the transaction of a write, after all of the item is stored; whatever is raised undoes the write.

    `row` is None for an item that was deleted, `previous` for a new one.
    """


@hookspec
def after_action(action: Action, site: Site) -> None:
    """Do more in the transaction of what no write of an item does: tokens made or revoked, an import, a plugin's own.

    What is raised undoes it.
    """


@hookspec
def after_sign_in(sign_in: SignIn, site: Site) -> None:
    """Do something when credentials were checked, fitting or not; what is raised refuses the request.

    A password that is remembered, a token that fits and an attempt that the limits refuse aren't told of.
    """


@hookspec
def transition_status(
    resource: str, row: Row, old: str | None, new: str | None, principal: Principal, site: Site
) -> None:
    """Do more in the transaction in which an item of content or a comment gets another state; `old` is None at first.

    A scheduled publication (`future` to `publish`) is told of when its time has come, with a principal of id 0.
    """


@hookspec
def on_event(event: Event, site: Site) -> None:
    """Do something after a change, when it is stored for good: at least once for each event, tried again if it raises.

    Of one item the events come in their order. It runs in one thread for the whole site: set short timeouts.
    """


@hookspec
def event_targets(event: Event, site: Site) -> Sequence[str]:  # type: ignore[empty-body]
    """Return to whom an event is delivered, by names of the plugin's own; called for each event, again if it raises.

    A plugin has this hook and `deliver_event`, or `on_event`.
    """


@hookspec
def deliver_event(delivery: Delivery, site: Site) -> int | None:
    """Deliver one event to one target and return the status that it answered, or None; raise DeliveryFailed else.

    It runs in a thread of its own, beside those of other targets; each target has its own tries, order and history.
    """
