"""Uploading, changing and deleting media: as content, with a file."""

from __future__ import annotations

from typing import Any

import orjson

from cms.access.capabilities import Viewer
from cms.db.models import Media
from cms.errors import ApiError, InvalidParams, NotAllowed
from cms.i18n import _
from cms.media.uploads import Receive
from cms.operations.visibility import INHERIT, may_edit, parent_column
from cms.rendering.plain import clean_line
from cms.resources.content.operations import ContentOperations
from cms.resources.media.cleanup import discard_files
from cms.resources.media.files import Kept, all_keys, kept
from cms.schema.resource import Given, Item

RIGHT = "upload_files"
#: Fields of media, with the names that other content has for the same columns.
TEXTS = {"description": "content", "caption": "excerpt"}


class MediaOperations(ContentOperations):
    """The operations on media."""

    open_states = (INHERIT,)

    @property
    def _all_columns(self) -> tuple[str, ...]:  # a row that inherits tells from what
        return (*self.model._meta.sorted_field_names, "parent")

    def column(self, name: str) -> Any:
        """Return a column, or what the item inherits its visibility from."""
        return parent_column() if name == "parent" else super().column(name)

    def may_create(self, viewer: Viewer) -> bool:
        """Tell whether the viewer may upload files."""
        return viewer.may(RIGHT)

    def check_create(self, args: Given, viewer: Viewer) -> None:
        """Refuse uploads without the right, then those attached to what the viewer may not change."""
        super().check_create(args, viewer)
        self._check_post(args, 0, viewer)

    def check_update(self, row: Any, args: Given, viewer: Viewer) -> None:
        """Refuse changes without the right, then a move to what the viewer may not change."""
        super().check_update(row, args, viewer)
        self._check_post(args, row["parent_id"], viewer)

    def _check_post(self, args: Given, present: int, viewer: Viewer) -> None:
        wanted = args.get("post")
        if not wanted or wanted == present:
            return
        post = self.site.database.row("SELECT * FROM content WHERE id = ?", (wanted,))
        types = self.site.catalogue.types
        if post is None or not may_edit(types, viewer, post):
            raise NotAllowed(viewer, "rest_cannot_edit", _("You may not attach files to this item."))
        if post["type"] == self.resource.name:
            raise ApiError("rest_invalid_param", _("A file can't be attached to another file."))

    def create(self, args: Given, viewer: Viewer, receive: Receive | None = None) -> Item:
        """Keep the file that is received, and store the item that tells of it."""
        self.check_create(args, viewer)
        self.admit("create", viewer)  # before the file is received
        if receive is None:
            raise ApiError("rest_upload_no_data", _("No file was sent."))
        with kept(self.site, receive()) as file:
            return super().create({**args, "title": args.get("title") or file.title, "file": file}, viewer)

    def values(self, args: dict[str, Any], row: Any, viewer: Viewer) -> dict[str, Any]:
        """Return the columns of a write, and under `media` those of the file."""
        renamed = {TEXTS.get(name, name): value for name, value in args.items()}
        place = {"parent_id": args["post"]} if args.get("post") is not None else {}
        values = super().values({**renamed, **place}, row, viewer) | place
        file: Kept | None = args.get("file")
        if file is not None:
            values["mime_type"] = file.kind.mime
        return values | {"media": self._media(args, file)}

    def _media(self, args: dict[str, Any], file: Kept | None) -> dict[str, Any]:
        values = {"alt_text": clean_line(args["alt_text"])} if args.get("alt_text") is not None else {}
        if file is None:
            return values
        return {**values, "file": file.key, "size": file.size, "details": orjson.dumps(file.details).decode()}

    def _status(self, args: dict[str, Any], row: Any, viewer: Viewer) -> str:
        present = row["status"] if row is not None else INHERIT
        sent = args.get("status")
        if sent is None or sent == present:
            return str(present)
        if sent not in self.catalogue.writable:
            raise InvalidParams({"status": _("An item can't be put in this state by writing it.")})
        if sent == "private" and not self.policy.may_publish(viewer):
            raise NotAllowed(
                viewer, "rest_cannot_publish", _("You may not publish. Save it as pending for review.")
            )
        return "private" if sent == "private" else INHERIT

    def _defaults(self, values: dict[str, Any], now: str) -> dict[str, Any]:
        closed = {"ping_status": values.get("ping_status", "closed")}
        return super()._defaults(values, now) | closed

    def insert(self, values: dict[str, Any], viewer: Viewer) -> int:
        """Store a new item and what is known of its file."""
        media = values.pop("media")
        id = super().insert(values, viewer)
        self.site.database.run(Media.insert(content_id=id, **media))
        return id

    def modify(self, row: Any, values: dict[str, Any], viewer: Viewer) -> None:
        """Store changed columns, those of the file too."""
        media = values.pop("media", {})
        super().modify(row, values, viewer)
        if media:
            self.site.database.run(Media.update(media).where(Media.content_id == row["id"]))

    def remove(self, row: Any, args: Given, viewer: Viewer) -> None:
        """Delete an item; its files follow when their days of grace are over."""
        file = self.site.database.row("SELECT file, details FROM media WHERE content_id = ?", (row["id"],))
        super().remove(row, args, viewer)
        if file is not None and file["file"]:
            keys = all_keys(file["file"], orjson.loads(file["details"]))
            discard_files(self.site, keys, self.site.due_for_removal())
