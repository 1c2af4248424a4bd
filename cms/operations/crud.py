"""The five operations on the items of a resource, written once for all resources.

What is special about a resource stands in its rules; each operation asks them downwards, and nothing calls back up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from cms.access.capabilities import Principal
from cms.errors import ApiError, NotAllowed
from cms.i18n import _
from cms.media.uploads import OpenUpload
from cms.operations.custom_fields import CustomFields
from cms.operations.query import ListQuery
from cms.operations.results import Item, Listing, Row
from cms.operations.rules import Draft, ResourceRules
from cms.operations.serialize import ItemSerializer
from cms.operations.services import Services
from cms.schema.fields import EDIT, EMBED
from cms.schema.resource import Arguments, Resource, SerializedItems
from cms.schema.schemas import loader_of, writable

READ, UPDATE, DELETE = "read", "update", "delete"
#: How many items of a list are embedded for each item that links to it.
MAX_EMBEDDED = 100


class Operations:
    """List, get, create, update and delete the items of one resource of one site."""

    def __init__(self, services: Services, resource: Resource) -> None:
        self._site, self._hooks = services.site, services.hooks
        self._notifier = services.notifier
        self.resource = resource
        self.rules: ResourceRules[Any] = resource.rules(services, resource)
        self.query = ListQuery(services, resource, self.rules)
        self.serializer = ItemSerializer(services, resource, self.rules)
        self._custom = CustomFields(resource)
        self.list_loader = self.query.loader
        self.get_loader = loader_of(resource.get_args)
        self.create_loader = loader_of(writable(resource.schema, creating=True))
        self.update_loader = loader_of(writable(resource.schema, creating=False))
        self.delete_loader = loader_of(resource.delete_args)

    # What a principal may do, as the Allow header has it.

    def allowed(self, principal: Principal, row: Row | None = None) -> tuple[str, ...]:
        """Return the methods that the principal may use on an item, or on the collection."""
        if row is None:
            may_create = self.rules.may_create(principal) and self._permits("create", principal)
            return ("GET", "POST") if may_create else ("GET",)
        methods = ["GET"]
        if self.rules.may_update(principal, row) and self._permits(UPDATE, principal, row):
            methods += ("POST", "PUT", "PATCH")
        if self.rules.may_delete(principal, row) and self._permits(DELETE, principal, row):
            methods.append("DELETE")
        return tuple(methods)

    def allowed_after(self, principal: Principal, row: Row) -> tuple[str, ...]:
        """Return the methods after a change, whose answer is the editable form: GET where that may be read."""
        methods = self.allowed(principal, row)
        try:
            self._check(READ, row, {"context": EDIT}, principal)
        except ApiError:
            return methods[1:]
        return methods

    def may_list_editable(self, principal: Principal) -> bool:
        """Tell whether the principal may list items in their editable form."""
        if self.rules.list_capability:
            return principal.may(self.rules.list_capability)
        try:
            self.rules.check_list(self._editable_list, principal)
            self._check_plugins("list", principal)
        except ApiError:
            return False
        return True

    @cached_property
    def _editable_list(self) -> Arguments:
        return self.list_loader.load({"context": EDIT})

    # The operations.

    def list(self, args: Arguments, principal: Principal) -> Listing:
        """Return a page of the items that match; raises ApiError where the principal may not ask for them."""
        self.rules.check_list(args, principal)
        self._check_edit_only_arguments(args, principal)
        self._check_plugins("list", principal)
        now = self._site.now()
        plan = self.query.plan(args, principal, now)
        number, start = self._place(args)
        wanted = args.get("_fields")
        serializer = self.serializer.compiled(args["context"], wanted)
        rows = self.query.reader.page(plan, serializer.columns, args["per_page"], start)
        is_past_offset = not rows and args.get("offset") is not None
        total = 0
        if not is_past_offset or self.rules.counts_past_offset:
            total = self.query.reader.total(plan, now)
        pages = -(-total // args["per_page"])
        if not rows and total and number > pages and self.rules.page_limit_code:
            message = _("There are only %(pages)s pages. Ask for one of these.", pages=pages)
            raise ApiError(self.rules.page_limit_code, message)
        page = self.serializer.page(rows, args["context"], principal, wanted=wanted)
        has_next = number < pages and args.get("offset") is None
        return Listing(self.serializer.serialize_page(page, serializer), total, pages, number, has_next)

    def get(self, id: int, args: Arguments, principal: Principal) -> Item:
        """Return one item; raises ApiError where there is none or the principal may not read it."""
        row = self._find(id)
        granted = args["context"] != EDIT and self._hooks.open_item(self.resource.name, row, args, principal)
        if granted:
            self._check_plugins(READ, principal, row)
        else:
            self._check(READ, row, args, principal)
        item = self.serializer.serialize(
            row,
            args["context"],
            principal,
            is_unlocked=granted or self.rules.is_unlocked(row, args),
            wanted=args.get("_fields"),
        )
        return replace(item, granted_by_plugin=True) if granted else item

    def create(self, args: Arguments, principal: Principal, open_upload: OpenUpload | None = None) -> Item:
        """Store a new item and return it in its editable form; `open_upload` gives the file that it is made of.

        Raises ApiError where the principal may not create it, or for values that can't be stored.
        """
        self.rules.check_create(args, principal)
        self._check_plugins("create", principal)
        with self.rules.receive(args, open_upload) as (sent, file), self._site.database.write():
            # Under the lock: what is free when it is looked for must still be free when it is taken.
            wanted = self._hooks.before_write(
                "create", self.resource.name, sent, None, principal, self.create_loader
            )
            if wanted != sent:
                self.rules.check_create(wanted, principal)
            id = self.rules.insert(self._draft(wanted, None, principal, file), principal)
            self._custom.store(self._site, id, wanted)
            row = self._finish("create", id, None, principal)
        item = self.serializer.serialize(row, self.rules.context_after_create(principal), principal)
        return self.rules.after_create(item)

    def update(
        self, id: int, args: Arguments, principal: Principal, versions: frozenset[int] | None = None
    ) -> Item:
        """Change an item and return it in its editable form; `versions` are the only ones it may be changed from.

        Raises ApiError where the principal may not change it, or for values that can't be stored.
        """
        if self.rules.checks_before_update:
            self.rules.before_update(self._find(id), args, principal)
        with self._site.database.write():
            row = self.find_permitted(id, UPDATE, args, principal)
            _check_version(row, versions)
            self.rules.before_change(row)
            wanted = self._hooks.before_write(
                UPDATE, self.resource.name, args, row, principal, self.update_loader
            )
            if wanted != args:
                self.rules.check_update(row, wanted, principal)
            self.rules.update(row, self._draft(wanted, row, principal), principal)
            self._custom.store(self._site, id, wanted)
            changed = self._finish(UPDATE, id, row, principal)
        return self.serializer.serialize(changed, EDIT, principal)

    def delete(
        self, id: int, args: Arguments, principal: Principal, versions: frozenset[int] | None = None
    ) -> Item:
        """Move an item to the trash, or delete it for good where there is none or `force` asks for it.

        Raises ApiError where the principal may not delete it.
        """
        with self._site.database.write():
            row = self.find_permitted(id, DELETE, args, principal)
            _check_version(row, versions)
            self.rules.before_change(row)
            action = DELETE if args["force"] else "trash"
            self._hooks.before_write(action, self.resource.name, {}, row, principal, self.delete_loader)
            if action == "trash":
                self.rules.trash(row, principal)
                changed = self._finish("trash", id, row, principal)
                return self.serializer.serialize(changed, EDIT, principal)
            previous = self.serializer.serialize(row, EDIT, principal).data
            self.rules.delete(row, args, principal)
            self._notify(DELETE, None, row, principal)
        previous.pop("_links", None)
        return Item({"deleted": True, "previous": previous}, {})

    # What other parts build on.

    def find_permitted(self, id: int, action: str, args: Arguments, principal: Principal) -> Any:
        """Return the row of an item that the principal may read, update or delete, as `action` says.

        Raises ApiError where there is none, where the principal lacks the permission, or where a plugin objects.
        """
        row = self._find(id)
        self._check(action, row, args, principal)
        return row

    def get_many(self, ids: Sequence[int], principal: Principal) -> dict[int, dict[str, Any] | ApiError]:
        """Return items in their embedded form by id, or why the principal may not read them; all in one query."""
        rows = self.query.reader.many(ids, self._site.now())
        refused = self.rules.unreadable(rows, principal)
        if self._hooks.checks_permissions:
            readable = [row for row in rows if row["id"] not in refused]
            refused |= self.rules.hidden_by_plugins(readable, principal)
        page = self.serializer.page([row for row in rows if row["id"] not in refused], EMBED, principal)
        items = self.serializer.serialize_page(page, self.serializer.compiled(EMBED))
        found: dict[int, dict[str, Any] | ApiError] = {id: self._not_found() for id in ids}
        found |= dict(zip(page.ids, items, strict=True))
        return found | refused

    def get_lists(
        self, argument: str, ids: Sequence[int], principal: Principal
    ) -> Mapping[int, SerializedItems]:
        """Return lists in their embedded form, one for each value of a filter; none where that isn't offered."""
        if argument in self.rules.grouping_columns:
            return self._group_by_column(argument, ids, principal)
        links = self.rules.linked(argument, ids)
        return {} if links is None else self._group_linked(links, principal)

    def _group_by_column(
        self, argument: str, ids: Sequence[int], principal: Principal
    ) -> dict[int, SerializedItems]:
        args = self.list_loader.load({argument: list(ids), "context": EMBED})
        plan = self.query.plan(args, principal, self._site.now())
        serializer = self.serializer.compiled(EMBED)
        column = self.rules.grouping_columns[argument]
        columns = tuple(dict.fromkeys((*serializer.columns, column)))
        rows = self.query.reader.page(plan, columns, MAX_EMBEDDED * len(ids), 0)
        page = self.serializer.page(rows, EMBED, principal)
        found: dict[int, SerializedItems] = {}
        for row, item in zip(rows, self.serializer.serialize_page(page, serializer), strict=True):
            found.setdefault(row[column], []).append(item)
        return found

    def _group_linked(
        self, links: Sequence[tuple[int, int]], principal: Principal
    ) -> dict[int, SerializedItems]:
        items = self.get_many([item for _owner, item in links], principal)
        found: dict[int, SerializedItems] = {}
        for owner, id in links:
            item = items[id]
            if not isinstance(item, ApiError):
                found.setdefault(owner, []).append(item)
        return found

    # Steps.

    def _find(self, id: int) -> Row:
        row = self.query.reader.find(id, self._site.now())
        if row is None:
            raise self._not_found()
        return row

    def _not_found(self) -> ApiError:
        return ApiError(*self.rules.not_found, 404)

    def _place(self, args: Arguments) -> tuple[int, int]:
        """Return the number of the page that a list's arguments ask for, and how many items come before it."""
        per_page, number, offset = args["per_page"], args["page"], args.get("offset")
        if offset is None:
            return number, (number - 1) * per_page
        if self.rules.offset_counts_pages:
            number = -(-offset // per_page) + 1
        return number, offset

    def _check(self, action: str, row: Row, args: Arguments, principal: Principal) -> None:
        checks = {
            READ: self.rules.check_read,
            UPDATE: self.rules.check_update,
            DELETE: self.rules.check_delete,
        }
        checks[action](row, args, principal)
        self._check_plugins(action, principal, row)

    def _check_plugins(self, action: str, principal: Principal, row: Row | None = None) -> None:
        """Refuse what a plugin objects to; an item that a plugin hides can't be changed either."""
        if not self._hooks.checks_permissions:
            return
        if row is not None:
            for error in self.rules.hidden_by_plugins([row], principal).values():
                raise error
        if action != READ:
            self._hooks.check_permission(principal, action, self.resource.name, row)

    def _permits(self, action: str, principal: Principal, row: Row | None = None) -> bool:
        try:
            self._check_plugins(action, principal, row)
        except ApiError:
            return False
        return True

    def _check_edit_only_arguments(self, args: Arguments, principal: Principal) -> None:
        """Refuse to filter or order by what only the editable form shows, unless that form is asked for."""
        if not self.resource.edit_only_arguments or args["context"] == EDIT:
            return
        asked = []
        for name in sorted(self.resource.edit_only_arguments):
            if args.get(name) not in (None, []) or args.get("orderby") == name:
                asked.append(name)
        if asked:
            message = _("These need context=edit: %(names)s.", names=", ".join(asked))
            raise NotAllowed(principal, "rest_forbidden_param", message)

    def _draft(self, args: Arguments, row: Row | None, principal: Principal, file: Any = None) -> Draft:
        draft = self.rules.draft(args, row, principal, file)
        self._custom.add_columns(draft.columns, args, row, self._site.settings.zone)
        return draft

    def _finish(self, action: str, id: int, previous: Row | None, principal: Principal) -> Row:
        """Tell plugins of a write, still in its transaction, and return the row as they leave it."""
        row = self._find(id)
        if not self._notifier.is_needed:
            return row
        self._notify(action, row, previous, principal)
        return self._find(id) if self._hooks.changes_written else row

    def _notify(self, action: str, row: Row | None, previous: Row | None, principal: Principal) -> None:
        if not self._notifier.is_needed:
            return
        old = None if previous is None else self.rules.status_of(previous)
        new = None if row is None else self.rules.status_of(row)
        self._notifier.notify(action, self.resource.name, row, previous, principal, old, new)


def _check_version(row: Row, versions: frozenset[int] | None) -> None:
    """Refuse to change an item that somebody else has changed since it was read."""
    if versions is not None and row["version"] not in versions:
        message = _("Somebody has changed this since you read it. Read it again, then repeat your change.")
        raise ApiError("rest_precondition_failed", message, 412)
