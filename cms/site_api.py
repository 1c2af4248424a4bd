"""The operations of a resource as Python calls, with the checks and permissions that requests have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from gettext import NullTranslations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

from cms.access.capabilities import Principal
from cms.config import names
from cms.context import SiteContext
from cms.i18n import translate
from cms.media.uploads import CHUNK, TemporaryUpload, Upload
from cms.operations.crud import Operations
from cms.operations.embedding import ALL, Embedding
from cms.operations.results import Item
from cms.operations.walking import BEGINNING, CURSOR, cursor_of
from cms.schema.resource import SerializedItem, SerializedItems
from cms.schema.schemas import Loader, fields_of

#: Who asks: an account's login, or None for a visitor.
User = str | Principal | None


@dataclass(frozen=True)
class Results:
    """One page of a list: its items, how many there are in all, on how many pages.

    Where a cursor decides where it begins, `cursor` is where the next one does, empty after the last; the total is 0
    unless it was asked for.
    """

    items: SerializedItems
    total: int
    pages: int
    cursor: str = ""

    def __iter__(self) -> Iterator[SerializedItem]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


class ResourceClient:
    """The items of one resource; arguments and items look as they do in JSON, `datetime` is taken for dates too.

    All calls raise ApiError, with a code, a message and the status that an HTTP client would get, and TypeError for a
    name that there isn't, which HTTP passes over. `user` is the login of an account, or a Principal; its rights are
    those that count. Without one, a visitor asks.
    """

    def __init__(
        self,
        operations: Operations,
        site: SiteContext,
        embedding: Embedding,
        find_principal: Callable[[str], Principal],
        translation: Callable[[], NullTranslations],
    ) -> None:
        """Prepare for one resource; `find_principal` finds an account by its login."""
        self._operations, self._site, self._embedding = operations, site, embedding
        self._find_principal, self._translation = find_principal, translation

    def list(
        self,
        *,
        user: User = None,
        fields: str | Iterable[str] = (),
        embed: bool | str | Iterable[str] = False,
        cursor: str = "",
        cursor_total: bool = False,
        **arguments: Any,
    ) -> Results:
        """Return the items that match, as the route of the list does.

        `fields` chooses some fields, `embed` adds `_embedded` with all linked items or those of some relations; both
        take one name as a text too. `cursor` begins behind the last item of an earlier page, `*` at the first one.
        """
        principal = self._principal(user)
        args = self._load("list", self._operations.list_loader, arguments)
        args["_fields"] = self._wanted(fields, embed)
        if cursor:
            args[CURSOR] = cursor_of(cursor, cursor_total, arguments)
        found = self._operations.list(args, principal)
        items = self._finished(found.items, principal, embed)
        return Results(items, found.total, found.pages, found.cursor)

    def walk(
        self,
        *,
        user: User = None,
        fields: str | Iterable[str] = (),
        embed: bool | str | Iterable[str] = False,
        per_page: int = 100,
        **arguments: Any,
    ) -> Iterator[SerializedItem]:
        """Yield all items that match, each that stays once, whatever others write meanwhile; read a page at a time."""
        cursor = BEGINNING[-1]
        while cursor:
            page = self.list(
                user=user, fields=fields, embed=embed, cursor=cursor, per_page=per_page, **arguments
            )
            yield from page
            cursor = page.cursor

    def get(
        self,
        id: int,
        *,
        user: User = None,
        fields: str | Iterable[str] = (),
        embed: bool | str | Iterable[str] = False,
        **arguments: Any,
    ) -> SerializedItem:
        """Return one item."""
        principal = self._principal(user)
        args = self._load("get", self._operations.get_loader, arguments)
        item = self._operations.get(id, {**args, "_fields": self._wanted(fields, embed)}, principal)
        return self._finished([item.data], principal, embed)[0]

    def create(
        self, *, user: User, file: Path | BinaryIO | None = None, file_name: str = "", **values: Any
    ) -> SerializedItem:
        """Store an item and return its editable form; media take a file, and its name where it isn't a path."""
        principal = self._principal(user)
        args = self._load("create", self._operations.create_loader, values)
        if file is None:
            return self._answer(self._operations.create(args, principal))
        name = file_name or (file.name if isinstance(file, Path) else "")
        self._site.config.incoming.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=self._site.config.incoming) as folder:
            open_upload = _Receiver(file, name, Path(folder), self._site.config["max_upload"])
            return self._answer(self._operations.create(args, principal, open_upload))

    def update(self, id: int, *, user: User, **values: Any) -> SerializedItem:
        """Change an item and return its editable form."""
        principal = self._principal(user)
        args = self._load("update", self._operations.update_loader, values)
        return self._answer(self._operations.update(id, args, principal))

    def delete(self, id: int, *, user: User, **arguments: Any) -> SerializedItem:
        """Move an item to the trash, or with `force=True` delete it for good."""
        principal = self._principal(user)
        args = self._load("delete", self._operations.delete_loader, arguments)
        return self._answer(self._operations.delete(id, args, principal))

    def _load(self, call: str, loader: Loader, given: SerializedItem) -> dict[str, Any]:
        """Return checked arguments; raises TypeError for a name that the call doesn't take."""
        for name in given:
            if name not in loader.fields:
                raise TypeError(self._unknown(f"{call}() takes no {name!r}", name, loader.fields))
        return loader.load(_plain(given))

    def _wanted(self, fields: str | Iterable[str], embedded: Any) -> frozenset[str] | None:
        """Return the names of the fields to show, None for all; raises TypeError for a name that there isn't."""
        chosen = _names(fields)
        known = (*fields_of(self._operations.resource.schema), "_links", "_embedded")
        for name in chosen:
            if name.partition(".")[0] not in known:
                raise TypeError(self._unknown(f"there is no field {name!r}", name, known))
        if not chosen:
            return None
        return chosen | {"_links"} if embedded else chosen

    def _unknown(self, what: str, name: str, known: Iterable[str]) -> str:
        near = get_close_matches(name, list(known), 1)
        told = f"Did you mean {near[0]}?" if near else f"There are: {', '.join(sorted(known))}"
        return f"{self._operations.resource.base}: {what}. {told}"

    def _principal(self, user: User) -> Principal:
        if user is None or isinstance(user, Principal):
            return user or Principal()
        return self._find_principal(user)

    def _answer(self, item: Item) -> SerializedItem:
        return self._finished([item.data], Principal(), False)[0]

    def _finished(self, items: SerializedItems, principal: Principal, embedded: Any) -> SerializedItems:
        if embedded:
            relations = frozenset({ALL}) if embedded is True else _names(embedded)
            self._embedding.embed(items, relations, principal)
        translated: SerializedItems = translate(items, self._translation())
        return translated


@dataclass(frozen=True)
class _Receiver:
    """Copies a file to where uploads arrive, when the operation asks for it."""

    file: Path | BinaryIO
    name: str
    folder: Path
    most: int

    def __call__(self) -> Upload:
        arrival = TemporaryUpload(self.folder, self.most)
        if isinstance(self.file, Path):
            with self.file.open("rb") as file:
                self._copy(file, arrival)
        else:
            self._copy(self.file, arrival)
        return Upload(self.name, arrival.path, arrival.size, form=True)

    def _copy(self, file: BinaryIO, arrival: TemporaryUpload) -> None:
        while piece := file.read(CHUNK):
            arrival.write(piece)
        arrival.close()


def _plain(arguments: SerializedItem) -> SerializedItem:
    return {
        name: value.isoformat() if isinstance(value, datetime) else value for name, value in arguments.items()
    }


def _names(given: str | Iterable[str]) -> frozenset[str]:
    """Return several names; a text is one of them, or several with commas."""
    return frozenset(names(given))
