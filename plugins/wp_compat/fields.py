"""Fields that items have in newer versions of WordPress: classes for style sheets, and what an address will be."""

from __future__ import annotations

from cms.plugin import (
    EDIT_ONLY,
    VIEW_EDIT,
    ContentType,
    Field,
    List,
    Row,
    SerializationContext,
    String,
    _,
    make_slug,
    nested_permalink,
    permalink,
)

#: A slug that no item has, which stands for any.
ANY_SLUG = "any-slug-of-this-item"
ADDRESS = ("id", "type", "slug", "status", "date_gmt", "parent_id", "title")


def later_fields(type: ContentType) -> dict[str, Field]:
    """Return the fields of the items of a type."""
    classes = List(
        _("Classes of the item for style sheets."),
        VIEW_EDIT,
        items=String(_("A class.")),
        readonly=True,
        columns=("id", "type", "status", "format", "password", "featured_id"),
        read=class_list,
    )
    template = String(
        _("The address that the item will have, with a place for its slug."),
        EDIT_ONLY,
        readonly=True,
        columns=ADDRESS,
        read=permalink_template,
    )
    slug = String(
        _("The slug that the item gets unless it is given another."),
        EDIT_ONLY,
        readonly=True,
        columns=ADDRESS,
        read=generated_slug,
    )
    fields: dict[str, Field] = {"class_list": classes}
    if not type.inherits:
        fields |= {"permalink_template": template, "generated_slug": slug}
    return fields


def class_list(row: Row, page: SerializationContext) -> list[str]:
    """Return the classes of an item; terms have none, since a plugin may hide a term from some who read the item."""
    found = [f"post-{row['id']}", row["type"], f"type-{row['type']}", f"status-{row['status']}"]
    if row["type"] == "post":
        found.append(f"format-{row['format']}")
    if row["featured_id"]:
        found.append("has-post-thumbnail")
    if row["password"]:
        found.append("post-password-protected" if page.is_unlocked else "post-password-required")
    found.append("hentry")
    return found


def permalink_template(row: Row, page: SerializationContext) -> str:
    """Return the address of an item with the mark of WordPress where its slug will be."""
    type = page.site.content_registry.types[row["type"]]
    shown = {**row, "slug": ANY_SLUG, "status": "publish", "date_gmt": min(row["date_gmt"], page.now)}
    if type.hierarchical:
        return nested_permalink(shown, page).replace(ANY_SLUG, "%pagename%")
    return permalink(shown, page).replace(ANY_SLUG, "%postname%")


def generated_slug(row: Row, page: SerializationContext) -> str:
    """Return the slug of an item, or the one that its title makes."""
    return row["slug"] or make_slug(row["title"])
