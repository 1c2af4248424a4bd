"""Likely and nasty requests by turns, sent to two sites on different engines, whose answers have to be the same."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from fuzzing.requests import Asked, Endpoint, endpoints_of, requests
from fuzzing.running import PLUGINS
from hypothesis import HealthCheck, Phase, given, seed, settings
from werkzeug.test import TestResponse

from engines.asking import Likely
from engines.twins import Difference, Twins
from engines.world import TYPES, fill

ROOT = Asked(Endpoint("/", ["GET"], {}), "GET", "/api/", [], None, None)
#: After so many requests both sites are as they were.
RENEWED = 500
#: How many likely requests come after each nasty one.
LIKELY = 2


class Run:
    """Sends requests and collects differences; the same seed sends the same requests."""

    def __init__(self, folder: Path, number: int) -> None:
        self.differences: list[Difference] = []
        self.statuses: Counter[int] = Counter()
        self.sent = 0
        self._seed, self._numbers = number, Random(number)
        self.twins = Twins(folder, fill, TYPES, plugins=PLUGINS)
        self._endpoints = endpoints_of(self.twins.ask(ROOT)[0].json["routes"])
        self._likely = Likely(self._endpoints, self._numbers)
        self._known: dict[str, list[int]] = {}
        self._learn()

    def send(self, number: int) -> None:
        """Send so many requests."""
        quiet = settings(max_examples=-(-number // (LIKELY + 1)), database=None, deadline=None, phases=[Phase.generate],
                         suppress_health_check=list(HealthCheck))

        def both(nasty: Asked) -> None:
            self._look_at(nasty)
            for _likely in range(LIKELY):
                self._look_at(self._likely.ask())

        seed(self._seed)(quiet(given(requests(self._endpoints, self._known))(both)))()

    def compare_rows(self) -> None:
        """Look for what differs in the databases after all these requests, and after timed work."""
        self.twins.do_timed_work()
        self.differences += self.twins.compare_rows()

    def close(self) -> None:
        """Close both sites."""
        self.twins.close()

    def _look_at(self, asked: Asked) -> None:
        if self.sent and self.sent % RENEWED == 0:
            self.compare_rows()
            self.twins.renew()
            self._learn()
        self.sent += 1
        answer, differences = self.twins.ask(asked)
        self.statuses[answer.status_code] += 1
        self.differences += differences
        self._note(asked, answer)

    def _note(self, asked: Asked, answer: TestResponse) -> None:
        found = answer.get_json(silent=True)
        if answer.status_code == 201 and isinstance(found, dict) and isinstance(found.get("id"), int):
            self._likely.known.setdefault(asked.endpoint.pattern.split("/")[3], []).append(found["id"])
        if "X-CMS-Cursor" in answer.headers:
            pairs = [pair for pair in asked.query if pair[0] != "cursor"]
            self._likely.next = asked._replace(query=[*pairs, ("cursor", answer.headers["X-CMS-Cursor"])])

    def _learn(self) -> None:
        """Find out which ids there are, by collection."""
        for endpoint in self._endpoints:
            if "per_page" in endpoint.arguments and endpoint.pattern.count("/") == 3:
                found = self._ids(endpoint, ("status", "any")) or self._ids(endpoint)
                if found:
                    self._known[endpoint.pattern.split("/")[3]] = found
                    self._likely.known[endpoint.pattern.split("/")[3]] = [*found]

    def _ids(self, endpoint: Endpoint, *more: tuple[str, str]) -> list[int]:
        asked = Asked(endpoint, "GET", f"/api{endpoint.pattern}", [("per_page", "100"), *more], None, "administrator")
        answer, differences = self.twins.ask(asked)
        self.differences += differences
        items: Any = answer.json if answer.status_code == 200 else []
        return [item["id"] for item in items if isinstance(item, dict) and isinstance(item.get("id"), int)]
