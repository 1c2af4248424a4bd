"""Requests with what the oracle says of their answers: items, lists, searches, revisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from visibility import oracle
from visibility.facts import HIDDEN_TERMS, Item
from visibility.world import World, chunks

Marks = frozenset[str]
NOTHING: Marks = frozenset()
STATUSES = ("publish", "future", "draft", "pending", "private", "trash")


class Seen(NamedTuple):
    """What the asker gets: an answer or a refusal, and the marks that stand in it."""

    #: None where either will do.
    is_answered: bool | None
    required: Marks = NOTHING
    #: May stand there too: what the form of the answer decides, and not who asks.
    allowed: Marks = NOTHING
    #: Of a list: just these, and its total says so.
    ids: frozenset[int] | None = None
    #: Of a term: how many items it says to have.
    count: int | None = None
    #: Of a list that is longer than its page.
    total: int | None = None


REFUSED = Seen(False)


class Ask(NamedTuple):
    """A request to a route, what it judges, and what each asker gets."""

    route: str
    path: str
    subjects: int
    judge: Callable[[str | None], Seen]


def shown(asker: str | None, item: Item, password: str = "", is_editing: bool = False) -> tuple[Marks, Marks]:
    """Return the marks of an item that may be read: those that each form has, and those that some have."""
    required, allowed = item.marks("n"), item.marks("ngsk")
    if item.collection == "media":
        return required, item.marks("ngxtf")
    if item.collection == "menu-items":
        return required, item.marks("ng")
    if oracle.may_read_text(asker, item, password, is_editing):
        allowed |= item.marks("txw")
        required |= item.marks("x")
    if is_editing and oracle.may_change(asker, item):
        allowed |= item.marks("p") if item.password else NOTHING
        required |= allowed & item.marks("tpk")
    return required, allowed


def answered(pairs: Iterable[tuple[Marks, Marks]], ids: Iterable[int] | None = None) -> Seen:
    """Put together what an answer shows."""
    required, allowed = NOTHING, NOTHING
    for needed, possible in pairs:
        required, allowed = required | needed, allowed | possible | needed
    return Seen(True, required, allowed, None if ids is None else frozenset(ids))


# Single items.


def item_asks(world: World) -> Iterator[Ask]:
    for item in world.of("posts", "pages", "events", "media", "menu-items"):
        route = f"/{item.collection}/{{id}}"
        for query, password, is_editing in _item_queries(item):
            yield Ask(route, item.path + query, 1, partial(_judge_item, item, password, is_editing))
        yield Ask(route, f"{item.path}?_fields=title", 1, partial(_judge_fields, item, "n"))
        if item.collection in ("posts", "pages", "events"):
            yield Ask(route, f"{item.path}?_fields=content,place", 1, partial(_judge_fields, item, "tw"))
            yield Ask(route, f"{item.path}?_embed", 1, partial(_judge_embedding, world, item, ""))
            yield Ask(route, f"{item.path}?_embed&password={item.password or 'none'}", 1, partial(_judge_embedding, world, item, item.password or "none"))


def _item_queries(item: Item) -> Iterator[tuple[str, str, bool]]:
    yield "", "", False
    yield "?context=embed", "", False
    yield "?context=edit", "", True
    if item.collection in ("posts", "pages", "events"):
        yield "?password=wrong", "wrong", False
        yield f"?context=embed&password={item.password or 'none'}", item.password or "none", False
        yield f"?password={item.password or 'none'}", item.password or "none", False


def _judge_item(item: Item, password: str, is_editing: bool, asker: str | None) -> Seen:
    if not (oracle.may_change(asker, item) if is_editing else oracle.may_read(asker, item)):
        return REFUSED
    if password and password != item.password:
        return REFUSED
    return answered([shown(asker, item, password, is_editing)])


def _judge_fields(item: Item, parts: str, asker: str | None) -> Seen:
    if not oracle.may_read(asker, item):
        return REFUSED
    marks = item.marks("".join(set(parts)))
    is_seen = parts == "n" or oracle.may_read_text(asker, item)
    return answered([(item.marks(parts[0]) if is_seen else NOTHING, marks if is_seen else NOTHING)])


def _judge_embedding(world: World, item: Item, password: str, asker: str | None) -> Seen:
    seen = _judge_item(item, password, False, asker)
    if not seen.is_answered:
        return seen
    author, needed = world.about(item.author), NOTHING
    if world.sees(asker, author):
        needed = author.about
    remarks = [remark for remark in world.on(item) if remark.status == "approve"]
    replies = [remark.marks("c") for remark in remarks if oracle.may_read_remark(asker, remark) and item.status != "trash"]
    with_password = [remark.marks("c") for remark in remarks if oracle.may_read_remark(asker, remark, password)]
    terms = HIDDEN_TERMS if oracle.may(asker, "manage_options") else NOTHING
    return answered([(seen.required, seen.allowed | terms), (needed, needed), *((each, each) for each in replies), *((NOTHING, each) for each in with_password)])


# Lists.


def list_asks(world: World) -> Iterator[Ask]:
    for collection in ("posts", "pages", "events", "media", "menu-items"):
        statuses = ("inherit", "private", "trash") if collection == "media" else STATUSES
        items = world.of(collection)
        for status in (*statuses, ",".join(statuses), *([] if collection == "media" else ["any"])):
            chosen = [item for item in items if item.status in _wanted(status)]
            for some in chunks(chosen, 90):
                yield from _include_asks(collection, status, some)
    for item in world.of("posts", "pages", "events", "media"):
        yield from _finding_asks(item)


def total_asks(world: World) -> Iterator[Ask]:
    """Ask for whole lists by a page of one: their totals are counted otherwise than those of chosen ids."""
    for collection in ("posts", "pages", "events", "media", "menu-items"):
        items = [item for item in world.everything if item.collection == collection]
        statuses = ("inherit", "private", "trash") if collection == "media" else (*STATUSES, "any")
        for status in (*statuses, ",".join(statuses).removesuffix(",any")):
            for query, is_editing in (("", False), ("&context=edit", True)):
                path = f"/{collection}?status={status}&per_page=1{query}"
                yield Ask(f"/{collection}", path, len(items), partial(_judge_total, world, collection, _wanted(status), items, is_editing))
            for account in world.accounts if collection != "menu-items" else ():
                own = [item for item in items if item.author == account.name]
                path = f"/{collection}?status={status}&per_page=1&author={account.id}"
                yield Ask(f"/{collection}", path, len(own), partial(_judge_total, world, collection, _wanted(status), own, False))


def _judge_total(world: World, collection: str, statuses: set[str], items: Sequence[Item], is_editing: bool, asker: str | None) -> Seen:
    seen = _judge_list(collection, statuses, items, is_editing, asker)
    # The newest posts have galleries, which show the files that the asker may read.
    files = [file.marks("fxtng") for file in world.of("media") if collection == "posts" and oracle.may_read(asker, file)]
    allowed = seen.allowed.union(*files) if seen.is_answered else NOTHING
    return seen._replace(required=NOTHING, allowed=allowed, ids=None, total=None if seen.ids is None else len(seen.ids))


def _wanted(status: str) -> set[str]:
    return set(STATUSES) - {"trash"} if status == "any" else set(status.split(","))


def _include_asks(collection: str, status: str, items: Sequence[Item]) -> Iterator[Ask]:
    include = ",".join(str(item.id) for item in items)
    path = f"/{collection}?status={status}&include={include}&per_page=100"
    route = f"/{collection}"
    for query, is_editing in (("", False), ("&context=edit", True), ("&context=embed", False), ("&orderby=title&order=asc", False)):
        yield Ask(route, path + query, len(items), partial(_judge_list, collection, _wanted(status), items, is_editing))
    yield Ask(route, f"{path}&_fields=id,content", len(items), partial(_judge_list, collection, _wanted(status), items, None))


def _judge_list(collection: str, statuses: set[str], items: Sequence[Item], is_editing: bool | None, asker: str | None) -> Seen:
    if not oracle.may_list(asker, collection, statuses, bool(is_editing)):
        return REFUSED
    found = [item for item in items if oracle.is_listed(asker, item, statuses, bool(is_editing))]
    marks = [shown(asker, item, "", bool(is_editing)) for item in found]
    if is_editing is None:
        marks = [(NOTHING, allowed & item.marks("t") | _own_marks(item)) for item, (_needed, allowed) in zip(found, marks, strict=True)]
    return answered(marks, [item.id for item in found])


def _own_marks(item: Item) -> Marks:
    return item.marks("f") if item.collection == "media" else NOTHING


def _finding_asks(item: Item) -> Iterator[Ask]:
    """Ask for an item by words of its texts, its slugs and its tag: of what is secret nothing is found by anybody."""
    route, status = f"/{item.collection}", f"status={item.status}"
    for part in "ntx" if item.collection == "media" else "ntxprv":
        mark = "".join(item.marks(part))
        judge = partial(_judge_search, item, part in "prv")
        yield Ask(route, f"{route}?{status}&search={mark}", 1, judge)
        if part in "tp":
            yield Ask(route, f"{route}?{status}&search={mark}&orderby=relevance&_fields=id", 1, partial(_judge_bare_search, judge))
    own_slug = mark_of(item, "g") + ("__trashed" if item.status == "trash" else "")
    for slug in (own_slug, *([mark_of(item, "k")] if item.collection != "media" else [])):
        yield Ask(route, f"{route}?{status}&slug={slug}", 1, partial(_judge_found, item))
    if item.tag:
        yield Ask(route, f"{route}?{status}&tags={item.tag}", 1, partial(_judge_found, item))
    if item.collection != "media":
        yield Ask(route, f"{route}?{status}&seo_title={mark_of(item, 's')}", 1, partial(_judge_found, item))
    if item.collection == "events":
        yield Ask(route, f"{route}?{status}&place={mark_of(item, 'w')}", 1, partial(_judge_search, item, False))


def mark_of(item: Item, part: str) -> str:
    return "".join(item.marks(part))


def _judge_found(item: Item, asker: str | None) -> Seen:
    return _judge_list(item.collection, {item.status}, [item], False, asker)


def _judge_search(item: Item, is_secret: bool, asker: str | None) -> Seen:
    is_found = not is_secret and oracle.is_found(asker, item)
    return _judge_list(item.collection, {item.status}, [item] if is_found else [], False, asker)


def _judge_bare_search(judge: Callable[[str | None], Seen], asker: str | None) -> Seen:
    return judge(asker)._replace(required=NOTHING, allowed=NOTHING)


# Previews.


def preview_asks(world: World) -> Iterator[Ask]:
    for item in world.of("posts", "pages", "events"):
        if item.id not in world.tokens:
            continue
        own, other = world.tokens[item.id], next(token for id, token in world.tokens.items() if id != item.id)
        route = f"/{item.collection}/{{id}}"
        yield Ask(route, f"{item.path}?preview={own}", 1, partial(_judge_preview, item))
        yield Ask(route, f"{item.path}?preview={own}&context=embed", 1, partial(_judge_preview, item))
        yield Ask(route, f"{item.path}?preview={own}&context=edit", 1, partial(_judge_item, item, "", True))
        yield Ask(route, f"{item.path}?preview={other}", 1, lambda asker: REFUSED)
        yield Ask(f"/{item.collection}", f"/{item.collection}?include={item.id}&status={item.status}&preview={own}", 1, partial(_judge_found, item))


def _judge_preview(item: Item, asker: str | None) -> Seen:
    if not oracle.may_preview(asker, item):
        return REFUSED
    return answered([(item.marks("nx"), item.marks("ngsktxw"))])


# Earlier texts.


def version_asks(world: World) -> Iterator[Ask]:
    for item in world.of("posts", "pages", "events"):
        judge = partial(_judge_versions, item)
        other = next(each for each in world.of(item.collection) if each.id != item.id)
        for kind, list_route, id_route in (("revisions", "{parent}", "{parent}"), ("autosaves", "{id}", "{parent}")):
            yield Ask(f"/{item.collection}/{list_route}/{kind}", f"{item.path}/{kind}", 1, judge)
            yield Ask(f"/{item.collection}/{list_route}/{kind}", f"{item.path}/{kind}?context=embed", 1, judge)
            for id in world.versions(item, kind):
                route = f"/{item.collection}/{id_route}/{kind}/{{id}}"
                yield Ask(route, f"{item.path}/{kind}/{id}?context=edit", 1, judge)
                yield Ask(route, f"{other.path}/{kind}/{id}", 1, lambda asker: REFUSED)


def _judge_versions(item: Item, asker: str | None) -> Seen:
    if not oracle.may_change(asker, item):
        return REFUSED
    return answered([(NOTHING, item.marks("ngtxrvskwp"))])
