"""Notes of cameras without markup: they are texts, as those of new pictures are."""

import re

import orjson
from peewee import Database

TAG = re.compile("<(?=[a-zA-Z/!?])[^>]*>?")
SELECT = "SELECT content_id, details FROM media WHERE details LIKE '%image_meta%' AND details LIKE '%<%'"


def up(migrator: object, db: Database) -> None:
    for id, stored in db.execute_sql(SELECT).fetchall():
        details = orjson.loads(stored)
        notes = details.get("image_meta", {})
        for name, note in notes.items():
            if isinstance(note, str):
                notes[name] = without_tags(note)
        values = (orjson.dumps(details).decode(), id)
        db.execute_sql("UPDATE media SET details = ? WHERE content_id = ?", values)


def without_tags(note: str) -> str:
    while (stripped := TAG.sub("", note)) != note:
        note = stripped
    return note
