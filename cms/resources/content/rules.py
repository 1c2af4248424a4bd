"""The rules of content: who may read, write, trash and delete the items of a type, and what lists of them have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from cms.access.capabilities import Principal
from cms.access.conditions import Always
from cms.dates import to_gmt
from cms.db import Bound, QueryPlan
from cms.db.expressions import effective_status, of_type
from cms.db.models import Content, ContentRow
from cms.db.peewee_types import Build, Expression
from cms.db.reader import Columns
from cms.db.search import add_search, order_by_relevance
from cms.errors import ApiError, InvalidParams, NotAllowed
from cms.i18n import _
from cms.operations.rules import Draft, ResourceRules, already_trashed, forbidden_context
from cms.operations.services import Services
from cms.rendering.slugs import mark_trashed
from cms.resources.content.drafts import TERMS, ContentDrafts
from cms.resources.content.finding import VISIBLE, count_by_kept_numbers, find_by_index
from cms.resources.content.list_args import check_order
from cms.resources.content.plugin_visibility import filter_items, hidden_items
from cms.resources.content.revisions import keep_revision
from cms.resources.content.tree import lift_children
from cms.resources.content.unlocking import password_matches, try_password
from cms.schema.content_types import ContentType
from cms.schema.fields import EDIT
from cms.schema.resource import Arguments, Resource

NOT_FOUND = ("rest_post_invalid_id", _("There is no item of this type with this id."))
PERMISSION_COLUMNS = ("id", "type", "status", "author_id", "date_gmt", "trashed_status")
ORDERS: Mapping[str, Expression] = {
    "author": Content.author_id,
    "date": Content.date_gmt,
    "id": Content.id,
    "modified": Content.modified_gmt,
    "parent": Content.parent_id,
    "slug": Content.slug,
    "title": Content.sort_title,
    "menu_order": Content.menu_order,
}


class ContentRules(ResourceRules[ContentRow]):
    """The rules of one type of content."""

    permission_columns = PERMISSION_COLUMNS
    not_found = NOT_FOUND
    exists_code = "rest_post_exists"
    page_limit_code = "rest_post_invalid_page_number"
    offset_counts_pages = False
    counts_past_offset = False
    orders = ORDERS

    def __init__(self, services: Services, resource: Resource) -> None:
        super().__init__(services, resource)
        self.type: ContentType = services.site.content_registry.types[resource.name]
        self.policy = self.type.policy
        self.drafts = ContentDrafts(services, self.type)
        #: Statuses that everybody may ask for.
        self.open_statuses: Sequence[str] = sorted(self.policy.public)

    def scope(self) -> Build:
        """Return the condition of the type's own rows."""
        return lambda: of_type(self.type.name)

    # Permissions.

    def may_create(self, principal: Principal) -> bool:
        """Tell whether the principal may write items."""
        return self.policy.may_create(principal)

    def may_update(self, principal: Principal, row: ContentRow) -> bool:
        """Tell whether the principal may change this item."""
        return self.policy.may_edit(principal, row)

    def may_delete(self, principal: Principal, row: ContentRow) -> bool:
        """Tell whether the principal may trash or delete this item."""
        return self.policy.may_delete(principal, row)

    def check_create(self, args: Arguments, principal: Principal) -> None:
        """Raise NotAllowed for another's name or a pin without the capability, then without that to write at all."""
        self.check_claims(args, principal)
        super().check_create(args, principal)

    def check_update(self, row: ContentRow, args: Arguments, principal: Principal) -> None:
        """Raise NotAllowed without the capability to edit at all, then to give away or to pin."""
        super().check_update(row, args, principal)
        self.check_claims(args, principal)

    def check_claims(self, args: Arguments, principal: Principal) -> None:
        """Raise NotAllowed for another's name or a pin without the capability."""
        edits_others = self.policy.may_edit_others(principal)
        if args.get("author") and args["author"] != principal.id and not edits_others:
            message = _("You may not write in the name of others.")
            raise NotAllowed(principal, "rest_cannot_edit_others", message)
        if args.get("sticky") and not (edits_others or self.policy.may_publish(principal)):
            message = _("You may not pin items to the front.")
            raise NotAllowed(principal, "rest_cannot_assign_sticky", message)

    # Visibility.

    def check_list(self, args: Arguments, principal: Principal, may_create: bool | None = None) -> None:
        """Raise ApiError for the editable form and unpublished statuses to readers, and orders that lack their list.

        `may_create` tells who isn't a reader, where that isn't whoever may write items.
        """
        if may_create is None:
            may_create = self.may_create(principal)
        if args["context"] == EDIT and not may_create:
            raise forbidden_context(principal)
        unpublished = [status for status in self._statuses(args) if status not in self.open_statuses]
        if unpublished and not may_create:
            states = ", ".join(unpublished)
            message = _("These states are shown to those who may edit: %(states)s.", states=states)
            raise InvalidParams({"status": message})
        check_order(args)

    def check_read(self, row: ContentRow, args: Arguments, principal: Principal) -> None:
        """Raise ApiError where the principal may not read the item, then for a password that doesn't fit."""
        if args["context"] == EDIT and not self.may_read_editable(principal, row):
            raise forbidden_context(principal)
        if not self.services.visibility.may_read(principal, row, self.site.now()):
            raise NotAllowed(principal, "rest_forbidden", _("You may not read this."))
        if args.get("password") and not try_password(self.site, row, args["password"], principal):
            raise ApiError("rest_post_incorrect_password", _("This isn't the item's password."), 403)

    def may_read_editable(self, principal: Principal, row: ContentRow) -> bool:
        """Tell whether the principal may change the item."""
        return self.may_update(principal, row)

    def filter_list(self, plan: QueryPlan, args: Arguments, principal: Principal) -> None:
        """Show what has the wanted statuses and may be read (or edited), and add search and dates."""
        statuses = self._statuses(args)
        visible, builds = self.services.visibility.alternatives(self.type, principal, statuses)
        plan.where_one_of((VISIBLE, visible), builds)
        if args["context"] == EDIT:
            editable = self.policy.editable(principal)
            if editable != Always(True):
                plan.where(("editable", editable.key), editable.sql)
        if args.get("after"):
            after = to_gmt(args["after"], self.site.settings.zone)
            plan.where("after", lambda: Content.date_gmt > Bound("after"), after=after)
        if args.get("before"):
            before = to_gmt(args["before"], self.site.settings.zone)
            plan.where("before", lambda: Content.date_gmt < Bound("before"), before=before)
        if args.get("search"):
            add_search(plan, args["search"], self.site.config["search_mode"], self.site.stores.search)
        find_by_index(self.services, self.type, plan, args, statuses)
        names = self.resource.protected_arguments
        if args.get("search") or any(args.get(name) not in (None, []) for name in names):
            self._leave_out_locked(plan, principal)

    def _leave_out_locked(self, plan: QueryPlan, principal: Principal) -> None:
        """Narrow a list to items whose texts the principal may read: without a password, or theirs to edit."""
        editable = self.policy.editable(principal)
        plan.where(("unlocked", editable.key), lambda: (Content.password == "") | editable.sql())

    def filter_by_plugins(self, plan: QueryPlan, args: Arguments, principal: Principal) -> None:
        """Narrow a list to items that plugins don't hide, themselves or what they are attached to."""
        filter_items(self.services, self.type, plan, args, principal)

    def hidden_by_plugins(self, rows: Sequence[ContentRow], principal: Principal) -> dict[int, ApiError]:
        """Return which items plugins hide, themselves or what they are attached to."""
        return hidden_items(self.services, rows, principal)

    def order(self, plan: QueryPlan, args: Arguments) -> bool:
        """Order by relevance where that is asked for."""
        if args["orderby"] != "relevance":
            return False
        order_by_relevance(plan, args["search"], self.site.config["search_mode"], self.site.stores.search)
        plan.order("then by date", lambda: Content.date_gmt.desc())
        plan.order("then by id", lambda: Content.id.desc())
        return True

    def total_by_numbers(self, plan: QueryPlan, args: Arguments, principal: Principal) -> None:
        """Give a list the total that is kept, where it is one that is."""
        if type(self).scope is ContentRules.scope:  # numbers are kept of whole types
            count_by_kept_numbers(self.services, self.type, plan, args, self._statuses(args), principal)

    def _statuses(self, args: Arguments) -> list[str]:
        wanted = args["status"] if isinstance(args["status"], list) else [args["status"]]
        if "any" in wanted:
            wanted = [*wanted, *self.site.content_registry.writable]
        return [status for status in wanted if status != "any"] or ["publish"]

    # Serialization.

    def is_unlocked(self, row: ContentRow, args: Arguments) -> bool:
        """Tell whether the right password was sent."""
        return password_matches(row, args.get("password"))

    def status_of(self, row: ContentRow) -> str:
        """Return the status that an item is shown with."""
        return effective_status(row, self.site.now())

    # Writing.

    def before_change(self, row: ContentRow) -> None:
        """Tell of a publication that is due before the item is something else."""
        self.services.publications.catch_up(row["id"])

    def prepare(self, args: Arguments, row: ContentRow | None, principal: Principal, file: object) -> Columns:
        """Return the columns of the texts, sanitised and rendered."""
        return self.drafts.texts(args, row, principal)

    def draft(
        self, args: Arguments, row: ContentRow | None, principal: Principal, ready: Columns | None = None
    ) -> Draft:
        """Return the columns of a write and the item's terms; raises ApiError for what can't be stored."""
        status = self.drafts.chosen_status(args, row, principal)
        return self.drafts.build(args, row, principal, status, ready)

    def insert(self, draft: Draft, principal: Principal) -> int:
        """Store a new item with its terms; a published one always gets a slug."""
        columns = draft.columns
        id = super().insert(draft, principal)
        if not columns["slug"] and columns["status"] not in self.site.content_registry.floating:
            self.site.stores.content.set_slug(id, str(id))
        self.site.stores.terms.add_to_item(id, set(chain(*draft.related.get(TERMS, {}).values())))
        return id

    def update(self, row: ContentRow, draft: Draft, principal: Principal) -> None:
        """Store changed columns and terms, and keep a revision."""
        columns, floating = draft.columns, self.site.content_registry.floating
        if "slug" in columns and not columns["slug"] and columns["status"] not in floating:
            columns["slug"] = str(row["id"])
        super().update(row, draft, principal)
        self.site.stores.terms.set_for_item(row["id"], draft.related.get(TERMS, {}))
        keep_revision(self.site, {**row, **columns}, principal)

    def trash(self, row: ContentRow, principal: Principal) -> None:
        """Move an item to the trash: its slug is marked and free for others, it is no longer sticky.

        Raises ApiError where it is there already.
        """
        if row["status"] == "trash":
            raise already_trashed()
        now = self.site.now()
        columns = {
            "status": "trash",
            "slug": mark_trashed(row["slug"]),
            "is_sticky": False,
            "modified_gmt": now,
            "trashed_status": row["status"],
            "trashed_gmt": now,
        }
        self.site.stores.items.update(self.resource.table, row["id"], columns)

    def delete(self, row: ContentRow, args: Arguments, principal: Principal) -> None:
        """Delete an item with all that is its own; what was below it goes up to its parent."""
        self.site.stores.content.delete_dependents(row["id"])
        super().delete(row, args, principal)
        lift_children(self.site, row)
