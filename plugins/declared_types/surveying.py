"""What an export has that no type, taxonomy or field of the site takes: counted, with examples of the values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from cms.plugin import ItemRecord, TermRecord

from .php import Value, unserialized

#: Types of other programs' own affairs.
INTERNAL = frozenset(
    [
        "acf-field",
        "acf-field-group",
        "custom_css",
        "customize_changeset",
        "nav_menu_item",
        "oembed_cache",
        "revision",
        "user_request",
        "wp_block",
        "wp_font_face",
        "wp_font_family",
        "wp_global_styles",
        "wp_navigation",
        "wp_template",
        "wp_template_part",
    ]
)
#: Taxonomies that aren't for grouping.
INTERNAL_TAXONOMIES = frozenset(
    [
        "link_category",
        "nav_menu",
        "post_format",
        "post_translations",
        "term_language",
        "term_translations",
        "wp_theme",
        "wp_template_part_area",
    ]
)
ACF_KEY = re.compile(r"field_\w+", re.ASCII)
FIELD_NAME = re.compile(r"[a-z][a-z0-9_]{0,62}", re.ASCII)
#: How many values of a name are looked at, and how many types, terms and names are counted.
MOST_EXAMPLES, MOST_NAMES = 200, 300


@dataclass
class SeenValues:
    """The values of one name: how many there are, some of them, and the key that Advanced Custom Fields has for it."""

    number: int = 0
    examples: list[str] = field(default_factory=list)
    acf_key: str = ""

    def add(self, text: str) -> None:
        """Count a value."""
        self.number += 1
        if text and len(self.examples) < MOST_EXAMPLES:
            self.examples.append(text)


@dataclass
class SeenType:
    """The items of one type: what they have, and their values by name."""

    name: str
    items: int = 0
    parts: Counter[str] = field(default_factory=Counter)
    taxonomies: Counter[str] = field(default_factory=Counter)
    addresses: Counter[str] = field(default_factory=Counter)
    values: dict[str, SeenValues] = field(default_factory=dict)

    def add(self, item: ItemRecord) -> None:
        """Count an item."""
        self.items += 1
        for part, is_there in (
            ("editor", item.content),
            ("excerpt", item.excerpt),
            ("comments", item.comments),
            ("hierarchical", item.parent_source_id),
            ("thumbnail", "_thumbnail_id" in dict(item.meta)),
        ):
            self.parts[part] += bool(is_there)
        self.taxonomies.update({link.taxonomy for link in item.terms} - INTERNAL_TAXONOMIES)
        self.addresses[_pattern(item)] += 1
        add_values(self.values, item.meta)


@dataclass(frozen=True)
class AcfField:
    """A field as Advanced Custom Fields declares it, which an export may have as an item."""

    key: str
    name: str
    label: str
    settings: Mapping[str, Value]
    number: int | None
    parent: int | None

    @property
    def kind(self) -> str:
        """The type of the field there."""
        return str(self.settings.get("type", ""))


@dataclass
class Seen:
    """All that an export has."""

    types: dict[str, SeenType] = field(default_factory=dict)
    terms: Counter[str] = field(default_factory=Counter)
    nested_terms: set[str] = field(default_factory=set)
    term_values: dict[str, dict[str, SeenValues]] = field(default_factory=dict)
    #: The type of each item by its number in the export.
    numbers: dict[int, str] = field(default_factory=dict)
    #: The fields that are declared in the export, by their keys.
    acf: dict[str, AcfField] = field(default_factory=dict)

    def types_of(self, taxonomy: str) -> list[str]:
        """Return the types whose items have terms of a taxonomy."""
        return [type.name for type in self.types.values() if type.taxonomies[taxonomy]]


def survey(records: Iterable[object]) -> Seen:
    """Look through the records of an export."""
    seen = Seen()
    for record in records:
        if isinstance(record, TermRecord):
            _add_term(seen, record)
        elif isinstance(record, ItemRecord):
            _add_item(seen, record)
    return seen


def _add_term(seen: Seen, term: TermRecord) -> None:
    seen.terms[term.taxonomy] += 1
    if term.parent_slug:
        seen.nested_terms.add(term.taxonomy)
    add_values(seen.term_values.setdefault(term.taxonomy, {}), term.meta)


def _add_item(seen: Seen, item: ItemRecord) -> None:
    if item.type == "acf-field":
        _add_acf(seen, item)
    if item.source_id is not None:
        seen.numbers[item.source_id] = item.type
    if item.type in INTERNAL or len(seen.types) >= MOST_NAMES:
        return
    seen.types.setdefault(item.type, SeenType(item.type)).add(item)
    for link in item.terms:
        if not seen.terms[link.taxonomy]:
            seen.terms[link.taxonomy] = 1


def _add_acf(seen: Seen, item: ItemRecord) -> None:
    try:
        settings = unserialized(item.content)
    except (ValueError, UnicodeDecodeError):
        return
    if isinstance(settings, dict):
        found = AcfField(item.slug, item.excerpt, item.title, settings, item.source_id, item.parent_source_id)
        seen.acf[item.slug] = found


def add_values(values: dict[str, SeenValues], meta: Iterable[tuple[str, str]]) -> None:
    """Count the values of an item; a name with a line before it tells the key of the one without."""
    texts = dict(meta)
    for name, text in texts.items():
        if not FIELD_NAME.fullmatch(name):
            continue
        if name in values or len(values) < MOST_NAMES:
            values.setdefault(name, SeenValues()).add(text)
            key = texts.get(f"_{name}", "")
            if ACF_KEY.fullmatch(key):
                values[name].acf_key = key


def _pattern(item: ItemRecord) -> str:
    """Return the pattern that an item's address has, empty where its slug isn't the end of it."""
    path = urlsplit(item.link).path
    if not item.slug or not path.rstrip("/").endswith(f"/{item.slug}"):
        return ""
    before = path.rstrip("/").removesuffix(item.slug)
    return f"{before}{{slug}}/" if before != "/" else ""
