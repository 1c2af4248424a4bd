"""What requests leave behind in a process: nothing that grows with what they ask for."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cms.testing import Client, make_client

pytestmark = pytest.mark.long

#: How many different requests are sent, and how many more bytes the process may have afterwards.
MANY, MOST = 10_000, 10_000_000


def addresses(seed: int) -> Iterator[str]:
    """Yield addresses that all differ, of the kinds that fill tables."""
    chance = random.Random(seed)

    def letters(most: int) -> str:
        return "".join(chance.choices("abcdefghij", k=most))

    names = ["id", "slug", "title", "content", "excerpt", "date", "link", "author", "tags", "status", "type", "format"]
    while True:
        path = chance.choice(["/posts", "/pages", "/categories", "/tags", "/users", "/comments", "/media"])
        yield f"{path}?_fields={','.join(chance.sample(names, 6))},{letters(8)}"
        yield f"{path}?_fields={letters(400)}"
        yield f"{path}?search={letters(12)}"
        yield f"{path}?search={letters(900)}"
        yield f"{path}?{'&'.join(f'{letters(6)}=1' for _each in range(40))}"
        yield f"{path}?{letters(16_000)}"
        yield f"{path}?search={letters(2)}+{letters(3)}+-{letters(4)}&orderby=id&order={chance.choice(['asc', 'desc'])}"
        yield f"/{letters(20)}/{letters(20)}"
        yield f"//{letters(20)}"
        yield f"{path}/{chance.randrange(10**9)}?password={letters(50)}"
        yield f"{path}?include={','.join(map(str, chance.sample(range(10**6), 50)))}"
        yield f"{path}?per_page={chance.randrange(1, 100)}&page={chance.randrange(1, 10**6)}&_embed={letters(5)}"


def resident() -> int:
    """Return the bytes that this process has in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def send(client: Client, seed: int, most: int) -> None:
    for number, address in enumerate(addresses(seed)):
        if number == most:
            break
        assert client.get(address).status_code < 500, address


def measure(folder: str) -> None:
    """Print how much a process has grown by many requests."""
    client = make_client(Path(folder))
    client.new("/posts", title="One", status="publish")
    send(client, 1, 1_000)  # libraries, SQLite's own memory, what every process needs
    before = resident()
    send(client, 2, MANY)
    print(resident() - before)


def test_many_different_requests_leave_little(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, __file__, str(tmp_path)], capture_output=True, text=True, check=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})

    assert int(done.stdout) < MOST


if __name__ == "__main__":
    measure(sys.argv[1])
