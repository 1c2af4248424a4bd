"""An index for the comments of one author by date."""

from typing import Any


def up(migrator: Any, db: Any) -> None:
    db.execute_sql("CREATE INDEX comments_author_date ON comments (author_id, date_gmt)")
