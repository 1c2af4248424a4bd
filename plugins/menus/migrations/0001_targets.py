"""The index by which the menu items are found that lead to an item of content or a term."""

from peewee import Database

INDEX = """
CREATE INDEX menu_items_target ON content (
    json_extract(meta, '$._menu_item_object_id'), json_extract(meta, '$._menu_item_type')
) WHERE type = 'nav_menu_item'
"""


def up(migrator: object, db: Database) -> None:
    db.execute_sql(INDEX)
