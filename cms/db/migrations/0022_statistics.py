"""What SQLite takes for the size of tables: always that of a large site, so that it plans alike on all sites.

Without numbers it takes a status for as rare as a slug, and reads all published items to find those of one parent.
"""

from peewee import Database

#: By index: how many rows it has, and how many share the values of its first column, of its first two, and so on.
STATISTICS = {
    "content": {
        "content_date": "1000000 300000 200000 1 1",
        "content_author": "1000000 2000 1500 1200 1",
        "content_parent": "30000 5 5",
        "content_slug": "1000000 300000 20 1",
        "content_by_slug": "1000000 1",
        "content_sticky": "20 20 1",
        "content_featured": "20000 2",
        "content_source": "50000 50000 1",
        "content_attached": "30000 5",
        "content_number": "1000000 300000 200000",
        "content_modified": "1000000 300000 200000 1",
        "content_title": "1000000 300000 200000 1",
        "content_name": "1000000 300000 200000 1",
        "content_writer": "1000000 300000 200000 1000",
        "content_above": "1000000 300000 200000 10",
        "content_place": "1000000 300000 200000 500",
        "content_at_place": "1000000 300000 200000 500 1",
        "content_below": "1000000 300000 200000 10 1",
        "content_below_by_place": "1000000 300000 200000 10 5",
        "content_media_type": "1000000 300000 200000 3000 1",
        "content_media_kind": "30000 30000 20000 5000 1",
    },
    "comments": {
        "comments_date": "2000000 1500000 1 1",
        "comments_post": "2000000 5 5 1",
        "comments_thread": "2000000 5 2 2 1",
        "comments_parent": "2000000 10 10 1",
        "comments_author": "2000000 200 150 1",
        "comments_author_date": "2000000 200 1",
        "comments_email": "2000000 20 20 1",
        "comments_visitor": "100000 20 20",
        "comments_source": "100000 5 5 1",
        "comments_number": "2000000 1500000",
        "comments_above": "2000000 1500000 10",
        "comments_item": "2000000 1500000 20",
        "comments_type": "2000000 1500000 1500000",
    },
    "terms": {
        "terms_slug": "100000 50000 1",
        "terms_sort": "100000 50000 1 1",
        "terms_parent": "100000 50000 10 1",
        "terms_used": "50000 25000 2",
        "terms_number": "100000 50000",
        "terms_count": "100000 50000 20",
    },
    "users": {
        "sqlite_autoindex_users_1": "100000 1",
        "sqlite_autoindex_users_2": "100000 1",
        "users_email": "100000 1",
        "users_name": "100000 1 1",
        "users_source": "100000 1000 1",
        "users_registered": "100000 1",
        "users_url": "100000 10",
        "users_address": "100000 1",
    },
    "content_terms": {"content_terms": "300000 3 1", "content_terms_term": "300000 100 1"},
    "term_items": {"term_items": "300000 100 100 80 1 1"},
    "content_counts": {"content_counts": "20000 10000 2 1 1"},
    "revisions": {"revisions_parent": "500000 5 1"},
    "old_slugs": {"old_slugs": "10000 1 1", "old_slugs_slug": "10000 1"},
}


def up(migrator: object, db: Database) -> None:
    db.execute_sql("ANALYZE sqlite_schema")  # makes the table that the numbers stand in, and counts nothing
    for table, indexes in STATISTICS.items():
        db.execute_sql("DELETE FROM sqlite_stat1 WHERE tbl = ?", (table,))
        for index, numbers in indexes.items():
            db.execute_sql(
                "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)",
                (table, index, f"{numbers} noskipscan"),
            )
    db.execute_sql("ANALYZE sqlite_schema")
