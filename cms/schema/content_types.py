"""The kinds of content, the states that content can be in, the taxonomies that group it, and languages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from cms.access.policy import PRIVATE, PUBLIC, ContentPolicy
from cms.i18n import Text, _
from cms.schema.fields import Field
from cms.schema.resource import NAMESPACE, Link, Resource, RulesFactory

NO_TEXT = Text("")


@dataclass(frozen=True, eq=False)
class ContentType:
    """A kind of content; `plural` ends the names of its capabilities (`edit_posts`) and is `base` where left out.

    `supports` says which of the usual parts its items have: title, editor, excerpt, author, comments, revisions,
    thumbnail. `fields`, `filters` and `orders` (expressions by their name in `orderby`) are what it has besides;
    `taxonomies` names some that say nothing of this type themselves. `rules` makes rules of its own.
    """

    name: str
    base: str
    label: Text
    plural: str = ""
    hierarchical: bool = False
    supports: tuple[str, ...] = ("title", "editor")
    public: bool = True
    #: Whether new items take comments as the settings say; else they begin closed.
    discussed: bool = True
    #: Whether items are attached to others, and seen by those who see these.
    inherits: bool = False
    description: Text = NO_TEXT
    taxonomies: tuple[str, ...] = ()
    fields: Mapping[str, Field] = field(default_factory=dict)
    filters: Mapping[str, Field] = field(default_factory=dict)
    orders: Mapping[str, Any] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    rules: RulesFactory | None = None
    namespace: str = NAMESPACE
    #: The name of a picture for the type, such as that of a class of an icon font.
    icon: str = ""
    #: Where a front end shows items, as a pattern of the setting `links`, which counts before it.
    address: str = ""
    #: What makes the type's resource instead of the usual rules; a type of which `served` is false has no routes.
    resource: Callable[[ContentType, ContentRegistry], Resource] | None = None
    served: bool = True
    #: The states of the site's content, those whose items everybody sees, and those seen with a right; the registry
    #: fills them in.
    states: tuple[str, ...] = ()
    public_states: frozenset[str] = PUBLIC
    private_states: frozenset[str] = PRIVATE

    @cached_property
    def policy(self) -> ContentPolicy:
        """Who may do what with content of this type."""
        return ContentPolicy(self.plural or self.base, self.public_states, self.private_states)


@dataclass(frozen=True)
class Taxonomy:
    """A way to group content; whoever has `manage` changes its terms, whoever has `assign` gives them to content.

    `create` is what adding a term takes. `field` is the name under which items list their terms, and under which
    lists are narrowed by them. `default_option` names the setting with the term of items that are given none. With
    `single` the field shows the id of one term, or 0, in place of a list.
    """

    name: str
    base: str
    label: Text
    types: tuple[str, ...] = ()
    field: str = ""
    hierarchical: bool = False
    manage: str = "manage_categories"
    create: str = "manage_categories"
    assign: str = "edit_posts"
    default_option: str = ""
    description: Text = NO_TEXT
    namespace: str = NAMESPACE
    single: bool = False


@dataclass(frozen=True)
class Status:
    """A state of content: seen by everybody (`public`), by its author and those with the right (`private`), by those
    who may edit (`protected`), or by nobody as such (`internal`, which can't be set by writing).

    Where it is `floating`, the item's date moves along until it is published, and no right to publish is needed.
    """

    name: str
    label: Text
    public: bool = False
    protected: bool = False
    private: bool = False
    internal: bool = False
    in_list: bool = True
    floating: bool = False


#: The states of the core.
STATUSES = (
    Status("publish", _("Published"), public=True),
    Status("future", _("Scheduled"), protected=True),
    Status("draft", _("Draft"), protected=True, floating=True),
    Status("pending", _("Pending"), protected=True, floating=True),
    Status("private", _("Private"), private=True),
    Status("trash", _("Trash"), internal=True, in_list=False),
    Status("auto-draft", _("Automatic draft"), internal=True, in_list=False, floating=True),
    Status("inherit", _("As its parent"), internal=True, in_list=False),
)
WRITABLE = tuple(status.name for status in STATUSES if not status.internal)
INTERNAL = tuple(status.name for status in STATUSES if status.internal)

FORMATS = ("standard", "aside", "chat", "gallery", "link", "image", "quote", "status", "video", "audio")

COMMENT_STATUSES = ("open", "closed")


@dataclass(frozen=True)
class Locale:
    """A language of descriptions and messages; `prefix` is its segment in addresses, `folder` holds its catalogue."""

    code: str
    prefix: str
    name: str
    folder: str


@dataclass(frozen=True)
class ContentRegistry:
    """All that is registered by name on one site, resources and routes apart.

    `settings` are the fields of the settings with their defaults; `roles` the capabilities of each role;
    `capabilities` all that are known; `translations` folders of texts besides those of the locales; `shortcodes`
    what plugins make of marks in texts.
    """

    types: dict[str, ContentType]
    taxonomies: dict[str, Taxonomy]
    statuses: dict[str, Status]
    locales: dict[str, Locale]
    settings: dict[str, Field] = field(default_factory=dict)
    roles: dict[str, frozenset[str]] = field(default_factory=dict)
    capabilities: frozenset[str] = frozenset()
    translations: tuple[str, ...] = ()
    shortcodes: dict[str, Callable[[Mapping[str, str], str], str | None]] = field(default_factory=dict)
    #: The fields that plugins add to types, statuses and taxonomies themselves, by `type`, `status` and `taxonomy`.
    entry_fields: dict[str, dict[str, Field]] = field(default_factory=dict)

    def taxonomies_of(self, type_name: str) -> list[Taxonomy]:
        """Return the taxonomies that group a type."""
        return self._taxonomies_by_type.get(type_name, [])

    def taxonomy_fields_of(self, type_name: str) -> Mapping[str, str]:
        """Return the names of the taxonomies that group a type, by the arguments that filter by their terms."""
        return self._taxonomy_fields_by_type.get(type_name, {})

    @cached_property
    def _taxonomy_fields_by_type(self) -> dict[str, dict[str, str]]:
        found = {}
        for type_name, taxonomies in self._taxonomies_by_type.items():
            found[type_name] = {taxonomy.field: taxonomy.name for taxonomy in taxonomies}
        return found

    @cached_property
    def _taxonomies_by_type(self) -> dict[str, list[Taxonomy]]:
        found: dict[str, list[Taxonomy]] = {}
        for taxonomy in self.taxonomies.values():
            for name in taxonomy.types:
                found.setdefault(name, []).append(taxonomy)
        return found

    @cached_property
    def public_types(self) -> tuple[str, ...]:
        """Names of the types that front ends show."""
        return tuple(kind.name for kind in self.types.values() if kind.public)

    @cached_property
    def writable(self) -> tuple[str, ...]:
        """States that content can be put in by writing it."""
        return tuple(status.name for status in self.statuses.values() if not status.internal)

    @cached_property
    def internal(self) -> tuple[str, ...]:
        """States that content gets by other ways alone."""
        return tuple(status.name for status in self.statuses.values() if status.internal)

    @cached_property
    def floating(self) -> tuple[str, ...]:
        """States in which an item's date moves along."""
        return tuple(status.name for status in self.statuses.values() if status.floating)

    @cached_property
    def addressed(self) -> frozenset[str]:
        """Statuses in which an item has its own address at a front end."""
        return frozenset(status.name for status in self.statuses.values() if status.public or status.private)
