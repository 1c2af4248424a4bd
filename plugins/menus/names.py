"""The names that the plugin registers: menus are terms of a taxonomy, their items a type of content."""

MENU, ITEM = "nav_menu", "nav_menu_item"
#: The largest place of an item in its menu.
LAST_PLACE = 2**31 - 1
CAPABILITY = "edit_menu_items"
#: The setting with the names of the places that a front end has for menus.
LOCATIONS = "menu_locations"
