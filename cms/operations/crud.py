"""The five operations on the items of a resource, written once for all resources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cms.access.capabilities import Principal
from cms.errors import ApiError, NotAllowed
from cms.i18n import Text, _
from cms.media.uploads import OpenUpload
from cms.operations.serialize import Presentation
from cms.schema.fields import EDIT
from cms.schema.meta import changed_meta
from cms.schema.resource import Arguments, Item, Listing, Resource, SerializationContext
from cms.schema.schemas import Loader, fields_of, loader_of, writable

if TYPE_CHECKING:
    from cms.site import Site


class Operations(Presentation):
    """The five operations on the items of a resource, for one site.

    A resource says what is special about it by overriding the questions (`may_…`), the checks and the values of
    a write; the operations themselves stay as they are here.
    """

    #: Code of the refusal of an id on creation; empty where it is passed over.
    exists_code = ""
    #: Code of the refusal of a page past the end; empty where that is an empty page.
    page_limit_code = ""
    #: Whether an offset tells on which page of the list one is, as it does for terms and accounts.
    offset_counts_pages = True
    #: Whether a list whose offset lies past its end still tells its total.
    counts_past_offset = True
    #: Code and message where the principal lacks the right to create, update or delete.
    refusals: Mapping[str, tuple[str, Text]] = {
        "create": ("rest_cannot_create", _("You may not create this.")),
        "update": ("rest_cannot_edit", _("You may not edit this.")),
        "delete": ("rest_cannot_delete", _("You may not delete this.")),
    }

    def __init__(self, site: Site, resource: Resource) -> None:
        super().__init__(site, resource)
        self.get_loader = loader_of(resource.get_args)
        self.create_args = writable(resource.schema, creating=True)
        self.update_args = writable(resource.schema, creating=False)
        self.create_loader = loader_of(self.create_args)
        self.update_loader = loader_of(self.update_args)
        self.delete_loader = loader_of(resource.delete_args)
        #: Fields that were added to the resource, whose values it doesn't know how to write.
        self._added = {name: field for name, field in fields_of(resource.schema).items() if field.added}
        self._in_meta = {name: field for name, field in self._added.items() if field.in_meta}

    # Questions that a resource answers.

    def may_create(self, principal: Principal) -> bool:
        """Tell whether the principal may create items."""
        return False

    def may_update(self, principal: Principal, row: Any) -> bool:
        """Tell whether the principal may change this item."""
        return False

    def may_delete(self, principal: Principal, row: Any) -> bool:
        """Tell whether the principal may delete this item."""
        return False

    def admit(self, action: str, principal: Principal, row: Any = None) -> None:
        """Refuse what a plugin objects to; what it hides can't be changed either."""
        if self.site.hooks.check_permission is None:
            return
        if row is not None:
            for error in self.hidden([row], principal).values():
                raise error
        if action != "read":
            self.site.hooks.admit(principal, action, self.resource.name, row)

    def _permits(self, action: str, principal: Principal, row: Any = None) -> bool:
        try:
            self.admit(action, principal, row)
        except ApiError:
            return False
        return True

    def allowed(self, principal: Principal, row: Any = None) -> tuple[str, ...]:
        """Return the methods that the principal may use on an item, or on the collection."""
        if row is None:
            return (
                ("GET", "POST")
                if self.may_create(principal) and self._permits("create", principal)
                else ("GET",)
            )
        changes = self.may_update(principal, row) and self._permits("update", principal, row)
        removes = self.may_delete(principal, row) and self._permits("delete", principal, row)
        return ("GET", *(("POST", "PUT", "PATCH") if changes else ()), *(("DELETE",) if removes else ()))

    def allowed_after(self, principal: Principal, row: Any) -> tuple[str, ...]:
        """Return the methods after a change, whose answer is the editable form: GET where that may be read."""
        try:
            self.require_read(row, {"context": EDIT}, principal)
        except ApiError:
            return self.allowed(principal, row)[1:]
        return self.allowed(principal, row)

    def may_list_editable(self, principal: Principal) -> bool:
        """Tell whether the principal may list items in their editable form."""
        try:
            self.check_list(self.list_loader.load({"context": EDIT}), principal)
            self.admit("list", principal)
        except ApiError:
            return False
        return True

    def check_create(self, args: Arguments, principal: Principal) -> None:
        """Refuse a creation that the principal may not ask for."""
        if not self.may_create(principal):
            raise NotAllowed(principal, *self.refusals["create"])

    def check_update(self, row: Any, args: Arguments, principal: Principal) -> None:
        """Refuse a change that the principal may not ask for."""
        if not self.may_update(principal, row):
            raise NotAllowed(principal, *self.refusals["update"])

    def check_delete(self, row: Any, args: Arguments, principal: Principal) -> None:
        """Refuse a deletion that the principal may not ask for."""
        if not self.may_delete(principal, row):
            raise NotAllowed(principal, *self.refusals["delete"])

    def check_version(self, row: Any, versions: frozenset[int] | None) -> None:
        """Refuse to change an item that somebody else has changed since it was read."""
        if versions is not None and row["version"] not in versions:
            message = _(
                "Somebody has changed this since you read it. Read it again, then repeat your change."
            )
            raise ApiError("rest_precondition_failed", message, 412)

    def check_list(self, args: Arguments, principal: Principal) -> None:
        """Refuse lists that the principal may not ask for."""

    def require_read(self, row: Any, args: Arguments, principal: Principal) -> None:
        """Refuse what the principal may not read, then what a plugin hides."""
        self.check_read(row, args, principal)
        self.admit("read", principal, row)

    # The operations.

    def list(self, args: Arguments, principal: Principal) -> Listing:
        """Return a page of the items that match."""
        self.check_list(args, principal)
        if self.resource.edit_only_arguments:
            self._check_edit_only_arguments(args, principal)
        self.admit("list", principal)
        now = self.site.now()
        plan = self.plan(args, principal, now)
        per_page, number, offset = args["per_page"], args["page"], args.get("offset")
        if offset is not None and self.offset_counts_pages:
            number = -(-offset // per_page) + 1
        start = (number - 1) * per_page if offset is None else offset
        serializer = self.serializer(args["context"], args.get("_fields"))
        rows = self._rows(plan, serializer, per_page, start)
        past = not rows and offset is not None and not self.counts_past_offset
        total = 0 if past else self._total(plan, now)
        pages = -(-total // per_page)
        if not rows and total and number > pages and self.page_limit_code:
            message = _("There are only %(pages)s pages. Ask for one of these.", pages=pages)
            raise ApiError(self.page_limit_code, message)
        page = SerializationContext(
            self.site, principal, args["context"], rows, now, wanted=args.get("_fields")
        )
        return Listing(self.show(page, serializer), total, pages, number, number < pages and offset is None)

    def get(self, id: int, args: Arguments, principal: Principal) -> Item:
        """Return one item."""
        row = self.find(id)
        opened = args["context"] != EDIT and self.site.hooks.opens(self.resource.name, row, args, principal)
        if opened:
            self.admit("read", principal, row)
        else:
            self.require_read(row, args, principal)
        unlocked = opened or self.unlocks(row, args)
        item = self.shown(row, args["context"], principal, unlocked=unlocked, wanted=args.get("_fields"))
        return replace(item, opened=True) if opened else item

    def create(self, args: Arguments, principal: Principal, open_upload: OpenUpload | None = None) -> Item:
        """Store a new item and return it in its editable form; `receive` gives the file that it is made of."""
        self.check_create(args, principal)
        self.admit("create", principal)
        with self.site.database.write():
            # Under the lock: what is free when it is looked for must still be free when it is taken.
            wanted = self.prepare_write("create", args, None, principal, self.create_loader)
            if wanted != args:
                self.check_create(wanted, principal)
            id = self.insert(self.written(wanted, None, principal), principal)
            self.store_custom_fields(id, wanted)
            row = self.finish_write("create", self.find(id), None, principal)
        return self.shown(row, self.context_after_create(principal), principal)

    def update(
        self, id: int, args: Arguments, principal: Principal, versions: frozenset[int] | None = None
    ) -> Item:
        """Change an item and return it in its editable form; `versions` are the only ones it may be changed from."""
        with self.site.database.write():
            row = self.find(id)
            self.check_update(row, args, principal)
            self.admit("update", principal, row)
            self.check_version(row, versions)
            wanted = self.prepare_write("update", args, row, principal, self.update_loader)
            if wanted != args:
                self.check_update(row, wanted, principal)
            self.modify(row, self.written(wanted, row, principal), principal)
            self.store_custom_fields(id, wanted)
            changed = self.finish_write("update", self.find(id), row, principal)
        return self.shown(changed, EDIT, principal)

    def delete(
        self, id: int, args: Arguments, principal: Principal, versions: frozenset[int] | None = None
    ) -> Item:
        """Move an item to the trash, or remove it for good where there is none or `force` asks for it."""
        with self.site.database.write():
            row = self.find(id)
            self.check_delete(row, args, principal)
            self.admit("delete", principal, row)
            self.check_version(row, versions)
            self.prepare_write("delete" if args["force"] else "trash", {}, row, principal, self.delete_loader)
            if not args["force"]:
                item = self.trash(row, principal)
                changed = self.finish_write("trash", item.row, row, principal)
                return item if changed is item.row else self.shown(changed, EDIT, principal)
            previous = self.shown(row, EDIT, principal).data
            self.remove(row, args, principal)
            self.finish_write("delete", None, row, principal)
        return Item({"deleted": True, "previous": {k: v for k, v in previous.items() if k != "_links"}}, None)

    def prepare_write(
        self, action: str, args: Arguments, row: Any, principal: Principal, loader: Loader
    ) -> dict[str, Any]:
        """Return the arguments of a write as plugins want them."""
        return self.site.write_hooks.before(action, self.resource.name, args, row, principal, loader)

    def finish_write(self, action: str, row: Any, previous: Any, principal: Principal) -> Any:
        """Tell plugins of a write, still in its transaction, and return the row as they leave it."""
        changes = self.site.write_hooks
        if not changes.watched:
            return row
        states = (None if each is None else self.status_of(each) for each in (previous, row))
        changes.after(action, self.resource.name, row, previous, principal, *states)
        return self.find(row["id"]) if row is not None and changes.after_write else row

    # Steps of the operations that a resource may do its own way.

    def values(self, args: dict[str, Any], row: Any, principal: Principal) -> dict[str, Any]:
        """Check sent values one by one and return what to store, by column; `row` is None for a new item."""
        columns = self.model._meta.fields
        return {name: value for name, value in args.items() if name in columns and name not in self._added}

    def insert(self, values: dict[str, Any], principal: Principal) -> int:
        """Store a new row and return its id."""
        return int(self.site.database.run(self.model.insert(values)))

    def modify(self, row: Any, values: dict[str, Any], principal: Principal) -> None:
        """Store changed columns and raise the row's version."""
        changes = {**values, "version": self.model.version + 1}
        self.site.database.run(self.model.update(changes).where(self.model.id == row["id"]))

    def trash(self, row: Any, principal: Principal) -> Item:
        """Refuse, or move to the trash where the resource has one."""
        message = _("This can't be moved to a trash. Send force=true to delete it for good.")
        raise ApiError("rest_trash_not_supported", message, 501)

    def remove(self, row: Any, args: Arguments, principal: Principal) -> None:
        """Delete a row for good."""
        self.site.database.run(self.model.delete().where(self.model.id == row["id"]))

    def context_after_create(self, principal: Principal) -> str:
        """Return the form in which a new item is answered."""
        return EDIT

    # What the operations share.

    def written(self, args: Arguments, row: Any, principal: Principal) -> dict[str, Any]:
        """Return what to store, by column: the resource's own values, and those of fields that were added to it."""
        if not self._added:
            return self.values(dict(args), row, principal)
        direct = {
            field.column: args[name]
            for name, field in self._added.items()
            if field.column and name in args and not field.dump_only
        }
        return {
            **self.values(dict(args), row, principal),
            **direct,
            **changed_meta(self._in_meta, args, row, self.site.settings.zone),
        }

    def store_custom_fields(self, id: int, args: Arguments) -> None:
        """Let plugins store the values of their fields, inside the transaction of the write."""
        for name, field in self._added.items():
            if field.store and name in args:
                field.store(self.site, id, args[name])

    def _check_edit_only_arguments(self, args: Arguments, principal: Principal) -> None:
        """Refuse to filter or order by what only the editable form shows, unless that form is asked for."""
        asked = [
            name
            for name in sorted(self.resource.edit_only_arguments)
            if args.get(name) not in (None, []) or args.get("orderby") == name
        ]
        if asked and args["context"] != EDIT:
            message = _("These need context=edit: %(names)s.", names=", ".join(asked))
            raise NotAllowed(principal, "rest_forbidden_param", message)
