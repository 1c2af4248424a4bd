"""Which fields hold markup or addresses: what lay under their keys before they did was made harmless."""

from peewee import Database


def up(migrator: object, db: Database) -> None:
    db.execute_sql(
        "CREATE TABLE declared_markup (resource TEXT NOT NULL, field TEXT NOT NULL, parts TEXT NOT NULL, "
        "PRIMARY KEY (resource, field)) WITHOUT ROWID"
    )
