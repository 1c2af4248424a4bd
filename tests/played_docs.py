"""Examples of documents: requests with the answers that they promise, and scripts with what they print."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted((ROOT / "docs" / "api").glob("*.md"))
#: Stands in an expected answer for anything: a value, or as a member of an object or a list, for more of them.
ANYTHING = "…"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
VARIABLE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Example:
    """A request with the answer that is promised; `body` and `expected` are texts, empty for none."""

    method: str
    path: str
    headers: dict[str, str]
    body: str
    status: int
    expected_headers: dict[str, str]
    expected: str


def read_blocks(document: Path, language: str) -> list[str]:
    """Return the blocks of a language in a document, in order."""
    text = document.read_text(encoding="utf-8")
    return [block for name, block in BLOCK.findall(text) if name == language]


def read_examples(document: Path) -> list[Example]:
    """Return a document's requests, in order."""
    return [_read_example(block) for block in read_blocks(document, "http")]


def _read_example(block: str) -> Example:
    asked, answered = re.split(r"\n\n(?=\d{3}$)", block.strip(), maxsplit=1, flags=re.MULTILINE)
    head, _gap, body = asked.partition("\n\n")
    first, *headers = head.split("\n")
    method, path = first.split(" ")
    answer_head, _gap, expected = answered.partition("\n\n")
    status, *expected_headers = answer_head.split("\n")
    return Example(method, path, _headers(headers), body, int(status), _headers(expected_headers), expected)


def _headers(lines: list[str]) -> dict[str, str]:
    return dict(line.split(": ", 1) for line in lines)


class Player:
    """Plays the examples of one document; what an answer binds (`{draft}`, the last `{ETag}`) serves the later ones."""

    def __init__(self, client: Any, values: dict[str, Any]) -> None:
        self._client, self._values = client, values

    def send(self, example: Example, body: bytes) -> Any:
        """Send a request and return the answer; a path is below the API's, unless it begins with /api."""
        path = self.fill(example.path)
        if not path.startswith("/api/"):
            path = f"/api/cms/v2{path}"
        headers = {name: self.fill(value) for name, value in example.headers.items()}
        if headers.get("Authorization") == "administrator":
            headers["Authorization"] = self._values["administrator"]
        answer = self._client.open(path, method=example.method, headers=headers, data=body or None)
        if "ETag" in answer.headers and example.method == "GET":
            self._values["ETag"] = answer.headers["ETag"]
        return answer

    def fill(self, text: str) -> str:
        """Return a text with the values of the variables that it names."""
        return VARIABLE.sub(lambda found: str(self._values.get(found[1], found[0])), text)

    def differences(self, expected: Any, got: Any, place: str = "answer") -> list[str]:
        """Return where an answer differs from what the document promises."""
        if expected == ANYTHING:
            return []
        if isinstance(expected, str) and (name := VARIABLE.fullmatch(expected)):
            expected = self._values.setdefault(name[1], got)
        if isinstance(expected, dict) and isinstance(got, dict):
            return self._object_differences(expected, got, place)
        if isinstance(expected, list) and isinstance(got, list):
            return self._list_differences(expected, got, place)
        if expected == got:
            return []
        return [f"{place} is {got!r}, not {expected!r}"]

    def _object_differences(self, expected: dict[str, Any], got: dict[str, Any], place: str) -> list[str]:
        named = {name: value for name, value in expected.items() if name != ANYTHING}
        found = [f"{place}.{name} isn't there" for name in named.keys() - got.keys()]
        if ANYTHING not in expected:
            found += [f"{place}.{name} isn't told" for name in got.keys() - named.keys()]
        for name in named.keys() & got.keys():
            found += self.differences(named[name], got[name], f"{place}.{name}")
        return found

    def _list_differences(self, expected: list[Any], got: list[Any], place: str) -> list[str]:
        has_more = bool(expected) and expected[-1] == ANYTHING
        named = expected[:-1] if has_more else expected
        if len(got) < len(named) or (len(got) > len(named) and not has_more):
            return [f"{place} has {len(got)} entries, not {len(named)}"]
        found = []
        for number, value in enumerate(named):
            found += self.differences(value, got[number], f"{place}[{number}]")
        return found


def parse(text: str) -> Any:
    """Return what an expected body says; None for none."""
    return json.loads(text) if text else None
