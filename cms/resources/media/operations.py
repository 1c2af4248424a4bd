"""Uploading, changing and deleting media: as content, with a file."""

from __future__ import annotations

from typing import Any

import orjson

from cms.access.capabilities import Principal
from cms.db.models import Media
from cms.errors import ApiError, InvalidParams, NotAllowed
from cms.i18n import _
from cms.media.uploads import OpenUpload
from cms.operations.visibility import INHERIT, may_edit, parent_column
from cms.rendering.plain import clean_line
from cms.resources.content.operations import ContentOperations
from cms.resources.media.cleanup import discard_files
from cms.resources.media.files import StoredFile, all_keys, stored
from cms.schema.resource import Arguments, Item

CAPABILITY = "upload_files"
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

    def may_create(self, principal: Principal) -> bool:
        """Tell whether the principal may upload files."""
        return principal.may(CAPABILITY)

    def check_create(self, args: Arguments, principal: Principal) -> None:
        """Refuse uploads without the right, then those attached to what the principal may not change."""
        super().check_create(args, principal)
        self._check_post(args, 0, principal)

    def check_update(self, row: Any, args: Arguments, principal: Principal) -> None:
        """Refuse changes without the right, then a move to what the principal may not change."""
        super().check_update(row, args, principal)
        self._check_post(args, row["parent_id"], principal)

    def _check_post(self, args: Arguments, present: int, principal: Principal) -> None:
        wanted = args.get("post")
        if not wanted or wanted == present:
            return
        post = self.site.database.row("SELECT * FROM content WHERE id = ?", (wanted,))
        types = self.site.content_registry.types
        if post is None or not may_edit(types, principal, post):
            raise NotAllowed(principal, "rest_cannot_edit", _("You may not attach files to this item."))
        if post["type"] == self.resource.name:
            raise ApiError("rest_invalid_param", _("A file can't be attached to another file."))

    def create(self, args: Arguments, principal: Principal, open_upload: OpenUpload | None = None) -> Item:
        """Keep the file that is received, and store the item that tells of it."""
        self.check_create(args, principal)
        self.admit("create", principal)  # before the file is received
        if open_upload is None:
            raise ApiError("rest_upload_no_data", _("No file was sent."))
        with stored(self.site, open_upload()) as file:
            return super().create({**args, "title": args.get("title") or file.title, "file": file}, principal)

    def values(self, args: dict[str, Any], row: Any, principal: Principal) -> dict[str, Any]:
        """Return the columns of a write, and under `media` those of the file."""
        renamed = {TEXTS.get(name, name): value for name, value in args.items()}
        place = {"parent_id": args["post"]} if args.get("post") is not None else {}
        values = super().values({**renamed, **place}, row, principal) | place
        file: StoredFile | None = args.get("file")
        if file is not None:
            values["mime_type"] = file.kind.mime
        return values | {"media": self._media(args, file)}

    def _media(self, args: dict[str, Any], file: StoredFile | None) -> dict[str, Any]:
        values = {"alt_text": clean_line(args["alt_text"])} if args.get("alt_text") is not None else {}
        if file is None:
            return values
        return {**values, "file": file.key, "size": file.size, "details": orjson.dumps(file.details).decode()}

    def _status(self, args: dict[str, Any], row: Any, principal: Principal) -> str:
        present = row["status"] if row is not None else INHERIT
        sent = args.get("status")
        if sent is None or sent == present:
            return str(present)
        if sent not in self.content_registry.writable:
            raise InvalidParams({"status": _("An item can't be put in this state by writing it.")})
        if sent == "private" and not self.policy.may_publish(principal):
            raise NotAllowed(
                principal, "rest_cannot_publish", _("You may not publish. Save it as pending for review.")
            )
        return "private" if sent == "private" else INHERIT

    def _defaults(self, values: dict[str, Any], now: str) -> dict[str, Any]:
        closed = {"ping_status": values.get("ping_status", "closed")}
        return super()._defaults(values, now) | closed

    def insert(self, values: dict[str, Any], principal: Principal) -> int:
        """Store a new item and what is known of its file."""
        media = values.pop("media")
        id = super().insert(values, principal)
        self.site.database.run(Media.insert(content_id=id, **media))
        return id

    def modify(self, row: Any, values: dict[str, Any], principal: Principal) -> None:
        """Store changed columns, those of the file too."""
        media = values.pop("media", {})
        super().modify(row, values, principal)
        if media:
            self.site.database.run(Media.update(media).where(Media.content_id == row["id"]))

    def remove(self, row: Any, args: Arguments, principal: Principal) -> None:
        """Delete an item; its files follow when their days of grace are over."""
        file = self.site.database.row("SELECT file, details FROM media WHERE content_id = ?", (row["id"],))
        super().remove(row, args, principal)
        if file is not None and file["file"]:
            keys = all_keys(file["file"], orjson.loads(file["details"]))
            discard_files(self.site, keys, self.site.due_for_removal())
