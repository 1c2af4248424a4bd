"""Categories, tags and the terms of every other taxonomy."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from peewee import SQL, fn

from cms.access.capabilities import Principal
from cms.db import Bound, QueryPlan
from cms.db.models import Content, ContentTerm, Term
from cms.db.search import contains, like
from cms.errors import ApiError, NotAllowed
from cms.i18n import _
from cms.operations.crud import Operations
from cms.operations.hierarchy import is_ancestor_or_self
from cms.operations.slugs import clean_slug, free_slug, taken_slugs
from cms.operations.visibility import ITEMS, may_read
from cms.rendering.plain import clean_line, encode_slug, sort_key
from cms.rendering.sanitising import sanitize_description
from cms.resources.content.operations import forbidden_context
from cms.resources.content.plugin_visibility import hidden_items
from cms.resources.content.schema import slug_filter
from cms.schema.content_types import Taxonomy
from cms.schema.fields import ALWAYS, EDIT, NEVER, VIEW_EDIT, Boolean, Ids, Integer, Object, String
from cms.schema.resource import Arguments, Link, Resource, SerializationContext, SerializedItems
from cms.schema.schemas import PAGING, ArgumentSchema, ContextArgs, ItemSchema


def published_count() -> Any:
    """Build the number of a term's published items: the kept count less the few whose date lies ahead."""
    ahead = (
        ContentTerm.select(fn.COUNT(SQL("*")))
        .join(Content, on=(Content.id == ContentTerm.content_id))
        .where(ContentTerm.term_id == Term.id, Content.status == "publish", Content.date_gmt > Bound("now"))
    )
    return Term.count - ahead


def _link(row: Any, page: SerializationContext) -> str:
    return f"{page.site.url}/{page.site.content_registry.taxonomies[row['taxonomy']].base}/{encode_slug(row['slug'])}/"


class TermSchema(ItemSchema):
    """The fields of a term."""

    id = Integer(_("Number that identifies the term."), ALWAYS, readonly=True)
    count = Integer(_("How many published items have the term."), VIEW_EDIT, readonly=True)
    description = String(_("What the term is for; HTML."), VIEW_EDIT, null="")
    link = String(
        _("Where a front end lists the term's items."),
        ALWAYS,
        readonly=True,
        format="uri",
        columns=("taxonomy", "slug"),
        read=_link,
    )
    name = String(_("The term's name; HTML."), ALWAYS, required=True, null="")
    slug = String(
        _("Name of the term in addresses, unique in its taxonomy."),
        ALWAYS,
        columns=("slug",),
        read=lambda row, page: encode_slug(row["slug"]),
    )
    taxonomy = String(_("The taxonomy that the term belongs to."), ALWAYS, readonly=True)


class HierarchicalTermSchema(TermSchema):
    """The fields of a term of a taxonomy with levels."""

    parent = Integer(_("Id of the term above; 0 for none."), VIEW_EDIT, column="parent_id")
    meta = Object(
        _("Further values that plugins have declared."), VIEW_EDIT, columns=(), read=lambda row, page: {}
    )


class FlatTermSchema(TermSchema):
    """The fields of a term of a taxonomy without levels."""

    parent = Integer(_("Always refused: these terms have no levels."), NEVER, hidden=True)
    meta = Object(
        _("Further values that plugins have declared."), VIEW_EDIT, columns=(), read=lambda row, page: {}
    )


ORDERS = ("id", "include", "name", "slug", "include_slugs", "term_group", "description", "count")


def list_fields() -> dict[str, Any]:
    """Return the arguments that lists of terms take."""
    return {
        "context": ContextArgs._declared_fields["context"],
        **PAGING,
        "search": String(_("Only terms whose name or slug hold this.")),
        "exclude": Ids(_("All terms but these."), default=[], where=Term.id.not_in),
        "include": Ids(_("Only these terms."), default=[], where=Term.id.in_),
        "order": String(_("Whether the list ascends or descends."), enum=("asc", "desc"), default="asc"),
        "orderby": String(_("What the list is ordered by."), enum=ORDERS, default="name"),
        "hide_empty": Boolean(_("Whether to leave out terms that no published item has."), default=False),
        "post": Integer(_("Only the terms of this item.")),
        "slug": slug_filter(Term.slug.in_),
    }


class HierarchicalTermListArgs(ArgumentSchema):
    """The arguments of the list of a taxonomy with levels."""

    locals().update(list_fields())
    parent = Integer(_("Only terms right below this one."), where=Term.parent_id.__eq__)


class FlatTermListArgs(ArgumentSchema):
    """The arguments of the list of a taxonomy without levels."""

    locals().update(list_fields())
    offset = Integer(_("How many terms of the whole list to skip."), minimum=0)


class TermOperations(Operations):
    """The operations on the terms of one taxonomy."""

    always = ("id", "taxonomy")
    not_found = ("rest_term_invalid", _("There is no term of this taxonomy with this id."))
    orders: Mapping[str, Callable[[], Any]] = {
        "id": lambda: Term.id,
        "name": lambda: Term.sort_name,
        "slug": lambda: Term.slug,
        "term_group": lambda: Term.id,
        "description": lambda: Term.description,
        "count": published_count,
    }

    refusals = {
        "create": ("rest_cannot_create", _("You may not add terms to this taxonomy.")),
        "update": ("rest_cannot_update", _("You may not change the terms of this taxonomy.")),
        "delete": ("rest_cannot_delete", _("You may not delete this term.")),
    }

    @property
    def taxonomy(self) -> Taxonomy:
        """The taxonomy whose terms these are."""
        return self.site.content_registry.taxonomies[self.resource.name]

    def scope(self) -> tuple[Hashable, Any]:
        """Return the taxonomy's own rows."""
        return self.resource.name, Term.taxonomy == self.resource.name

    def column(self, name: str) -> Any:
        """Return a column; the count leaves out what isn't published yet."""
        return published_count().alias("count") if name == "count" else super().column(name)

    def may_create(self, principal: Principal) -> bool:
        """Tell whether the principal may add terms."""
        return principal.may(self.taxonomy.create)

    def may_update(self, principal: Principal, row: Any) -> bool:
        """Tell whether the principal may change terms."""
        return principal.may(self.taxonomy.manage)

    def may_delete(self, principal: Principal, row: Any) -> bool:
        """Tell whether the principal may delete a term; the default one stays."""
        return principal.may(self.taxonomy.manage) and row["id"] != self._default()

    def _default(self) -> int | None:
        option = self.taxonomy.default_option
        return int(self.site.settings[option]) if option else None

    def check_create(self, args: Arguments, principal: Principal) -> None:
        """Refuse a parent where there are no levels, then those who may not add terms."""
        self._check_levels(args)
        super().check_create(args, principal)

    def check_update(self, row: Any, args: Arguments, principal: Principal) -> None:
        """Refuse a parent where there are no levels, then those who may not change terms."""
        self._check_levels(args)
        super().check_update(row, args, principal)

    def _check_levels(self, args: Arguments) -> None:
        if args.get("parent") is not None and not self.taxonomy.hierarchical:
            message = _("Terms of this taxonomy have no parents. Leave it out.")
            raise ApiError("rest_taxonomy_not_hierarchical", message)

    def check_list(self, args: Arguments, principal: Principal) -> None:
        """Refuse the editable form to those who don't manage terms."""
        if args["context"] == EDIT and not principal.may(self.taxonomy.manage):
            raise forbidden_context(principal)

    def check_read(self, row: Any, args: Arguments, principal: Principal) -> None:
        """Refuse the editable form to those who may not change the term."""
        if args["context"] == EDIT and not self.may_update(principal, row):
            raise forbidden_context(principal)

    def restrict(self, plan: QueryPlan, args: Arguments, principal: Principal) -> None:
        """Add search, the terms of one item, and whether empty terms show."""
        if args.get("search"):
            plan.where("search", _search, search=like(args["search"]))
        if args["hide_empty"]:
            plan.where("hide_empty", lambda: published_count() > 0)
        if args.get("post"):
            self._check_item(args["post"], principal)
            links = ContentTerm.select(ContentTerm.term_id).where(ContentTerm.content_id == Bound("post"))
            plan.where("post", lambda: Term.id.in_(links), post=args["post"])

    def grouped(self, argument: str, ids: Sequence[int], principal: Principal) -> dict[int, SerializedItems]:
        """Return the terms of several items at once, by item."""
        if argument != "post":
            return super().grouped(argument, ids, principal)
        links = self.site.database.rows(OF_ITEMS, (str(list(ids)), self.taxonomy.name))
        terms = self.many([link["term_id"] for link in links], principal)
        found: dict[int, SerializedItems] = {}
        for link in links:
            term = terms[link["term_id"]]
            if not isinstance(term, ApiError):
                found.setdefault(link["content_id"], []).append(term)
        return found

    def _check_item(self, id: int, principal: Principal) -> None:
        row = self.site.database.row(ITEMS, (f"[{id}]",))
        if row is None:
            raise ApiError("rest_post_invalid_id", _("There is no item with the id %(id)s.", id=id))
        seen = may_read(self.site.content_registry.types, principal, row, self.site.now())
        if row["type"] not in self.taxonomy.types or not seen or hidden_items(self.site, [row], principal):
            raise NotAllowed(
                principal, "rest_forbidden_context", _("You may not read the item whose terms you ask for.")
            )

    # Writing.

    def values(self, args: dict[str, Any], row: Any, principal: Principal) -> dict[str, Any]:
        """Return the columns of a write."""
        values: dict[str, Any] = {}
        if args.get("parent") is not None:
            values["parent_id"] = self._parent(args["parent"], row)
        if "name" in args:
            values["name"] = self._name(args["name"])
            values["sort_name"] = sort_key(values["name"])
        if "description" in args:
            values["description"] = sanitize_description(args["description"])
        values |= self._slug(args, row, values)
        return values if row is not None else {"taxonomy": self.taxonomy.name, **values}

    def _name(self, sent: str) -> str:
        name = clean_line(sent)
        if not name:
            raise ApiError("empty_term_name", _("A term needs a name of more than space and markup."))
        return name

    def _parent(self, sent: int, row: Any) -> int:
        if sent == 0:
            return 0
        known = self.site.database.row(
            "SELECT 1 FROM terms WHERE id = ? AND taxonomy = ?", (sent, self.taxonomy.name)
        )
        if known is None:
            raise ApiError("rest_term_invalid", _("There is no term %(id)s to be the parent.", id=sent))
        loops = row is not None and is_ancestor_or_self(self.site.database, "terms", row["id"], sent)
        return 0 if loops else sent

    def _slug(self, args: dict[str, Any], row: Any, values: dict[str, Any]) -> dict[str, Any]:
        name = values.get("name", row["name"] if row is not None else "")
        sent = clean_slug(args["slug"]) if args.get("slug") else ""
        id = row["id"] if row is not None else 0
        if sent and row is not None:
            self._refuse_taken(sent, id)
            return {"slug": sent}
        if row is not None and args.get("slug") is None:
            return {}
        if row is None:
            self._refuse_namesake(name, values.get("parent_id", 0), sent)
        wanted = sent or clean_slug(name) or "term"
        taken = taken_slugs(
            self.site.database, "terms", wanted, "taxonomy = ? AND id <> ?", (self.taxonomy.name, id)
        )
        return {"slug": self._with_parent(wanted, taken, values)}

    def _with_parent(self, wanted: str, taken: set[str], values: dict[str, Any]) -> str:
        parent = values.get("parent_id")
        if wanted not in taken or not parent:
            return free_slug(wanted, taken)
        above = self.find(parent)["slug"]
        longer = f"{wanted}-{above}"
        taken = taken_slugs(self.site.database, "terms", longer, "taxonomy = ?", (self.taxonomy.name,))
        return free_slug(longer, taken)

    def _refuse_taken(self, slug: str, id: int) -> None:
        other = self.site.database.row(
            "SELECT 1 FROM terms WHERE taxonomy = ? AND slug = ? AND id <> ?", (self.taxonomy.name, slug, id)
        )
        if other is not None:
            raise ApiError("duplicate_term_slug", _("The slug %(slug)s belongs to another term.", slug=slug))

    def _refuse_namesake(self, name: str, parent: int, slug: str) -> None:
        """Refuse a new term named as a sibling, unless it brings a slug that makes it another one."""
        where, given = "taxonomy = ? AND name = ? COLLATE NOCASE", [self.taxonomy.name, name]
        if self.taxonomy.hierarchical:
            where, given = f"{where} AND parent_id = ?", [*given, str(parent)]
        if slug:
            where, given = f"{where} AND slug = ?", [*given, slug]
        other = self.site.database.row(f"SELECT id FROM terms WHERE {where} ORDER BY id", given)  # noqa: S608
        if other is not None:
            message = _("There is a term with this name already. Give the new one a slug of its own.")
            raise ApiError("term_exists", message, 400, term_id=other["id"])

    def remove(self, row: Any, args: Arguments, principal: Principal) -> None:
        """Delete a term: its children go up one level, and items are left with the default term rather than none."""
        run, id = self.site.database.run, row["id"]
        run(
            Term.update(parent_id=row["parent_id"]).where(
                Term.parent_id == id, Term.taxonomy == row["taxonomy"]
            )
        )
        items = [
            link["content_id"]
            for link in self.site.database.rows(
                "SELECT content_id FROM content_terms WHERE term_id = ?", (id,)
            )
        ]
        self.site.database.execute("DELETE FROM content_terms WHERE term_id = ?", (id,))
        default = self._default()
        if default is not None and items:
            self.site.database.execute(GIVE_DEFAULT, (default, str(items), row["taxonomy"]))
        super().remove(row, args, principal)


OF_ITEMS = """
SELECT c.content_id, c.term_id FROM content_terms c JOIN terms t ON t.id = c.term_id
WHERE c.content_id IN (SELECT value FROM json_each(?)) AND t.taxonomy = ? ORDER BY t.sort_name, t.id
"""

GIVE_DEFAULT = """
INSERT INTO content_terms (content_id, term_id)
SELECT id, ? FROM content WHERE id IN (SELECT value FROM json_each(?)) AND id NOT IN (
    SELECT content_id FROM content_terms JOIN terms ON terms.id = term_id WHERE taxonomy = ?)
"""


def _search() -> Any:
    place = Bound("search")
    return contains(Term.name, place) | contains(Term.slug, place)


def _items(row: Any, page: SerializationContext) -> list[dict[str, Any]]:
    taxonomy, addresses = page.site.content_registry.taxonomies[row["taxonomy"]], page.site.addresses
    return [{"href": f"{addresses[name]}?{taxonomy.field}={row['id']}"} for name in taxonomy.types]


def _up(row: Any, page: SerializationContext) -> str | None:
    return f"{page.site.addresses[row['taxonomy']]}/{row['parent_id']}" if row["parent_id"] else None


LINKS = (
    Link("about", lambda row, page: f"{page.site.root}/taxonomies/{row['taxonomy']}", columns=("taxonomy",)),
    Link("up", _up, embeddable=True, columns=("parent_id",)),
    Link("wp:post_type", _items, columns=("id", "taxonomy")),
)


def core_taxonomies() -> list[Taxonomy]:
    """Return categories and tags."""
    return [
        Taxonomy(
            "category",
            "categories",
            _("Categories"),
            ("post",),
            hierarchical=True,
            default_option="default_category",
        ),
        Taxonomy("post_tag", "tags", _("Tags"), ("post",), create="edit_posts"),
    ]


def term_resource(taxonomy: Taxonomy) -> Resource:
    """Return the resource of the terms of a taxonomy."""
    schema, list_args = (
        (HierarchicalTermSchema, HierarchicalTermListArgs)
        if taxonomy.hierarchical
        else (FlatTermSchema, FlatTermListArgs)
    )
    return Resource(
        taxonomy.name,
        taxonomy.base,
        Term,
        schema,
        list_args,
        TermOperations,
        taxonomy.label,
        links=LINKS,
        namespace=taxonomy.namespace,
    )
