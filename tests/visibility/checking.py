"""Sends the requests, as each asker and by each alias, and holds the answers to what the oracle says."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from werkzeug.test import TestResponse

from visibility import asks, asks_around, asks_search, routes
from visibility.asks import Ask, Seen
from visibility.facts import MARK
from visibility.world import ASKERS, World

#: The same route by other addresses: in a language, as WordPress has it, in an envelope, by a POST that stands for a GET.
WAYS = ("//api/cms/v2", "//id/api/cms/v2", "//wp-json/wp/v2", "//id/wp-json/wp/v2", "//?rest_route=/wp/v2", "//api/cms/v2 _envelope", "//api/cms/v2 _method")
TOLD_BY_HEAD = ("X-WP-Total", "X-WP-TotalPages", "ETag", "Content-Length", "Content-Type")


class Told(NamedTuple):
    """An answer, taken out of its envelope."""

    status: int
    headers: dict[str, str]
    text: str
    document: Any


class Checks:
    """What was asked of a site, and what of the answers isn't as it should be."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.cells, self.requests = 0, 0
        self.routes: Counter[str] = Counter()
        self.wrong: list[str] = []

    def run(self, step: int = 1, ways: int = len(WAYS)) -> None:
        """Ask everything, or each so many-th request, by so many ways: those turn from request to request."""
        for position, ask in enumerate(all_asks(self.world)):
            if self.routes[ask.route] and position % step:
                continue
            for place, asker in enumerate(ASKERS):
                for turn in range(ways):
                    self._check(ask, asker, WAYS[(position + place + turn) % len(WAYS)])
            for _again in range(2):  # of visitors' answers some are kept: the second may be one
                self._check(ask, None, WAYS[0])
            if len(ask.path.split("?")[0].split("/")) > 2:
                self._check_tags(ask)

    def sweep(self, step: int = 1) -> None:
        """Ask each route of the site for each so many-th id: nothing may stand in any answer that the asker sees nowhere."""
        seen = {asker: routes.ever_seen(asker, self.world) for asker in ASKERS}
        ids = sorted({item.id for item in self.world.items} | {remark.id for remark in self.world.remarks})[::step]
        for path in routes.every_path(self.world.client, ids):
            for asker in ASKERS:
                answer = self.world.client.get(f"//api{path}", asker)
                self.requests, self.cells = self.requests + 1, self.cells + 1
                if shows := set(MARK.findall(answer.text)) - seen[asker]:
                    self.wrong.append(f"{asker} {path}: shows {sorted(shows)}")

    def _check(self, ask: Ask, asker: str | None, way: str) -> None:
        path = address(ask.path, way)
        is_post = "_method" in way
        answer = self.world.client.send("POST" if is_post else "GET", path, asker)
        self.requests += 1
        self.routes[ask.route] += 1
        self.cells += max(1, ask.subjects)
        seen = ask.judge(asker)
        faults = [*_faults(ask, seen, told(answer, way)), *(() if is_post else self._head_faults(path, asker, answer))]
        self.wrong += [f"{asker} {path}: {fault}" for fault in faults]

    def _head_faults(self, path: str, asker: str | None, answer: TestResponse) -> Iterator[str]:
        head = self.world.client.send("HEAD", path, asker)
        self.requests += 1
        if head.data:
            yield "a HEAD with a body"
        if head.status_code != answer.status_code:
            yield f"HEAD says {head.status_code}, GET {answer.status_code}"
        for name in TOLD_BY_HEAD:
            if name in head.headers and head.headers[name] != answer.headers.get(name):
                yield f"HEAD says {name} {head.headers.get(name)}, GET {answer.headers.get(name)}"

    def _check_tags(self, ask: Ask) -> None:
        """No tag of another's answer tells that this asker's would be the same, where it isn't."""
        path, client = address(ask.path, WAYS[0]), self.world.client
        answers = {asker: client.get(path, asker) for asker in ASKERS}
        tags = {answer.headers["ETag"]: answer.data for answer in answers.values() if "ETag" in answer.headers}
        for asker, own in answers.items():
            if own.status_code != 200 and "ETag" in own.headers:
                self.wrong.append(f"{asker} {path}: a refusal with a tag")
            wanted = own.status_code if own.status_code != 200 or "ETag" not in own.headers else 304
            if client.get(path, asker, headers={"If-None-Match": "*"}).status_code != wanted:
                self.wrong.append(f"{asker} {path}: another answer for any tag")
            for tag, body in tags.items():
                again = client.get(path, asker, headers={"If-None-Match": tag})
                self.requests, self.cells = self.requests + 1, self.cells + 1
                if (again.status_code == 304) != (own.status_code == 200 and body == own.data):
                    self.wrong.append(f"{asker} {path}: {again.status_code} for the tag {tag} of another's answer")


def all_asks(world: World) -> Iterator[Ask]:
    yield from asks.item_asks(world)
    yield from asks.list_asks(world)
    yield from asks.total_asks(world)
    yield from asks.preview_asks(world)
    yield from asks.version_asks(world)
    yield from asks_around.remark_asks(world)
    yield from asks_around.remark_totals(world)
    yield from asks_around.linked_asks(world)
    yield from asks_around.term_asks(world)
    yield from asks_around.account_asks(world)
    yield from asks_around.event_asks(world)
    yield from asks_search.search_asks(world)


def address(path: str, way: str) -> str:
    """Return the address of a route's path by a way."""
    home, _space, more = way.partition(" ")
    if "?" in home:
        return home + path.replace("?", "&")
    if more:
        path += ("&" if "?" in path else "?") + f"{more}={'GET' if more == '_method' else 1}"
    return home + path


def told(answer: TestResponse, way: str) -> Told:
    """Take an answer out of its envelope, and undo the folding of calendars' lines."""
    text = answer.text.replace("\r\n ", "")
    document = answer.json if answer.mimetype == "application/json" else None
    if "_envelope" in way and isinstance(document, dict) and "body" in document:
        inner = json.dumps(document["body"])
        return Told(document["status"], document["headers"], inner, document["body"])
    return Told(answer.status_code, dict(answer.headers), text, document)


def _faults(ask: Ask, seen: Seen, answer: Told) -> Iterator[str]:
    sent = set(MARK.findall(ask.path))
    if seen.is_answered is not None and (answer.status == 200) != seen.is_answered:
        yield f"{answer.status} {answer.text[:120]}"
        return
    found = set(MARK.findall(answer.text)) - sent
    if found - seen.allowed - seen.required:
        yield f"shows {sorted(found - seen.allowed - seen.required)}"
    if answer.status == 200 and seen.required - found - sent:
        yield f"lacks {sorted(seen.required - found - sent)}"
    if seen.count is not None and answer.document["count"] != seen.count:
        yield f"a count of {answer.document['count']} for {seen.count}"
    if answer.status == 200 and seen.total is not None and int(answer.headers["X-WP-Total"]) != seen.total:
        yield f"a total of {answer.headers['X-WP-Total']} for {seen.total}"
    if answer.status == 200 and seen.ids is not None and isinstance(answer.document, list):
        yield from _list_faults(seen.ids, answer)


def _list_faults(ids: frozenset[int], answer: Told) -> Iterator[str]:
    found = [item["id"] for item in answer.document if "id" in item]
    if sorted(found) != sorted(ids):
        yield f"lists {sorted(set(found) - ids)} too, and lacks {sorted(ids - set(found))}"
    if int(answer.headers["X-WP-Total"]) != len(ids):
        yield f"a total of {answer.headers['X-WP-Total']} for {len(ids)}"
