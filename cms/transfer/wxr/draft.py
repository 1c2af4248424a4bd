"""Names of the draft 1.3 of the format, which has one namespace and short names, as those of the versions in use."""

from __future__ import annotations

from collections.abc import Mapping

NAMESPACE = "http://wordpress.org/export/"
VERSION = f"{{{NAMESPACE}}}version"
_SLUG = f"{{{NAMESPACE}}}slug"

#: Names of elements in those of some name: the rest have the prefix that is given under `*`.
_NAMES: Mapping[str, Mapping[str, str]] = {
    "channel": {"user": "wp:author", "term": "wp:term"},
    "item": {
        "id": "wp:post_id",
        "date": "wp:post_date",
        "date_gmt": "wp:post_date_gmt",
        "modified": "wp:post_modified",
        "modified_gmt": "wp:post_modified_gmt",
        "name": "wp:post_name",
        "parent": "wp:post_parent",
        "type": "wp:post_type",
        "password": "wp:post_password",
        "meta": "wp:postmeta",
    },
    "wp:author": {"*": "wp:author_", "meta": "wp:usermeta"},
    "wp:term": {"*": "wp:term_", "meta": "wp:termmeta"},
    "wp:comment": {"*": "wp:comment_", "meta": "wp:commentmeta"},
    "wp:postmeta": {"*": "wp:meta_"},
    "wp:termmeta": {"*": "wp:meta_"},
    "wp:commentmeta": {"*": "wp:meta_"},
}


def rename(parent: str, tag: str) -> str | None:
    """Return the usual name of an element of the draft in one of a usual name; None for one of other formats."""
    if not tag.startswith(f"{{{NAMESPACE}}}"):
        return None
    name = tag.rpartition("}")[2]
    names = _NAMES.get(parent, {})
    return names.get(name) or f"{names.get('*', 'wp:')}{name}"


def restate(parent: str, name: str, attributes: dict[str, str]) -> tuple[str, dict[str, str]]:
    """Return name and attributes of an element of other formats in the draft as the versions in use have them."""
    if parent == "item" and name == "description":
        return "excerpt:encoded", attributes
    if _SLUG in attributes:
        return name, {**attributes, "nicename": attributes[_SLUG]}
    return name, attributes
