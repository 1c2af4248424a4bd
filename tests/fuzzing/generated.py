"""Requests that schemathesis makes of the OpenAPI document of a site, and what is wrong with their answers."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from cms.testing import SETTINGS, Client, basic
from fuzzing.running import PLUGINS, fill

CHECKS = [content_type_conformance, response_headers_conformance, response_schema_conformance, status_code_conformance]
#: No attempts are counted, so that what comes later is still answered.
UNLIMITED = dict.fromkeys(
    ("comment_interval", "sign_in_failures", "sign_in_failures_address", "sign_in_failures_account", "item_password_failures"), 0)
#: Arguments that make another answer than the one that is described.
LEFT_OUT = ("_fields", "_envelope")
#: Of so many ids all but one are there.
EACH_NTH = 8


class GeneratedRun:
    """Sends requests to every operation and collects findings by their kind; the same seed sends the same requests."""

    def __init__(self, folder: Path, number: int) -> None:
        self.findings: dict[str, str] = {}
        self.statuses: Counter[int] = Counter()
        self.sent = 0
        self._folder, self._seed = folder, number
        self._known: dict[str, list[int]] = {}
        fill(folder / "ready")

    def send(self, each: int, number: int = 0, path: str = "") -> None:
        """Send so many requests to each operation, or to those of a path, of a site that is as before; of another role in each round."""
        client = self._renewed()
        self._known = known_ids(client)
        schema = schemathesis.openapi.from_wsgi("/api/openapi.json", client.app)
        role = ("administrator", None, "author")[number % 3]
        for found in schema.get_all_operations():
            if path in ("", found.ok().path):
                self._send(found.ok(), client, role, each, 1_000 * self._seed + number)
        client.close()

    def _renewed(self) -> Client:
        place = self._folder / "site"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(self._folder / "ready", place)
        client = Client(place, {**SETTINGS, "plugins": PLUGINS, **UNLIMITED})
        client.accounts["author"] = ("author", client.accounts["administrator"][1])
        return client

    def _send(self, operation: Any, client: Client, role: str | None, each: int, number: int) -> None:
        quiet = settings(max_examples=each, database=None, deadline=None, phases=[Phase.generate],
                         suppress_health_check=list(HealthCheck))

        def look(case: Any) -> None:
            self._look_at(case, client, role)

        seed(number)(quiet(given(case=operation.as_strategy())(look)))()

    def _look_at(self, case: Any, client: Client, role: str | None) -> None:
        for name in LEFT_OUT:
            (case.query or {}).pop(name, None)
        for name, value in (case.path_parameters or {}).items():
            known = self._known.get(case.operation.path.split("/")[3], ())
            if isinstance(value, int) and known and value % EACH_NTH:
                case.path_parameters[name] = known[value % len(known)]
        spare_accounts(case)
        headers = {"Authorization": basic(*client.accounts[role])} if role else {}
        response = case.call(headers=headers)
        self.sent += 1
        self.statuses[response.status_code] += 1
        if response.status_code >= 500 and response.status_code != 501:
            self._note(case, response.status_code, f"answers {response.status_code}", response.text)
        if role is None and case.operation.definition.raw.get("security") and response.status_code < 400:
            self._note(case, response.status_code, "is open to visitors", response.text)
        try:
            case.validate_response(response, checks=CHECKS)
        except FailureGroup as group:
            for failure in group.exceptions:
                self._note(case, response.status_code, str(failure).splitlines()[0], str(failure))
        except Failure as failure:
            self._note(case, response.status_code, str(failure).splitlines()[0], str(failure))

    def _note(self, case: Any, status: int, kind: str, text: str) -> None:
        place = f"{case.method} {case.operation.path} {status}: {kind}"
        self.findings.setdefault(place, f"{case.as_curl_command()[:600]}\n{text[:1200]}")


def spare_accounts(case: Any) -> None:
    """Take out of a request what would keep the account that sends the next ones from signing in."""
    if case.operation.path.split("/")[3:4] != ["users"]:
        return
    if isinstance(case.body, dict):
        for name in ("password", "roles"):
            case.body.pop(name, None)
    if case.method == "DELETE":
        (case.query or {}).pop("force", None)


def known_ids(client: Client) -> dict[str, list[int]]:
    """Return the ids that there are, by collection."""
    known = {}
    for path in client.get("//api/openapi.json").json["paths"]:
        parts = path.split("/")
        if len(parts) == 4:
            found = [client.get(f"/{parts[3]}?per_page=100{more}", "administrator") for more in ("", "&status=any")]
            lists = [answer.json for answer in found if answer.status_code == 200 and isinstance(answer.json, list)]
            known[parts[3]] = [item["id"] for item in (lists or [[]])[-1]]
    return known
