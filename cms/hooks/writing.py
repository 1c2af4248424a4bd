"""What plugins are asked before an item is written, and told after it, in the same transaction."""

from __future__ import annotations

from copy import deepcopy
from datetime import datetime
from typing import TYPE_CHECKING, Any

from cms.access.capabilities import Principal
from cms.errors import InvalidParams
from cms.hooks import ask, hand_on
from cms.hooks.reading import implemented

if TYPE_CHECKING:
    from cms.schema.resource import Arguments
    from cms.schema.schemas import Loader
    from cms.site import Site

#: How an event is called, by what is done to the item.
PAST = {
    "create": "created",
    "update": "updated",
    "trash": "trashed",
    "untrash": "untrashed",
    "delete": "deleted",
}


class WriteHooks:
    """The hooks around the writes of one site."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.before_write = implemented(site.plugins, "before_write")
        self.after_write = implemented(site.plugins, "after_write")
        self.transition_status = implemented(site.plugins, "transition_status")

    @property
    def watched(self) -> bool:
        """Whether any plugin is told of writes."""
        return bool(self.after_write or self.transition_status or self._site.outbox.wanted)

    def before(
        self, action: str, resource: str, args: Arguments, row: Any, principal: Principal, loader: Loader
    ) -> dict[str, Any]:
        """Return the arguments of a write as plugins want them; what they change is checked as if it had been sent."""
        if self.before_write is None:
            return dict(args)
        given = {name: value for name, value in args.items() if name in loader.fields}
        values = hand_on(
            self.before_write,
            "values",
            deepcopy(given),
            action=action,
            resource=resource,
            row=row,
            principal=principal,
            site=self._site,
            check=lambda found: _checked(found, given, loader),
        )
        return {**{name: value for name, value in args.items() if name not in given}, **values}

    def after(
        self,
        action: str,
        resource: str,
        row: Any,
        previous: Any,
        principal: Principal,
        old: str | None = None,
        new: str | None = None,
    ) -> None:
        """Tell plugins of a write; `old` and `new` are the item's states where it has any."""
        if self.after_write is not None:
            for _plugin, _nothing in ask(
                self.after_write,
                action=action,
                resource=resource,
                row=row,
                previous=previous,
                principal=principal,
                site=self._site,
            ):
                pass
        if row is not None:
            self.transition(resource, row, old, new, principal)
        self._record(action, resource, (previous if row is None else row)["id"], principal.id, old, new)

    def transition(
        self, resource: str, row: Any, old: str | None, new: str | None, principal: Principal
    ) -> None:
        """Tell plugins that an item's state has changed, if it has."""
        if self.transition_status is not None and old != new:
            for _plugin, _nothing in ask(
                self.transition_status,
                resource=resource,
                row=row,
                old=old,
                new=new,
                principal=principal,
                site=self._site,
            ):
                pass

    def _record(
        self, action: str, resource: str, id: int, user: int, old: str | None, new: str | None
    ) -> None:
        if not self._site.outbox.wanted:
            return
        if action == "update" and old != new and "trash" in (old, new):
            action = "trash" if new == "trash" else "untrash"
        data = {} if old is None and new is None else {"status": {"old": old, "new": new}}
        self._site.outbox.record(f"{resource}.{PAST[action]}", resource, id, user, data)
        if new == "publish" and old != new:
            self._site.outbox.record(f"{resource}.published", resource, id, user, data)


def _checked(values: dict[str, Any], given: Arguments, loader: Loader) -> dict[str, Any]:
    """Return values with those that differ from the given ones read as if they had been sent."""
    unknown = ", ".join(sorted(name for name in values if name not in loader.fields))
    if unknown:
        raise ValueError(f"nothing of this name can be written: {unknown}")
    kept = {name: value for name, value in values.items() if name in given and given[name] == value}
    try:
        return kept | loader.load_some(
            {name: _as_sent(value) for name, value in values.items() if name not in kept}
        )
    except InvalidParams as error:
        raise ValueError(
            "; ".join(f"{name}: {fault}" for name, fault in error.data["params"].items())
        ) from None


def _as_sent(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value
