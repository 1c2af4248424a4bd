"""What front ends for editors call types and taxonomies: the labels that the contract's system has for each."""

from __future__ import annotations

from cms.i18n import Text, _

#: What is said of every type alike, by the label's name.
OF_ITEMS = {
    "add_new": _("Add new"),
    "add_new_item": _("Add new item"),
    "edit_item": _("Edit item"),
    "new_item": _("New item"),
    "view_item": _("View item"),
    "view_items": _("View items"),
    "search_items": _("Search items"),
    "not_found": _("No items found."),
    "not_found_in_trash": _("No items found in the trash."),
    "attributes": _("Attributes"),
    "insert_into_item": _("Insert into item"),
    "uploaded_to_this_item": _("Uploaded to this item"),
    "featured_image": _("Featured image"),
    "set_featured_image": _("Set featured image"),
    "remove_featured_image": _("Remove featured image"),
    "use_featured_image": _("Use as featured image"),
    "filter_items_list": _("Filter items list"),
    "items_list_navigation": _("Items list navigation"),
    "items_list": _("Items list"),
}
#: What is said of every taxonomy alike.
OF_TERMS = {
    "search_items": _("Search terms"),
    "edit_item": _("Edit term"),
    "view_item": _("View term"),
    "update_item": _("Update term"),
    "add_new_item": _("Add new term"),
    "new_item_name": _("Name of the new term"),
    "not_found": _("No terms found."),
    "no_terms": _("No terms"),
    "items_list_navigation": _("Terms list navigation"),
    "items_list": _("Terms list"),
    "most_used": _("Most used"),
    "back_to_items": _("Back to terms"),
}
#: What is said of taxonomies without levels, where the others have nothing.
OF_FLAT_TERMS = {
    "popular_items": _("Popular terms"),
    "separate_items_with_commas": _("Separate terms with commas"),
    "add_or_remove_items": _("Add or remove terms"),
    "choose_from_most_used": _("Choose from the most used terms"),
}
#: What is said of levels, where the others have nothing.
OF_PARENTS = {"parent_item": _("Item above"), "parent_item_colon": _("Item above:")}
#: The labels that are the plural itself.
PLURAL = ("name", "singular_name", "menu_name", "name_admin_bar", "all_items", "archives")

Labels = dict[str, Text | None]


def type_labels(plural: Text, hierarchical: bool) -> Labels:
    """Return the labels of a type of this name."""
    above = OF_PARENTS["parent_item_colon"] if hierarchical else None
    return {**dict.fromkeys(PLURAL, plural), **OF_ITEMS, "parent_item_colon": above}


def taxonomy_labels(plural: Text, hierarchical: bool) -> Labels:
    """Return the labels of a taxonomy of this name."""
    nothing: Labels = dict.fromkeys((*OF_FLAT_TERMS, *OF_PARENTS))
    by_levels = OF_PARENTS if hierarchical else OF_FLAT_TERMS
    return {**dict.fromkeys(PLURAL, plural), **OF_TERMS, **nothing, **by_levels}
