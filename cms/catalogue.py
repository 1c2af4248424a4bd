"""The kinds of content, the states that content can be in, and the taxonomies that group it."""

from __future__ import annotations

from dataclasses import dataclass

from cms.i18n import Text, _
from cms.policy import ContentPolicy


@dataclass(frozen=True)
class ContentType:
    """A kind of content; `plural` ends the names of its capabilities (`edit_posts`)."""

    name: str
    base: str
    label: Text
    plural: str
    hierarchical: bool = False
    supports: tuple[str, ...] = ()
    public: bool = True
    #: Whether new items take comments as the settings say; else they begin closed.
    discussed: bool = True
    #: Whether items are attached to others, and seen by those who see these.
    inherits: bool = False

    @property
    def policy(self) -> ContentPolicy:
        """Who may do what with content of this type."""
        return ContentPolicy(self.plural)


@dataclass(frozen=True)
class Taxonomy:
    """A way to group content; whoever has `manage` changes its terms, whoever has `assign` gives them to content.

    `create` is what adding a term takes. `field` is the name under which items list their terms.
    """

    name: str
    base: str
    label: Text
    types: tuple[str, ...]
    field: str
    hierarchical: bool = False
    manage: str = "manage_categories"
    create: str = "manage_categories"
    assign: str = "edit_posts"
    default_option: str = ""


@dataclass(frozen=True)
class Status:
    """A state of content; `internal` ones aren't shown as such, `protected` ones belong to unfinished work."""

    name: str
    label: Text
    public: bool = False
    protected: bool = False
    private: bool = False
    internal: bool = False
    in_list: bool = True


TEXTS = ("title", "editor", "author", "revisions")

TYPES = (
    ContentType("post", "posts", _("Posts"), "posts",
                supports=(*TEXTS, "excerpt", "thumbnail", "comments", "post-formats")),
    ContentType("page", "pages", _("Pages"), "pages", hierarchical=True, discussed=False,
                supports=(*TEXTS, "thumbnail", "comments", "page-attributes")),
    ContentType("attachment", "media", _("Media"), "posts", supports=("title", "author", "comments"),
                inherits=True),
    ContentType("revision", "revisions", _("Revisions"), "posts", supports=("author",), public=False),
)

TAXONOMIES = (
    Taxonomy("category", "categories", _("Categories"), ("post",), "categories", hierarchical=True,
             default_option="default_category"),
    Taxonomy("post_tag", "tags", _("Tags"), ("post",), "tags", create="edit_posts"),
)

STATUSES = (
    Status("publish", _("Published"), public=True),
    Status("future", _("Scheduled"), protected=True),
    Status("draft", _("Draft"), protected=True),
    Status("pending", _("Pending"), protected=True),
    Status("private", _("Private"), private=True),
    Status("trash", _("Trash"), internal=True, in_list=False),
    Status("auto-draft", _("Automatic draft"), internal=True, in_list=False),
    Status("inherit", _("As its parent"), internal=True, in_list=False),
)

#: States that content can be put in by writing it.
WRITABLE = ("publish", "future", "draft", "pending", "private")

FORMATS = ("standard", "aside", "chat", "gallery", "link", "image", "quote", "status", "video", "audio")

#: Languages that an account may choose; empty for the site's.
LOCALES = ("", "en_US", "id_ID")

COMMENT_STATES = ("open", "closed")


@dataclass(frozen=True)
class Locale:
    """A language of descriptions and messages; `prefix` is its segment in addresses, `folder` holds its catalogue."""

    code: str
    prefix: str
    name: str
    folder: str


@dataclass(frozen=True)
class Catalogue:
    """All kinds, taxonomies, states and locales of one site, by name."""

    types: dict[str, ContentType]
    taxonomies: dict[str, Taxonomy]
    statuses: dict[str, Status]
    locales: dict[str, Locale]

    def taxonomies_of(self, type_name: str) -> list[Taxonomy]:
        """Return the taxonomies that group a type."""
        return [taxonomy for taxonomy in self.taxonomies.values() if type_name in taxonomy.types]
