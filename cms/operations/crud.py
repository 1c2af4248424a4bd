"""The five operations on the items of a resource, written once for all resources.

What is special about a resource stands in its rules; each operation asks them downwards, and nothing calls back up.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Any

from cms.access.capabilities import Principal
from cms.errors import ApiError, NotAllowed
from cms.i18n import _
from cms.media.uploads import OpenUpload
from cms.operations.changes import (
    MOST_ATTEMPTS,
    TRASH,
    BeforeStore,
    Change,
    check_version,
    needed_permission,
    would_be_dropped,
)
from cms.operations.custom_fields import CustomFields
from cms.operations.linked import LinkedItems
from cms.operations.permissions import CREATE, DELETE, LIST, READ, UPDATE, Permissions
from cms.operations.query import ListQuery
from cms.operations.results import Item, Listing, Row
from cms.operations.rules import AnyRules, Draft
from cms.operations.serialize import ItemSerializer
from cms.operations.services import Services
from cms.operations.text_sizes import check_text_sizes
from cms.schema.fields import EDIT, LARGEST
from cms.schema.resource import Arguments, Resource
from cms.schema.schemas import fields_of, loader_of, writable

#: The argument of writes that are refused where something sent would be dropped.
STRICT = "_strict"

log = logging.getLogger("cms")


class Operations:
    """List, get, create, update and delete the items of one resource of one site."""

    def __init__(self, services: Services, resource: Resource) -> None:
        self._site, self._hooks = services.site, services.hooks
        self._notifier = services.notifier
        self.resource = resource
        self.rules: AnyRules = resource.rules(services, resource)
        self.query = ListQuery(services, resource, self.rules)
        self.serializer = ItemSerializer(services, resource, self.rules)
        self.permissions = Permissions(services, resource, self.rules)
        self.linked = LinkedItems(services, self.rules, self.query, self.serializer)
        self._custom = CustomFields(resource)
        services.finders[resource.name] = self.find_permitted
        self.list_loader = self.query.loader
        self.get_loader = loader_of(resource.get_args)
        self.create_loader = loader_of(writable(resource.schema, creating=True))
        self.update_loader = loader_of(writable(resource.schema, creating=False))
        self.delete_loader = loader_of(resource.delete_args)

    # The operations.

    def list(self, args: Arguments, principal: Principal) -> Listing:
        """Return a page of the items that match; raises ApiError where the principal may not ask for them."""
        self.rules.check_list(args, principal)
        self._check_edit_only_arguments(args, principal)
        self.permissions.check_plugins(LIST, principal)
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
            self.permissions.check_plugins(READ, principal, row)
        else:
            self.permissions.check(READ, row, args, principal)
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
        self.permissions.check_create(args, principal)
        with self.rules.receive(args, open_upload) as (sent, file):
            change = self._prepare(CREATE, sent, None, principal, file)
            with self._custom.refusing_duplicates(), self._site.database.write():
                # Under the lock: what is free when it is looked for must still be free when it is taken.
                self.rules.check_create(change.args, principal)
                draft = self._draft(change, principal)
                id = self.rules.insert(draft, principal)
                self._custom.store(self._site, id, change.args)
                row = self._finish(CREATE, id, None, principal)
        item = self._answer(row, principal, self.rules.context_after_create(principal))
        return self.rules.after_create(replace(item, ignored=draft.dropped))

    def update(
        self,
        id: int,
        args: Arguments,
        principal: Principal,
        versions: frozenset[int] | None = None,
        before_store: BeforeStore | None = None,
    ) -> Item:
        """Change an item and return it in its editable form; `versions` are the only ones it may be changed from.

        `before_store` is called with the row in the transaction, when nothing but the values can be refused any more.
        Raises ApiError where the principal may not change it, or for values that can't be stored.
        """
        with self._prepared(UPDATE, id, args, principal, versions) as change:
            row = change.row
            self.rules.before_change(row)
            if before_store is not None:
                before_store(row)
            draft = self._draft(change, principal)
            self.rules.update(row, draft, principal)
            self._custom.store(self._site, id, change.args)
            changed = self._finish(UPDATE, id, row, principal)
        return replace(self._answer(changed, principal), ignored=draft.dropped)

    def delete(
        self, id: int, args: Arguments, principal: Principal, versions: frozenset[int] | None = None
    ) -> Item:
        """Move an item to the trash, or delete it for good where there is none or `force` asks for it.

        Raises ApiError where the principal may not delete it.
        """
        action = DELETE if args["force"] else TRASH
        with self._prepared(action, id, args, principal, versions) as change:
            row = change.row
            self.rules.before_change(row)
            if action == TRASH:
                self.rules.trash(row, principal)
                changed = self._finish(TRASH, id, row, principal)
                return self._answer(changed, principal)
            previous = self._answer(row, principal).data
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
        self.permissions.check(action, row, args, principal)
        return row

    # Steps.

    def _find(self, id: int) -> Row:
        row = None
        if abs(id) <= LARGEST:
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

    @contextmanager
    def _prepared(
        self, action: str, id: int, args: Arguments, principal: Principal, versions: frozenset[int] | None
    ) -> Iterator[Change]:
        """Open the transaction of a write to an item, when all that takes long is done.

        Where the item has changed meanwhile all of it is done again, at last under the lock.
        """
        for _attempt in range(MOST_ATTEMPTS):
            change = self._prepare_write(action, id, args, principal, versions)
            with self._custom.refusing_duplicates(), self._site.database.write():
                if self._find(id) == change.row:
                    self.permissions.check(needed_permission(action), change.row, change.args, principal)
                    yield change
                    return
        with self._custom.refusing_duplicates(), self._site.database.write():
            yield self._prepare_write(action, id, args, principal, versions)

    def _prepare_write(
        self, action: str, id: int, args: Arguments, principal: Principal, versions: frozenset[int] | None
    ) -> Change:
        row = self.find_permitted(id, needed_permission(action), args, principal)
        check_version(row, versions)
        if action == UPDATE:
            return self._prepare(UPDATE, args, row, principal)
        self._hooks.before_write(action, self.resource.name, {}, row, principal, self.delete_loader)
        return Change(row, args)

    def _prepare(
        self, action: str, args: Arguments, row: Row | None, principal: Principal, file: object = None
    ) -> Change:
        """Do what takes long and needs no lock: plugins' changes of the values, and what the rules make of these."""
        loader = self.update_loader
        if row is None:
            loader = self.create_loader
        wanted = self._hooks.before_write(action, self.resource.name, args, row, principal, loader)
        check_text_sizes(loader.fields, wanted, self._site.config)
        if wanted != args and row is None:
            self.rules.check_create(wanted, principal)
        elif wanted != args:
            self.rules.check_update(row, wanted, principal)
        return Change(row, wanted, self.rules.prepare(wanted, row, principal, file))

    def _draft(self, change: Change, principal: Principal) -> Draft:
        draft = self.rules.draft(change.args, change.row, principal, change.ready)
        if change.args.get(STRICT) and draft.ignored:
            raise would_be_dropped(draft)
        self._custom.add_columns(draft.columns, change.args, change.row, self._site)
        return draft

    def _finish(self, action: str, id: int, previous: Row | None, principal: Principal) -> Row:
        """Tell plugins of a write, still in its transaction, and return the row as they leave it."""
        row = self._find(id)
        if not self._notifier.is_needed:
            return row
        self._notify(action, row, previous, principal)
        return self._find(id) if self._hooks.changes_written else row

    def _answer(self, row: Row, principal: Principal, context: str = EDIT) -> Item:
        """Return what a write is answered with: what is in the editable form alone is told to those who may read it."""
        wanted = None
        if not self.rules.may_read_editable(principal, row):
            wanted = self._names_in_view
        try:
            return self.serializer.serialize(row, context, principal, wanted=wanted)
        except Exception as error:  # of a plugin: the write is done, and nobody may send it again
            log.error("%s %s is stored, but can't be shown", self.resource.name, row["id"], exc_info=error)
            return Item({"id": row["id"]}, row)

    @cached_property
    def _names_in_view(self) -> frozenset[str]:
        fields = fields_of(self.resource.schema).items()
        return frozenset({"_links", *(name for name, field in fields if set(field.contexts) - {EDIT})})

    def _notify(self, action: str, row: Row | None, previous: Row | None, principal: Principal) -> None:
        if not self._notifier.is_needed:
            return
        old = new = None
        if previous is not None:
            old = self.rules.status_of(previous)
        if row is not None:
            new = self.rules.status_of(row)
        self._notifier.notify(action, self.resource.name, row, previous, principal, old, new)
