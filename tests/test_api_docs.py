"""Every request of the guide to the API is answered on a site with the demo content as the guide says."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from played_docs import ANYTHING, DOCUMENTS, ROOT, Example, Player, parse, read_examples

from cms import create_app
from cms.cli import main
from cms.testing import basic

PICTURE = ROOT / "tests" / "media" / "files" / "harbour.png"
PICTURE_MARK = "<bytes of a picture>"
LOW = {"CMS_PASSWORD_COST": "low", "CMS_BACKGROUND": "false"}
PLAYED = [document for document in DOCUMENTS if read_examples(document)]


def _run(folder: Path, *arguments: str) -> Any:
    line = ["--instance", str(folder), *arguments, "--json"]
    result = CliRunner().invoke(main, line, env=LOW)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """The folder of a site as `make serve` makes it, and what signs in to it."""
    folder = tmp_path_factory.mktemp("demo")
    account = _run(folder, "init", "--demo")
    token = _run(folder, "token", "create", account["login"], "--name", "guide", "--scope", "read")["token"]
    return folder, {"token": token, "administrator": basic(account["login"], account["password"])}


@pytest.fixture
def demo(made: tuple[Path, dict[str, str]], tmp_path: Path) -> Iterator[Player]:
    """A player of examples on a copy of that site."""
    folder, values = made
    shutil.copytree(folder, tmp_path / "site")
    app = create_app({"password_cost": "low", "background": False, "comment_interval": 0}, tmp_path / "site")
    yield Player(app.test_client(), dict(values))
    app.extensions["cms"].close()


def test_the_guide_has_examples() -> None:
    assert {"lists", "items", "writing", "browsers"} <= {document.stem for document in PLAYED}


@pytest.mark.parametrize("document", PLAYED, ids=lambda path: path.stem)
def test_the_requests_of_a_document_are_answered_as_it_says(demo: Player, document: Path) -> None:
    for example in read_examples(document):
        body = PICTURE.read_bytes() if example.body == PICTURE_MARK else demo.fill(example.body).encode()
        answer = demo.send(example, body)

        assert not _differences(demo, example, answer), f"{example.method} {example.path}: {answer.text[:500]}"


def _differences(player: Player, example: Example, answer: Any) -> list[str]:
    found = player.differences(example.status, answer.status_code, "status")
    for name, value in example.expected_headers.items():
        if value != ANYTHING:
            found += player.differences(value, answer.headers.get(name), name)
        elif name not in answer.headers:
            found.append(f"{name} isn't there")
    return found + player.differences(parse(example.expected), answer.get_json(silent=True), "answer")
