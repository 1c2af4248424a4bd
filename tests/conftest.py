"""Sites to test against: copies of a ready database file, reached through the HTTP client."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sites import Client


@pytest.fixture
def make_client(tmp_path: Path) -> Iterator[Callable[..., Client]]:
    """Make clients of sites of their own."""
    made: list[Client] = []

    def make(**config: Any) -> Client:
        folder = tmp_path / f"site-{len(made)}"
        folder.mkdir()
        made.append(Client(folder, **config))
        return made[-1]

    yield make
    for client in made:
        client.site.close()


@pytest.fixture
def client(make_client: Callable[..., Client]) -> Client:
    """A client of a pristine site."""
    return make_client()


@pytest.fixture
def quiet(make_client: Callable[..., Client]) -> Client:
    """A client of a site without a pause between comments."""
    return make_client(comment_interval=0)


@pytest.fixture
def post(quiet: Client) -> int:
    """A published post of an author on the site without a pause."""
    return int(quiet.new("/posts", "author", title="Item", status="publish")["id"])


@pytest.fixture
def statements(client: Client) -> Callable[[Callable[[], Any]], list[str]]:
    """Tell which SQL statements the site's connection runs while something is done."""
    return client.statements
