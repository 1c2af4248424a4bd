"""Writing drafts of files for what an export has and the site doesn't."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from cms.plugin import ContentRegistry, Site, fields_of

from .guessing import Draft, Guesser
from .reading import NAME
from .surveying import INTERNAL_TAXONOMIES, Seen, SeenType

#: Languages of Polylang.
LANGUAGE = "language"
#: Values of the core's own, and of plugins for what every site has elsewhere.
OWN_META = re.compile(r"(_.*|wp_.*|inline_featured_image|footnotes|om_disable_all_campaigns|spay_email)")


def draft_files(seen: Seen, site: Site) -> dict[str, str]:
    """Return the texts of files by their names, for types, taxonomies and values that the site doesn't have."""
    found: dict[str, str] = {}
    registry = site.content_registry
    for type in seen.types.values():
        drafts = _drafts(seen, type, _known_names(site, type.name))
        if type.name in registry.types:
            if drafts:
                found[f"{type.name}.toml"] = "\n".join((*_extension(type), *_fields(drafts), ""))
        elif NAME.fullmatch(type.name):
            found[f"{type.name}.toml"] = "\n".join((*_type(type, seen, registry), *_fields(drafts), ""))
    for taxonomy, number in seen.terms.items():
        if taxonomy not in registry.taxonomies and _is_for_grouping(taxonomy):
            name = taxonomy if f"{taxonomy}.toml" not in found else f"{taxonomy}-terms"
            found[f"{name}.toml"] = "\n".join((*_taxonomy(taxonomy, number, seen, registry), ""))
    return found


def _is_for_grouping(taxonomy: str) -> bool:
    return taxonomy not in INTERNAL_TAXONOMIES and NAME.fullmatch(taxonomy) is not None


def _drafts(seen: Seen, type: SeenType, known: Collection[str]) -> list[Draft]:
    values = {name: each for name, each in type.values.items() if not OWN_META.fullmatch(name)}
    return [draft for draft in Guesser(seen, values).drafts() if draft.name not in known]


def _known_names(site: Site, type: str) -> set[str]:
    """Return the names of the values that a type has fields for already."""
    resource = site.registry.resources.get(type)
    if resource is None:
        return set()
    fields = fields_of(resource.schema)
    return {*fields, *(field.stored_as for field in fields.values())}


def _extension(type: SeenType) -> Iterator[str]:
    yield f"# Fields of a type that is here, by what {type.items} item(s) of an export had. Look through the kinds."
    yield "[type]"
    yield f"extends = {_quoted(type.name)}"


def _type(type: SeenType, seen: Seen, registry: ContentRegistry) -> Iterator[str]:
    yield f"# By what {type.items} item(s) of an export had. Give it a label for people, and look through the kinds."
    yield "[type]"
    yield f"name = {_quoted(type.name)}"
    yield f"base = {_quoted(type.name.replace('_', '-'))}"
    yield f"label = {_quoted(_words(type.name))}"
    if type.parts["hierarchical"]:
        yield "hierarchical = true"
    parts = [part for part in ("editor", "excerpt", "thumbnail", "comments") if type.parts[part]]
    yield f"supports = {_list(['title', *parts, 'author', 'revisions'])}"
    taxonomies = [name for name in type.taxonomies if name in registry.taxonomies and name != LANGUAGE]
    if taxonomies:
        yield f"taxonomies = {_list(taxonomies)}"
    address = type.addresses.most_common(1)[0][0] if type.addresses else ""
    if address:
        yield f"address = {_quoted(address)}"


def _taxonomy(name: str, number: int, seen: Seen, registry: ContentRegistry) -> Iterator[str]:
    if name == LANGUAGE:
        yield "# The languages of Polylang: each item has the term of its language."
    else:
        yield f"# By what an export had: {number} term(s). Give it a label for people."
    yield "[taxonomy]"
    yield f"name = {_quoted(name)}"
    yield f"base = {_quoted(name.replace('_', '-'))}"
    yield f"label = {_quoted(_words(name))}"
    types = [type for type in seen.types_of(name) if NAME.fullmatch(type)]
    yield f"types = {_list(types)}"
    if name in seen.nested_terms:
        yield "hierarchical = true"


def _fields(drafts: Iterable[Draft], path: str = "field", indent: str = "") -> Iterator[str]:
    for draft in drafts:
        yield ""
        if draft.note:
            yield f"{indent}# {_comment(draft.note)}"
        yield f"{indent}[[{path}]]"
        yield f"{indent}name = {_quoted(draft.name)}"
        yield f"{indent}kind = {_quoted(draft.kind)}"
        if draft.label:
            yield f"{indent}label = {_quoted(draft.label)}"
        for name, value in draft.options.items():
            yield f"{indent}{name} = {_value(value)}"
        yield from _fields(draft.fields, f"{path}.field", f"{indent}  ")


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_quoted(str(name))} = {_quoted(str(each))}" for name, each in value.items())
        return f"{{ {pairs} }}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return _list([str(each) for each in value])
    return _quoted(str(value))


def _list(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_quoted, texts))}]"


def _quoted(text: str) -> str:
    """Return a text as TOML writes it: as JSON does, but for characters beyond the first plane."""
    return json.dumps(text, ensure_ascii=False)


def _comment(text: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in text)


def _words(name: str) -> str:
    return re.sub(r"[_-]+", " ", name).capitalize()
