"""The rules of media: those of content, with a file, and with the visibility of what the file is attached to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import orjson

from cms.access.capabilities import Principal
from cms.db import QueryPlan
from cms.db.expressions import INHERIT, parent_column
from cms.db.models import ContentRow
from cms.db.peewee_types import Build
from cms.db.reader import Columns
from cms.errors import ApiError, NotAllowed
from cms.i18n import _
from cms.media.uploads import OpenUpload
from cms.operations.rules import Draft, ResourceRules
from cms.operations.services import Services
from cms.rendering.plain import alternative_text
from cms.resources.content.drafts import may_not_publish, not_writable
from cms.resources.content.rules import NOT_FOUND, ORDERS, PERMISSION_COLUMNS, ContentRules
from cms.resources.media.files import StoredFile, all_keys, close_files, stored
from cms.schema.resource import Arguments, Resource

CAPABILITY = "upload_files"
#: Fields of media, with the names that other content has for the same columns.
TEXTS = {"description": "content", "caption": "excerpt"}
FILE = "file"


class ReadyMedia(NamedTuple):
    """What is made ready of a write: the columns of its texts, and the file of a new item."""

    texts: Columns | None
    file: StoredFile | None


class MediaRules(ResourceRules[ContentRow]):
    """The rules of media items; what isn't special about them is left to the rules of content."""

    permission_columns = PERMISSION_COLUMNS
    not_found = NOT_FOUND
    exists_code = "rest_post_exists"
    page_limit_code = "rest_post_invalid_page_number"
    offset_counts_pages = False
    counts_past_offset = False
    orders = ORDERS
    #: A row tells from what it inherits its visibility.
    computed_columns = {"parent": parent_column}

    def __init__(self, services: Services, resource: Resource) -> None:
        super().__init__(services, resource)
        self.content = ContentRules(services, resource)
        self.content.open_statuses = (INHERIT,)

    def scope(self) -> Build:
        """Return the condition of media items."""
        return self.content.scope()

    # Permissions.

    def may_create(self, principal: Principal) -> bool:
        """Tell whether the principal may upload files."""
        return principal.may(CAPABILITY)

    def may_update(self, principal: Principal, row: ContentRow) -> bool:
        """Tell whether the principal may change this item."""
        return self.content.may_update(principal, row)

    def may_delete(self, principal: Principal, row: ContentRow) -> bool:
        """Tell whether the principal may trash or delete this item."""
        return self.content.may_delete(principal, row)

    def check_create(self, args: Arguments, principal: Principal) -> None:
        """Raise ApiError for uploads without the capability, then for those attached to what may not be changed."""
        self.content.check_claims(args, principal)
        super().check_create(args, principal)
        self._check_post(args, 0, principal)

    def check_update(self, row: ContentRow, args: Arguments, principal: Principal) -> None:
        """Raise ApiError for changes without the capability, then for a move to what may not be changed."""
        self.content.check_update(row, args, principal)
        self._check_post(args, row["parent_id"], principal)

    def _check_post(self, args: Arguments, present: int, principal: Principal) -> None:
        wanted = args.get("post")
        if not wanted or wanted == present:
            return
        post = self.site.stores.content.find(wanted)
        if post is None or not self.services.visibility.may_edit(principal, post):
            message = _("You may not attach files to this item.")
            raise NotAllowed(principal, "rest_cannot_edit", message)
        if post["type"] == self.resource.name:
            raise ApiError("rest_invalid_param", _("A file can't be attached to another file."))

    # Visibility.

    def check_list(self, args: Arguments, principal: Principal) -> None:
        """Raise ApiError for the editable form and other statuses than that of attached files to readers."""
        self.content.check_list(args, principal, self.may_create(principal))

    def check_read(self, row: ContentRow, args: Arguments, principal: Principal) -> None:
        """Raise ApiError where the principal may not read the item."""
        self.content.check_read(row, args, principal)

    def filter_list(self, plan: QueryPlan, args: Arguments, principal: Principal) -> None:
        """Show what has the wanted statuses and may be read."""
        self.content.filter_list(plan, args, principal)

    def filter_by_plugins(self, plan: QueryPlan, args: Arguments, principal: Principal) -> None:
        """Narrow a list to items that plugins don't hide, themselves or what they are attached to."""
        self.content.filter_by_plugins(plan, args, principal)

    def hidden_by_plugins(self, rows: Sequence[ContentRow], principal: Principal) -> dict[int, ApiError]:
        """Return which items plugins hide, themselves or what they are attached to."""
        return self.content.hidden_by_plugins(rows, principal)

    def total_by_numbers(self, plan: QueryPlan, args: Arguments, principal: Principal) -> None:
        """Give a list the total that is kept, where it is one that is."""
        self.content.total_by_numbers(plan, args, principal)

    def order(self, plan: QueryPlan, args: Arguments) -> bool:
        """Order by relevance where that is asked for."""
        return self.content.order(plan, args)

    def status_of(self, row: ContentRow) -> str:
        """Return the status that an item is shown with."""
        return self.content.status_of(row)

    # Writing.

    @contextmanager
    def receive(
        self, args: Arguments, open_upload: OpenUpload | None
    ) -> Iterator[tuple[Arguments, StoredFile | None]]:
        """Store the uploaded file, which gives the item its title if it has no other.

        Raises ApiError where no file was sent, or one that isn't accepted.
        """
        if open_upload is None:
            raise ApiError("rest_upload_no_data", _("No file was sent."))
        with stored(self.site, open_upload()) as file:
            yield {**args, "title": args.get("title") or file.title}, file

    def before_change(self, row: ContentRow) -> None:
        """Tell of a publication that is due before the item is something else."""
        self.content.before_change(row)

    def prepare(
        self, args: Arguments, row: ContentRow | None, principal: Principal, file: StoredFile | None
    ) -> ReadyMedia:
        """Return the columns of the texts, sanitised and rendered, with the file."""
        return ReadyMedia(self.content.prepare(_renamed(args), row, principal, file), file)

    def draft(
        self, args: Arguments, row: ContentRow | None, principal: Principal, ready: ReadyMedia | None = None
    ) -> Draft:
        """Return the columns of a write, its terms and what is known of its file; raises ApiError as content does."""
        texts, file = ready or ReadyMedia(None, None)
        status = self._status(args, row, principal)
        draft = self.content.drafts.build(_renamed(args), row, principal, status, texts)
        if row is None:
            draft.columns["ping_status"] = args.get("ping_status") or "closed"
        draft.related[FILE] = {}
        if args.get("alt_text") is not None:
            draft.related[FILE]["alt_text"] = alternative_text(args["alt_text"])
        if file is not None:
            draft.columns["mime_type"] = file.kind.mime
            details = orjson.dumps(file.details).decode()
            draft.related[FILE] |= {"file": file.key, "size": file.size, "details": details}
        return draft

    def _status(self, args: Arguments, row: ContentRow | None, principal: Principal) -> str:
        present = INHERIT if row is None else row["status"]
        sent = args.get("status")
        if sent is None or sent == present:
            return present
        if sent not in self.site.content_registry.writable:
            raise not_writable()
        if sent != "private":
            return INHERIT
        if not self.content.policy.may_publish(principal):
            raise may_not_publish(principal)
        return "private"

    def insert(self, draft: Draft, principal: Principal) -> int:
        """Store a new item and what is known of its file."""
        id = self.content.insert(draft, principal)
        self.site.stores.media.add_file(id, draft.related[FILE])
        return id

    def update(self, row: ContentRow, draft: Draft, principal: Principal) -> None:
        """Store changed columns, those of the file too."""
        self.content.update(row, draft, principal)
        if draft.related[FILE]:
            self.site.stores.media.update_file(row["id"], draft.related[FILE])

    def trash(self, row: ContentRow, principal: Principal) -> None:
        """Move an item to the trash; raises ApiError where it is there already."""
        self.content.trash(row, principal)

    def delete(self, row: ContentRow, args: Arguments, principal: Principal) -> None:
        """Delete an item; its files are served no more, and removed when their retention period is over."""
        file = self.site.stores.media.file_of(row["id"])
        self.content.delete(row, args, principal)
        if file is not None and file["file"]:
            keys = all_keys(file["file"], orjson.loads(file["details"]))
            self.site.stores.media.discard(keys, self.site.removal_date(), withdrawn=True)
            close_files(self.site, keys)


def _renamed(args: Arguments) -> Arguments:
    """Return the arguments of a write by the names that other content has for them."""
    renamed = {TEXTS.get(name, name): value for name, value in args.items()}
    if args.get("post") is not None:
        renamed["parent_id"] = args["post"]
    return renamed
