"""Buckets of an object storage, for sites whose uploads lie in one.

It is nanio's, or moto's where the environment variable CMS_TEST_BUCKETS names the folder that moto is installed in.
"""

from __future__ import annotations

import importlib.util
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import unescape
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote
from urllib.request import Request, urlopen

import pytest
from sites import Client

from media import object_store
from media.object_store import KEY, SECRET

#: The folder with moto; empty for nanio.
MOTO = os.environ.get("CMS_TEST_BUCKETS", "")
NUMBERS = count(1)


@dataclass
class Store:
    """A running object storage: its address, and the folder with its buckets, or with what moto's is told."""

    address: str
    folder: Path

    def refuse(self, *lines: str) -> None:
        """Have requests refused that have all words of a line; none where no line is given."""
        (self.folder / ".refused").write_text("\n".join(lines))


@dataclass
class OwnBucket:
    """A bucket of one test, and what a site's settings say of it."""

    store: Store
    name: str

    @property
    def settings(self) -> dict[str, Any]:
        return {"uploads": f"s3://{self.name}/site", "uploads_endpoint": self.store.address}

    @property
    def below(self) -> Path:
        return self.store.folder / self.name / "site"

    def make(self) -> None:
        """Make the bucket."""
        (self.store.folder / self.name).mkdir()

    def names(self) -> list[str]:
        """Return the keys of all files in the bucket."""
        found = [path.relative_to(self.below).as_posix() for path in self.below.rglob("*") if path.is_file()]
        return sorted(name for name in found if name != ".claims")

    def read(self, key: str) -> bytes:
        """Return what a file in the bucket holds."""
        return (self.below / key).read_bytes()

    def remove(self, key: str) -> None:
        """Remove a file from the bucket."""
        (self.below / key).unlink()


class AskedBucket(OwnBucket):
    """A bucket that doesn't lie in a folder: the storage is asked for what is in it, beside the site and its library."""

    def make(self) -> None:
        self._ask("PUT", "")

    def names(self) -> list[str]:
        found = self._ask("GET", "?list-type=2&prefix=site/").decode()
        keys = [unescape(key).removeprefix("site/") for key in re.findall("<Key>([^<]+)</Key>", found)]
        return sorted(key for key in keys if key != ".claims")

    def read(self, key: str) -> bytes:
        return self._ask("GET", f"/site/{quote(key)}")

    def remove(self, key: str) -> None:
        self._ask("DELETE", f"/site/{quote(key)}")

    def _ask(self, method: str, place: str) -> bytes:
        address = f"{self.store.address}/{self.name}{place}"
        request = Request(address, method=method, headers={"X-Tests": SECRET})
        with urlopen(request, timeout=30) as answer:
            return bytes(answer.read())


@pytest.fixture(scope="session")
def object_storage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A running object storage; without its program tests are skipped, or fail where programs are required."""
    if not ((MOTO or importlib.util.find_spec("nanio")) and importlib.util.find_spec("obstore")):
        reason = "obstore and nanio are needed: pip install -e '.[dev]'"
        (pytest.fail if os.environ.get("CMS_REQUIRE_CLIENTS") == "1" else pytest.skip)(reason)
    folder = tmp_path_factory.mktemp("buckets")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environ = {**os.environ, "NANIO_ACCESS_KEY": KEY, "NANIO_SECRET_KEY": SECRET, "NANIO_DATA_DIR": str(folder)}
    program = Path(object_store.__file__)
    if MOTO:
        environ["PYTHONPATH"], program = str(Path(MOTO).absolute()), program.with_name("moto_store.py")
    server = subprocess.Popen([sys.executable, program, str(port), str(folder)], env=environ,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port, server)
        yield Store(f"http://127.0.0.1:{port}", folder)
    finally:
        server.terminate()
        server.wait(10)


def wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    for _attempt in range(600):
        assert server.poll() is None, "the object storage ended"
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("the object storage doesn't answer")


@pytest.fixture
def bucket(object_storage: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[OwnBucket]:
    """An empty bucket, whose keys are in the environment."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    made = (AskedBucket if MOTO else OwnBucket)(object_storage, f"bucket-{next(NUMBERS)}")
    made.make()
    yield made
    for name in (".refused", ".plain"):
        (object_storage.folder / name).unlink(missing_ok=True)


@pytest.fixture
def in_bucket(make_client: Callable[..., Client], bucket: OwnBucket) -> Client:
    """A client of a site whose uploads lie in a bucket."""
    return make_client(**bucket.settings)
