"""Requests with what the oracle says of their answers: what hangs on items, and what plugins make of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from visibility import oracle
from visibility.asks import NOTHING, REFUSED, Ask, Marks, Seen, answered, shown
from visibility.facts import HIDDEN_TERMS, Account, Item, Remark
from visibility.world import World

# Comments.


def remark_asks(world: World) -> Iterator[Ask]:
    for remark in world.remarks:
        path, password = f"/comments/{remark.id}", remark.on.password
        judge = partial(_judge_remark, world, remark)
        yield Ask("/comments/{id}", path, 1, partial(judge, "", False, False))
        yield Ask("/comments/{id}", f"{path}?password=wrong", 1, partial(judge, "wrong", False, False))
        yield Ask("/comments/{id}", f"{path}?context=edit", 1, partial(judge, "", True, False))
        yield Ask("/comments/{id}", f"{path}?_embed", 1, partial(judge, "", False, True))
        if password:
            yield Ask("/comments/{id}", f"{path}?password={password}", 1, partial(judge, password, False, False))
    for item in world.of("posts", "pages"):
        yield from _post_asks(world, item)


def _judge_remark(world: World, remark: Remark, password: str, is_editing: bool, is_embedding: bool, asker: str | None) -> Seen:
    if is_editing and not oracle.may(asker, "moderate_comments"):
        return REFUSED
    if not oracle.may_read_remark(asker, remark, password):
        return REFUSED
    # The link of a comment has the slug of what it is on.
    required, allowed = remark.marks("c"), remark.on.marks("g") | remark.marks("l" if is_editing else "c")
    pairs = [(required, allowed)]
    if is_embedding:
        writer = world.about(remark.author)
        about = writer.about if world.sees(asker, writer) else NOTHING
        item = shown(asker, remark.on) if oracle.may_read(asker, remark.on) else (NOTHING, NOTHING)
        pairs += [(about, about), item]
    return answered(pairs)


def _post_asks(world: World, item: Item) -> Iterator[Ask]:
    """Ask for the comments on an item, in each status, with passwords, by words and by ids."""
    remarks = world.on(item)
    for status in ("approve", "hold", "spam", "trash", "any"):
        chosen = [remark for remark in remarks if status in (remark.status, "any")]
        for password in ("", "wrong", *([item.password] if item.password else [])):
            path = f"/comments?post={item.id}&status={status}" + (f"&password={password}" if password else "")
            yield Ask("/comments", path, len(chosen), partial(_judge_remarks, item, chosen, status, password))
        yield Ask("/comments", f"/comments?include={_ids(remarks)}&status={status}", len(chosen), partial(_judge_remarks, None, chosen, status, ""))
        yield Ask("/comments", f"/comments?include={_ids(remarks)}&status={status}&context=edit", len(chosen), partial(_judge_edited, chosen, status))
    for remark in remarks:
        for part in "cl":
            path = f"/comments?status={remark.status}&search={''.join(remark.marks(part))}"
            yield Ask("/comments", path, 1, partial(_judge_search, remark, part))


def remark_totals(world: World) -> Iterator[Ask]:
    for status in ("approve", "hold", "spam", "trash", "any"):
        chosen = [remark for remark in world.remarks if status in (remark.status, "any")]
        yield Ask("/comments", f"/comments?status={status}&per_page=1", len(chosen), partial(_judge_total, chosen, status))
        for account in world.accounts:
            own = [remark for remark in chosen if remark.author == account.name]
            judge = partial(_judge_guarded, own, status)
            yield Ask("/comments", f"/comments?status={status}&author={account.id}&per_page=1", len(own), judge)


def _judge_total(remarks: Sequence[Remark], status: str, asker: str | None) -> Seen:
    seen = _judge_remarks(None, remarks, status, "", asker)
    return seen._replace(required=NOTHING, ids=None, total=None if seen.ids is None else len(seen.ids))


def _judge_guarded(remarks: Sequence[Remark], status: str, asker: str | None) -> Seen:
    """Judge a filter that needs authorization."""
    return _judge_total(remarks, status, asker) if oracle.may(asker, "edit_posts") else REFUSED


def _ids(remarks: Sequence[Remark]) -> str:
    return ",".join(str(remark.id) for remark in remarks) or "999999"


def _judge_remarks(item: Item | None, remarks: Sequence[Remark], status: str, password: str, asker: str | None) -> Seen:
    """Judge a list; `item` is what was named in it, whose comments must be readable at all."""
    if item and not oracle.may_read_remarks(asker, item, password):
        return REFUSED
    if status != "approve" and not oracle.may(asker, "edit_posts"):
        return REFUSED
    found = [remark for remark in remarks if _is_listed(asker, remark, status, password)]
    return answered([(remark.marks("c"), remark.marks("c") | remark.on.marks("g")) for remark in found], [remark.id for remark in found])


def _is_listed(asker: str | None, remark: Remark, status: str, password: str) -> bool:
    if remark.on.status == "trash" and status != "any":
        return False  # these are listed where all are asked for
    return oracle.may_read_remark(asker, remark, password) and oracle.may_read_remarks(asker, remark.on, password)


def _judge_edited(remarks: Sequence[Remark], status: str, asker: str | None) -> Seen:
    if not oracle.may(asker, "moderate_comments"):
        return REFUSED
    seen = _judge_remarks(None, remarks, status, "", asker)
    return seen._replace(allowed=seen.allowed | NOTHING.union(*(remark.marks("l") for remark in remarks if remark.id in (seen.ids or ()))))


def _judge_search(remark: Remark, part: str, asker: str | None) -> Seen:
    is_found = part == "c" or oracle.may(asker, "moderate_comments")
    return _judge_remarks(None, [remark] if is_found else [], remark.status, "", asker)


# Files, pictures, pages above.


def linked_asks(world: World) -> Iterator[Ask]:
    files = world.of("media")
    for item in world.of("posts", "pages", "events"):
        attached = [file for file in files if file.on == item]
        yield Ask("/media", f"/media?parent={item.id}", len(attached), partial(_judge_attached, attached))
    for item in world.of("media", "pages"):
        path = world.holders[item.id]
        yield Ask(f"/{path.split('/')[1]}/{{id}}", f"{path}?_embed", 1, partial(_judge_linked, world, [item], True))
    for path, some in world.galleries:
        yield Ask("/posts/{id}", path, len(some), partial(_judge_linked, world, some, False))
        yield Ask("/posts", f"/posts?include={path.split('/')[2]}&_fields=content", len(some), partial(_judge_linked, world, some, False))
    for item in world.of("menu-items"):
        yield Ask("/menu-items/{id}", f"{item.path}?_embed", 1, partial(_judge_menu_item, item))


def _judge_attached(files: Sequence[Item], asker: str | None) -> Seen:
    found = [file for file in files if oracle.is_listed(asker, file, {"inherit"})]
    return answered([shown(asker, file) for file in found], [file.id for file in found])


def _judge_linked(world: World, items: Sequence[Item], is_embedded: bool, asker: str | None) -> Seen:
    seen = [shown(asker, item) for item in items if oracle.may_read(asker, item)]
    if not is_embedded:
        # Galleries show what is attached, in the state of attached files.
        seen = [(item.marks("f" if item.status == "inherit" else ""), item.marks("fxtng")) for item in items if oracle.may_read(asker, item)]
    authors = [(NOTHING, account.about) for account in world.accounts if world.sees(asker, account)]
    return answered([*seen, *authors])


def _judge_menu_item(item: Item, asker: str | None) -> Seen:
    assert item.on is not None
    if not oracle.may_read(asker, item):
        return REFUSED
    return answered([shown(asker, item), shown(asker, item.on)])


# Terms.

#: What is grouped, by the route of the terms.
GROUPING = {"/categories": "posts", "/event-venues": "events", "/menus": "menu-items"}


def _refused(asker: str | None) -> Seen:
    return REFUSED


def term_asks(world: World) -> Iterator[Ask]:
    for item in world.of("posts"):
        yield Ask("/tags", f"/tags?post={item.id}", 1, partial(_judge_tags, world, item))
        yield Ask("/tags", f"/tags?include={item.tag}&hide_empty=true", 1, partial(_judge_used, item))
        yield Ask("/tags/{id}", f"/tags/{item.tag}", 1, partial(_judge_count, item))
    for path in ("/tags", "/event-venues"):
        for query in ("per_page=100", "search=hidden", "slug=zq9001y-hidden,zq9002y-hidden", "orderby=count&order=desc"):
            yield Ask(path, f"{path}?{query}", 1, lambda asker: answered([(NOTHING, _hidden_terms(asker))]))
    for item in world.of("posts", "pages", "events", "media", "menu-items"):
        for route, collection in GROUPING.items():
            judge = partial(_judge_terms, item, None) if collection == item.collection else _refused
            yield Ask(route, f"{route}?post={item.id}", 1, judge)


def _judge_tags(world: World, item: Item, asker: str | None) -> Seen:
    ids = {item.tag} | world.id_of_hidden(asker)
    return _judge_terms(item, ids, asker)._replace(allowed=_hidden_terms(asker))


def _hidden_terms(asker: str | None) -> Marks:
    return HIDDEN_TERMS if oracle.may(asker, "manage_options") else NOTHING


def _judge_terms(item: Item, ids: set[int] | None, asker: str | None) -> Seen:
    if not oracle.may_read(asker, item):
        return REFUSED
    return answered([(NOTHING, _hidden_terms(asker))], ids)


def _judge_count(item: Item, asker: str | None) -> Seen:
    return Seen(True, count=int(item.status == "publish"))


def _judge_used(item: Item, asker: str | None) -> Seen:
    return answered([], [item.tag] if item.status == "publish" else [])


# Accounts.


def account_asks(world: World) -> Iterator[Ask]:
    for account in world.accounts:
        judge = partial(_judge_account, world, account)
        yield Ask("/users/{id}", f"/users/{account.id}", 1, partial(judge, False))
        yield Ask("/users/{id}", f"/users/{account.id}?context=edit", 1, partial(judge, True))
        login = world.client.account(account.name)[0]
        yield Ask("/users", f"/users?search={login}&include={account.id}", 1, partial(_judge_accounts, world, [account]))
        yield Ask("/users", f"/users?slug={login}", 1, partial(_judge_accounts, world, [account]))
    ids = ",".join(str(account.id) for account in world.accounts)
    yield Ask("/users", f"/users?include={ids}&per_page=100", len(world.accounts), partial(_judge_accounts, world, world.accounts))


def _judge_account(world: World, account: Account, is_editing: bool, asker: str | None) -> Seen:
    is_seen = world.sees(asker, account)
    if is_editing:
        is_seen = asker == account.name or oracle.may(asker, "manage_options")
    return answered([(account.about, NOTHING)]) if is_seen else REFUSED


def _judge_accounts(world: World, accounts: Sequence[Account], asker: str | None) -> Seen:
    found = [account for account in accounts if oracle.is_account_listed(asker, account, world.everything)]
    return answered([(account.about, NOTHING) for account in found], [account.id for account in found])


# Of plugins.


def event_asks(world: World) -> Iterator[Ask]:
    events = world.of("events")
    yield Ask("/events/upcoming", "/events/upcoming?per_page=100", len(events), partial(_judge_upcoming, events))
    yield Ask("/events/calendar", "/events/calendar", len(events), lambda asker: _judge_calendar(events))


def _judge_upcoming(events: Sequence[Item], asker: str | None) -> Seen:
    found = [event for event in events if oracle.is_listed(asker, event, {"publish"})]
    return answered([shown(asker, event) for event in found], [event.id for event in found])


def _judge_calendar(events: Sequence[Item]) -> Seen:
    """Whoever asks gets what visitors see."""
    found = [event for event in events if oracle.is_listed(None, event, {"publish"})]
    return answered([shown(None, event) for event in found])
