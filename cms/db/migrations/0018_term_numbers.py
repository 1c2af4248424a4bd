"""Terms of imports by the number that their source has for them."""

from peewee import Database

CREATE = "CREATE INDEX terms_source ON terms (taxonomy, source_site, source_id) WHERE source_id IS NOT NULL"


def up(migrator: object, db: Database) -> None:
    db.execute_sql(CREATE)
