"""An index for each order and each filter that lists offer, so that none of them reads or sorts a whole table."""

from peewee import Database

#: What rows of content are filed under, after their type and status; the id comes last by itself.
CONTENT = {
    "content_number": "",
    "content_modified": ", modified_gmt",
    "content_title": ", sort_title",
    "content_name": ", slug",
    "content_writer": ", author_id",
    "content_above": ", parent_id",
    "content_place": ", menu_order",
    "content_at_place": ", menu_order, date_gmt",
    "content_below": ", parent_id, date_gmt",
    "content_below_by_place": ", parent_id, menu_order",
    "content_media_type": ", mime_type, date_gmt",
}
STATEMENTS = (
    *(f"CREATE INDEX {name} ON content (type, status{columns})" for name, columns in CONTENT.items()),
    """CREATE INDEX content_media_kind
        ON content (type, status, lower(substr(mime_type, 1, instr(mime_type, '/') - 1)), date_gmt)
        WHERE mime_type <> ''""",
    "DROP INDEX content_mime",
    "CREATE INDEX comments_number ON comments (status)",
    "CREATE INDEX comments_above ON comments (status, parent_id)",
    "CREATE INDEX comments_item ON comments (status, post_id)",
    "CREATE INDEX comments_type ON comments (status, type)",
    "DROP INDEX comments_parent",
    "CREATE INDEX comments_parent ON comments (parent_id, status, date_gmt)",
    "DROP INDEX comments_author",
    "CREATE INDEX comments_author ON comments (author_id, status, date_gmt)",
    "CREATE INDEX comments_email ON comments (author_email, status, date_gmt)",
    "CREATE INDEX comments_thread ON comments (post_id, parent_id, status, date_gmt)",
    "DROP INDEX terms_parent",
    "CREATE INDEX terms_parent ON terms (taxonomy, parent_id, sort_name)",
    "CREATE INDEX terms_used ON terms (taxonomy, sort_name) WHERE count > 0",
    "CREATE INDEX terms_number ON terms (taxonomy)",
    "CREATE INDEX terms_count ON terms (taxonomy, count)",
    "CREATE INDEX users_registered ON users (registered_gmt)",
    "CREATE INDEX users_url ON users (url)",
    "CREATE INDEX users_address ON users (email COLLATE NOCASE)",
)


def up(migrator: object, db: Database) -> None:
    for statement in STATEMENTS:
        db.execute_sql(statement)
