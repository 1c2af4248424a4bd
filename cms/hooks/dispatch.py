"""The hooks of one site as methods: one for each hook that is called while the site serves.

Which plugins implement a hook is looked up when the site is made, so that a hook that nobody implements costs one
comparison.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import cached_property, partial
from typing import Any
from wsgiref.types import WSGIApplication

from cms.access.authentication import SignInRequest
from cms.access.capabilities import Principal
from cms.config import Config
from cms.db import QueryPlan
from cms.errors import NotAllowed
from cms.hooks.actions import ActionHooks
from cms.hooks.calling import Hook, call_one
from cms.hooks.checks import (
    plan_size,
    prefix_keys,
    read_as_sent,
    require_application,
    require_length,
    require_moment,
    require_principal,
    require_storage,
    require_verdict,
)
from cms.hooks.events import EventHooks
from cms.hooks.manager import Plugins, version_of
from cms.hooks.markers import VERDICTS
from cms.i18n import _
from cms.media.storage import Storage
from cms.schema.resource import Arguments, SerializedItems
from cms.schema.schemas import Loader

Row = Mapping[str, Any]


class Hooks:
    """Ask the plugins of one site; every failure names its plugin."""

    def __init__(self, plugins: Plugins, site: object) -> None:
        """Look up who implements which hook; raises PluginError for an implementation that can't be used."""
        self._plugins = plugins
        self._site = site
        self._startup = Hook(plugins, "startup")
        self._wrap_wsgi = Hook(plugins, "wrap_wsgi", wrappable=False)
        self._authenticate = Hook(plugins, "authenticate")
        self._next_change = Hook(plugins, "next_change")
        self._check_permission = Hook(plugins, "check_permission")
        self._filter_query = Hook(plugins, "filter_query", wrappable=False)
        self._open_item = Hook(plugins, "open_item")
        self._prepare_items = Hook(plugins, "prepare_items", wrappable=False)
        self._before_write = Hook(plugins, "before_write", wrappable=False)
        self._after_write = Hook(plugins, "after_write")
        self._transition_status = Hook(plugins, "transition_status")
        self._comment_check = Hook(plugins, "comment_check")
        self._render_content = Hook(plugins, "render_content", wrappable=False)
        self._import_item = Hook(plugins, "import_item")
        self._import_values = Hook(plugins, "import_values")
        #: The hooks by which plugins get events.
        self.events = EventHooks(plugins, site)
        #: Those by which they are told what is done beside writes of items.
        self.actions = ActionHooks(plugins, site)

    def has(self, hook: str) -> bool:
        """Tell whether any plugin implements a hook that isn't one of registering or of events."""
        return bool(getattr(self, f"_{hook}"))

    # The site as a whole.

    def startup(self) -> None:
        """Let plugins do what they do once in each process; raises PluginError where one fails."""
        self._startup.notify({"site": self._site})

    def wrap_wsgi(self, application: WSGIApplication) -> WSGIApplication:
        """Return the application with what plugins put around it; the last that is called is the outermost.

        Raises PluginError where one returns something that can't be called.
        """
        for implementation in self._wrap_wsgi.implementations:
            arguments = {"application": application, "site": self._site}
            application = call_one(implementation, "wrap_wsgi", arguments, require_application)
        return application

    # Reading.

    def authenticate(self, request: Callable[[], SignInRequest]) -> Principal | None:
        """Return who the first plugin that knows says is asking, or None where none does.

        Raises PluginError where a plugin returns anything else than a Principal.
        """
        if not self._authenticate:
            return None
        found: Principal | None = self._authenticate.first(
            {"request": request(), "site": self._site}, require_principal
        )
        return found

    def next_change(self, now: str) -> str | None:
        """Return the next moment at which what a plugin shows changes without a write, None where none does.

        Raises PluginError where a plugin returns anything else than a date as it is stored.
        """
        if not self._next_change:
            return None
        moments = self._next_change.each({"now": now, "site": self._site}, require_moment)
        return min((moment for moment in moments if moment > now), default=None)

    @property
    def checks_permissions(self) -> bool:
        """Whether any plugin has a say in what may be done."""
        return bool(self._check_permission)

    def check_permission(
        self, principal: Principal, action: str, resource: str, row: Row | None = None
    ) -> None:
        """Refuse what a plugin objects to: one that says no is enough. Raises NotAllowed, or what a plugin raises."""
        if not self._check_permission:
            return
        answers = self._check_permission.each(
            {"principal": principal, "action": action, "resource": resource, "row": row, "site": self._site}
        )
        if False in answers:
            raise NotAllowed(principal, "rest_forbidden", _("You may not do this."))

    @property
    def filters_queries(self) -> bool:
        """Whether any plugin narrows lists."""
        return bool(self._filter_query)

    def filter_query(self, resource: str, plan: QueryPlan, args: Arguments, principal: Principal) -> None:
        """Let plugins narrow a query of a resource's items; raises PluginError where one changes more than it may."""
        if not self._filter_query:
            return
        size = [plan_size(plan)]

        def check(plugin: str, _found: object) -> None:
            prefix_keys(plugin, plan, size[0])
            size[0] = plan_size(plan)

        arguments = {
            "resource": resource,
            "plan": plan,
            "args": args,
            "principal": principal,
            "site": self._site,
        }
        self._filter_query.each(arguments, check)

    def open_item(self, resource: str, row: Row, args: Arguments, principal: Principal) -> bool:
        """Tell whether a plugin shows an item to somebody who may not read it: one that says so is enough."""
        if not self._open_item:
            return False
        arguments = {
            "resource": resource,
            "row": row,
            "args": args,
            "principal": principal,
            "site": self._site,
        }
        return True in self._open_item.each(arguments)

    def prepare_items(self, resource: str, items: SerializedItems, page: object) -> SerializedItems:
        """Return the items of a page as plugins change them, all at once; raises PluginError for another number."""
        if not self._prepare_items or not items:
            return items
        arguments = {"resource": resource, "page": page, "site": self._site}
        prepared: SerializedItems = self._prepare_items.pipe(
            "items", items, arguments, partial(require_length, len(items))
        )
        return prepared

    # Writing.

    def before_write(
        self,
        action: str,
        resource: str,
        args: Arguments,
        row: Row | None,
        principal: Principal,
        loader: Loader,
    ) -> dict[str, Any]:
        """Return the arguments of a write as plugins want them; what they change is checked as if it had been sent.

        Raises PluginError for a value that can't be used, and what plugins raise to refuse the write.
        """
        if not self._before_write:
            return dict(args)
        sent = {name: value for name, value in args.items() if name in loader.fields}
        arguments = {
            "action": action,
            "resource": resource,
            "row": row,
            "principal": principal,
            "site": self._site,
        }
        values: dict[str, Any] = self._before_write.pipe(
            "values", deepcopy(sent), arguments, lambda _plugin, found: read_as_sent(found, sent, loader)
        )
        others = {name: value for name, value in args.items() if name not in sent}
        return {**others, **values}

    @property
    def watches_writes(self) -> bool:
        """Whether any plugin does more in the transaction of a write."""
        return bool(self._after_write or self._transition_status)

    @property
    def changes_written(self) -> bool:
        """Whether a plugin may have changed the row of a write in its transaction."""
        return bool(self._after_write)

    def after_write(
        self, action: str, resource: str, row: Row | None, previous: Row | None, principal: Principal
    ) -> None:
        """Let plugins do more in the transaction of a write; whatever one raises undoes the write."""
        if self._after_write:
            self._after_write.notify(
                {
                    "action": action,
                    "resource": resource,
                    "row": row,
                    "previous": previous,
                    "principal": principal,
                    "site": self._site,
                }
            )

    def transition_status(
        self, resource: str, row: Row, old: str | None, new: str | None, principal: Principal
    ) -> None:
        """Tell plugins, in the transaction, that an item's status has changed, if it has."""
        if self._transition_status and old != new:
            self._transition_status.notify(
                {
                    "resource": resource,
                    "row": row,
                    "old": old,
                    "new": new,
                    "principal": principal,
                    "site": self._site,
                }
            )

    def comment_check(
        self, comment: Mapping[str, Any], post: Mapping[str, Any], principal: Principal
    ) -> str | None:
        """Return the strictest of the plugins' verdicts on a new comment, None where no plugin has one.

        Raises PluginError for a verdict that isn't one.
        """
        verdicts = self._comment_check.each(
            {"comment": comment, "post": post, "principal": principal}, require_verdict
        )
        return max(verdicts, key=VERDICTS.index, default=None)

    def render_content(self, html: str, raw: str, kind: str, field: str) -> str:
        """Return the HTML of a text as plugins change it."""
        if not self._render_content:
            return html
        rendered: str = self._render_content.pipe("html", html, {"raw": raw, "kind": kind, "field": field})
        return rendered

    @cached_property
    def rendering_version(self) -> str:
        """What tells HTML that these plugins, in these versions, have changed from other HTML."""
        shortcodes = Hook(self._plugins, "register_shortcodes", wrappable=False)
        plugins = [*self._render_content.implementations, *shortcodes.implementations]
        if not plugins:
            return ""
        names = [(each.plugin_name, version_of(self._plugins, each.plugin)) for each in reversed(plugins)]
        return f"+{hashlib.sha256(repr(names).encode()).hexdigest()[:12]}"

    # Importing.

    def import_item(self, item: object, importing: object) -> bool:
        """Tell whether a plugin has brought in an item of an export; the first that does so counts."""
        arguments = {"item": item, "importing": importing}
        return bool(self._import_item.first(arguments, lambda _plugin, found: found is True or None))

    def import_values(
        self, resource: str, record: object, values: Mapping[str, Any], importing: object
    ) -> list[Mapping[str, Any]]:
        """Return what plugins make of the values of an imported item."""
        given = {"resource": resource, "record": record, "values": values, "importing": importing}
        return self._import_values.each(given) if self._import_values else []


def choose_media_storage(plugins: Plugins, config: Config) -> Storage | None:
    """Return the storage of the first plugin that has one; raises PluginError for what fails or isn't a storage."""
    storage: Storage | None = Hook(plugins, "media_storage").first({"config": config}, require_storage)
    return storage
