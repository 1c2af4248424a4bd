"""The rules of terms: who may add, change and delete them, and what a write stores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from peewee import SQL

from cms.access.capabilities import Principal
from cms.db import Bound, QueryPlan
from cms.db.expressions import contains, contains_folded, folded_like, published_count
from cms.db.leads import terms_of_item
from cms.db.models import Term, TermRow
from cms.db.peewee_types import Build, Expression
from cms.db.reader import Columns, ColumnValues
from cms.db.stores import ParentFault
from cms.errors import ApiError, NotAllowed
from cms.i18n import _
from cms.operations.permissions import READ
from cms.operations.rules import Draft, ResourceRules, forbidden_context
from cms.operations.services import Services
from cms.rendering.plain import clean_line, sort_key
from cms.rendering.sanitising import sanitize_description
from cms.rendering.slugs import clean_slug, resent_slug, title_slug
from cms.schema.content_types import Taxonomy
from cms.schema.fields import EDIT, EMBED
from cms.schema.resource import Arguments, Resource

#: The slug of a term whose name has nothing that a slug may hold.
LAST_RESORT = "term"


def text_columns(name: str, description: str | None) -> dict[str, str]:
    """Return the columns of a term's name and description, cleaned, with what names sort by."""
    columns = {"name": name, "sort_name": sort_key(name)}
    if description is not None:
        columns["description"] = sanitize_description(description)
    return columns


def wanted_slug(sent: str, name: str) -> str:
    """Return the slug that a term would have if no other had it: the sent one, clean already, else one of its name."""
    return sent or title_slug(name) or LAST_RESORT


class TermRules(ResourceRules[TermRow]):
    """The rules of the terms of one taxonomy."""

    permission_columns = ("id", "taxonomy")
    not_found = ("rest_term_invalid", _("There is no term of this taxonomy with this id."))
    #: The count leaves out what isn't published yet.
    computed_columns = {"count": published_count}
    orders: Mapping[str, Expression] = {
        "id": Term.id,
        "name": Term.sort_name,
        "slug": Term.slug,
        "term_group": Term.id,
        "description": Term.description,
        "count": published_count(),
    }
    refusals = {
        "create": ("rest_cannot_create", _("You may not add terms to this taxonomy.")),
        "update": ("rest_cannot_update", _("You may not change the terms of this taxonomy.")),
        "delete": ("rest_cannot_delete", _("You may not delete this term.")),
    }

    def __init__(self, services: Services, resource: Resource) -> None:
        super().__init__(services, resource)
        self.taxonomy: Taxonomy = services.site.content_registry.taxonomies[resource.name]

    def scope(self) -> Build:
        """Return the condition of the taxonomy's own rows."""
        return lambda: Term.taxonomy == self.taxonomy.name

    # Permissions.

    def may_create(self, principal: Principal) -> bool:
        """Tell whether the principal may add terms."""
        return principal.may(self.taxonomy.create)

    def may_update(self, principal: Principal, row: TermRow) -> bool:
        """Tell whether the principal may change terms."""
        return principal.may(self.taxonomy.manage)

    def may_delete(self, principal: Principal, row: TermRow) -> bool:
        """Tell whether the principal may delete a term; the default one stays."""
        return principal.may(self.taxonomy.manage) and row["id"] != self._default()

    def _default(self) -> int | None:
        option = self.taxonomy.default_option
        return int(self.site.settings[option]) if option else None

    def check_create(self, args: Arguments, principal: Principal) -> None:
        """Raise ApiError for a parent where there are no levels, then to those who may not add terms."""
        self._check_levels(args)
        super().check_create(args, principal)

    def check_update(self, row: TermRow, args: Arguments, principal: Principal) -> None:
        """Raise ApiError for a parent where there are no levels, then to those who may not change terms."""
        self._check_levels(args)
        super().check_update(row, args, principal)

    def _check_levels(self, args: Arguments) -> None:
        if args.get("parent") is not None and not self.taxonomy.hierarchical:
            message = _("Terms of this taxonomy have no parents. Leave it out.")
            raise ApiError("rest_taxonomy_not_hierarchical", message)

    # Visibility.

    def check_list(self, args: Arguments, principal: Principal) -> None:
        """Raise NotAllowed for the editable form to those who don't manage terms."""
        if args["context"] == EDIT and not principal.may(self.taxonomy.manage):
            raise forbidden_context(principal)

    def check_read(self, row: TermRow, args: Arguments, principal: Principal) -> None:
        """Raise NotAllowed for the editable form to those who may not change the term."""
        if args["context"] == EDIT and not self.may_read_editable(principal, row):
            raise forbidden_context(principal)

    def may_read_editable(self, principal: Principal, row: TermRow) -> bool:
        """Tell whether the principal may change the term."""
        return self.may_update(principal, row)

    def filter_list(self, plan: QueryPlan, args: Arguments, principal: Principal) -> None:
        """Add search, the terms of one item, and whether empty terms show."""
        if args.get("search"):
            plan.where("search", _search, search=folded_like(args["search"]))
        if args["hide_empty"]:
            is_any, count = self._count()
            plan.where(("hide_empty", is_any), partial(_is_used, count))
        if args.get("post"):
            self._check_item(args["post"], principal)
            plan.look_in("post", terms_of_item("post"), post=args["post"])

    def order(self, plan: QueryPlan, args: Arguments) -> bool:
        """Order by counts as they are stored where that is right, so that an index has them in order."""
        if args["orderby"] != "count":
            return False
        is_any, count = self._count()
        for key, column in ((("count", is_any), count), ("then by id", Term.id)):
            plan.order((key, args["order"]), getattr(column, args["order"]))
        return True

    def _count(self) -> tuple[bool, Expression]:
        """Return whether anything is scheduled, and with that what the published items of a term are counted by."""
        now = self.site.now()
        is_any = self.site.cache.get_or_load(
            "is scheduled", now, lambda: self._next_publication(now) is not None
        )
        return is_any, published_count() if is_any else Term.count

    def _next_publication(self, now: str) -> str | None:
        return self.site.stores.content.next_publication(tuple(self.site.content_registry.types), now)

    def _check_item(self, id: int, principal: Principal) -> None:
        row = self.site.stores.content.with_parents([id]).get(id)
        if row is None:
            message = _("There is no item with the id %(id)s.", id=id)
            raise ApiError("rest_post_invalid_id", message)
        is_grouped = row["type"] in self.taxonomy.types
        if not is_grouped or not self._may_read_item(id, row["type"], principal):
            message = _("You may not read the item whose terms you ask for.")
            raise NotAllowed(principal, "rest_forbidden_context", message)

    def _may_read_item(self, id: int, type: str, principal: Principal) -> bool:
        find_permitted = self.services.finders.get(type)
        if find_permitted is None:
            return False
        try:
            find_permitted(id, READ, {"context": EMBED}, principal)
        except ApiError:
            return False
        return True

    def linked(self, argument: str, ids: Sequence[int]) -> list[tuple[int, int]] | None:
        """Return pairs of item and term for the terms of several items."""
        if argument == "post":
            return self.site.stores.terms.links(ids, self.taxonomy.name)
        return None

    # Writing.

    def prepare(self, args: Arguments, row: TermRow | None, principal: Principal, file: object) -> Columns:
        """Return the column of the description, sanitised."""
        if "description" in args:
            return {"description": self.site.own_files.store(sanitize_description(args["description"]))}
        return {}

    def draft(
        self, args: Arguments, row: TermRow | None, principal: Principal, ready: Columns | None = None
    ) -> Draft:
        """Return the columns of a write; raises ApiError for what can't be stored."""
        columns = self.prepare(args, row, principal, None) if ready is None else dict(ready)
        if args.get("parent") is not None:
            columns["parent_id"] = self._parent(args["parent"], row)
        if "name" in args:
            columns |= text_columns(_name(args["name"]), None)
        if row is None:
            return Draft({"taxonomy": self.taxonomy.name, **columns, "slug": self._new_slug(args, columns)})
        if args.get("slug") is not None:
            columns["slug"] = self._changed_slug(args["slug"], row, columns)
        is_loop = args.get("parent") and columns.get("parent_id") == 0
        return Draft(columns, ignored={"parent": [args["parent"]]} if is_loop else {})

    def _parent(self, sent: int, row: TermRow | None) -> int:
        if sent == 0:
            return 0
        id, scope = 0 if row is None else row["id"], {"taxonomy": self.taxonomy.name}
        fault = self.site.stores.hierarchy.find_fault("terms", id, sent, scope)
        if fault is ParentFault.MISSING:
            raise ApiError("rest_term_invalid", _("There is no term %(id)s to be the parent.", id=sent))
        return 0 if fault is ParentFault.LOOP else sent

    def _new_slug(self, args: Arguments, columns: ColumnValues) -> str:
        name, parent = columns.get("name", ""), columns.get("parent_id", 0)
        sent = clean_slug(args["slug"]) if args.get("slug") else ""
        self._refuse_namesake(name, parent, sent)
        return self._free_slug(wanted_slug(sent, name), parent)

    def _changed_slug(self, sent: str, row: TermRow, columns: ColumnValues) -> str:
        slug = resent_slug(sent, row["slug"])
        if not slug:
            wanted = wanted_slug("", columns.get("name", row["name"]))
            return self._free_slug(wanted, columns.get("parent_id", row["parent_id"]), row["id"])
        if self.site.stores.slugs.has_term(slug, self.taxonomy.name, row["id"]):
            message = _("The slug %(slug)s belongs to another term.", slug=slug)
            raise ApiError("duplicate_term_slug", message)
        return slug

    def _free_slug(self, wanted: str, parent: int, id: int = 0) -> str:
        """Return a slug that no other term has: with that of the parent behind it before there are numbers."""
        slugs, taxonomy = self.site.stores.slugs, self.taxonomy.name
        if parent and slugs.has_term(wanted, taxonomy, id):
            above = self.site.stores.terms.find(parent)
            if above is not None:
                return slugs.free_term(f"{wanted}-{above['slug']}", taxonomy, id)
        return slugs.free_term(wanted, taxonomy, id)

    def _refuse_namesake(self, name: str, parent: int, slug: str) -> None:
        """Refuse a new term named as a sibling, unless it brings a slug that makes it another one."""
        siblings_of = parent if self.taxonomy.hierarchical else None
        other = self.site.stores.terms.find_namesake(self.taxonomy.name, name, siblings_of, slug)
        if other is not None:
            message = _("There is a term with this name already. Give the new one a slug of its own.")
            raise ApiError("term_exists", message, 400, term_id=other)

    def delete(self, row: TermRow, args: Arguments, principal: Principal) -> None:
        """Delete a term: its children go up one level, and items are left with the default term rather than none."""
        self.site.stores.terms.lift_children(row)
        self.site.stores.terms.take_from_items(row, self._default())
        super().delete(row, args, principal)


def _is_used(count: Expression) -> Expression:
    used = Term.count > SQL("0")  # written out, for the index that holds no others
    return used if count is Term.count else used & (count > 0)


def _name(sent: str) -> str:
    name = clean_line(sent)
    if not name:
        raise ApiError("empty_term_name", _("A term needs a name of more than space and markup."))
    return name


def _search() -> Expression:
    place = Bound("search")
    return contains(Term.sort_name, place) | contains_folded(Term.slug, place)
