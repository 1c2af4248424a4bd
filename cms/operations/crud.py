"""The five operations on the items of a resource, written once for all resources.

What is special about a resource stands in its rules; each operation asks them downwards, and nothing calls back up.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

from cms.access.capabilities import Principal
from cms.errors import ApiError, InvalidParams, NotAllowed
from cms.i18n import _
from cms.media.uploads import OpenUpload
from cms.operations.custom_fields import CustomFields
from cms.operations.linked import LinkedItems
from cms.operations.permissions import CREATE, DELETE, LIST, READ, UPDATE, Permissions
from cms.operations.query import ListQuery
from cms.operations.results import Item, Listing, Row
from cms.operations.rules import AnyRules, Draft
from cms.operations.serialize import ItemSerializer
from cms.operations.services import Services
from cms.schema.fields import EDIT
from cms.schema.resource import Arguments, Resource
from cms.schema.schemas import fields_of, loader_of, writable

TRASH = "trash"
#: The argument of writes that are refused where something sent would be dropped.
STRICT = "_strict"


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
        with self.rules.receive(args, open_upload) as (sent, file), self._site.database.write():
            # Under the lock: what is free when it is looked for must still be free when it is taken.
            wanted = self._hooks.before_write(
                CREATE, self.resource.name, sent, None, principal, self.create_loader
            )
            if wanted != sent:
                self.rules.check_create(wanted, principal)
            draft = self._draft(wanted, None, principal, file)
            id = self.rules.insert(draft, principal)
            self._custom.store(self._site, id, wanted)
            row = self._finish(CREATE, id, None, principal)
        item = self._answer(row, principal, self.rules.context_after_create(principal))
        return self.rules.after_create(replace(item, ignored=draft.dropped))

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
            draft = self._draft(wanted, row, principal)
            self.rules.update(row, draft, principal)
            self._custom.store(self._site, id, wanted)
            changed = self._finish(UPDATE, id, row, principal)
        return replace(self._answer(changed, principal), ignored=draft.dropped)

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
            action = DELETE if args["force"] else TRASH
            self._hooks.before_write(action, self.resource.name, {}, row, principal, self.delete_loader)
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

    def _draft(self, args: Arguments, row: Row | None, principal: Principal, file: object = None) -> Draft:
        draft = self.rules.draft(args, row, principal, file)
        if args.get(STRICT) and draft.ignored:
            raise _would_be_dropped(draft)
        self._custom.add_columns(draft.columns, args, row, self._site.settings.zone)
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
        wanted = None if self.rules.may_read_editable(principal, row) else self._names_in_view
        return self.serializer.serialize(row, context, principal, wanted=wanted)

    @cached_property
    def _names_in_view(self) -> frozenset[str]:
        fields = fields_of(self.resource.schema).items()
        return frozenset({"_links", *(name for name, field in fields if set(field.contexts) - {EDIT})})

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


def _would_be_dropped(draft: Draft) -> InvalidParams:
    faults = {}
    for name, values in draft.ignored.items():
        told = ", ".join(str(value) for value in values)
        faults[name] = _("There is no such thing, or it can't be used here: %(values)s.", values=told)
    return InvalidParams(faults)
