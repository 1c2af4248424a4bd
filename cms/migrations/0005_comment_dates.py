"""An index that tells when an account, or visitors, last commented."""

from typing import Any


def up(migrator: Any, db: Any) -> None:
    db.execute_sql("CREATE INDEX comments_author_date ON comments (author_id, date_gmt)")
