"""Buckets of an object storage, for sites whose uploads lie in one."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sites import Client

from media import object_store
from media.object_store import KEY, SECRET


@dataclass
class Store:
    """A running object storage: its address and the folder with its buckets."""

    address: str
    folder: Path

    def refuse(self, *lines: str) -> None:
        """Have requests refused that have all words of a line; none where no line is given."""
        (self.folder / ".refused").write_text("\n".join(lines))


@dataclass
class OwnBucket:
    """A bucket of one test, and what a site's settings say of it."""

    store: Store
    folder: Path

    @property
    def settings(self) -> dict[str, Any]:
        return {"uploads": f"s3://{self.folder.name}/site", "uploads_endpoint": self.store.address}

    def names(self) -> list[str]:
        """Return the keys of all files in the bucket."""
        below = self.folder / "site"
        found = [path.relative_to(below).as_posix() for path in below.rglob("*") if path.is_file()]
        return sorted(name for name in found if name != ".claims")


@pytest.fixture(scope="session")
def object_storage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A running object storage; without its program tests are skipped, or fail where programs are required."""
    if not (importlib.util.find_spec("nanio") and importlib.util.find_spec("obstore")):
        reason = "obstore and nanio are needed: pip install -e '.[dev]'"
        (pytest.fail if os.environ.get("CMS_REQUIRE_CLIENTS") == "1" else pytest.skip)(reason)
    folder = tmp_path_factory.mktemp("buckets")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environ = {**os.environ, "NANIO_ACCESS_KEY": KEY, "NANIO_SECRET_KEY": SECRET, "NANIO_DATA_DIR": str(folder)}
    server = subprocess.Popen([sys.executable, object_store.__file__, str(port), str(folder)], env=environ,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port, server)
        yield Store(f"http://127.0.0.1:{port}", folder)
    finally:
        server.terminate()
        server.wait(10)


def wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    for _attempt in range(200):
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
    folder = object_storage.folder / f"bucket-{len(list(object_storage.folder.iterdir()))}"
    folder.mkdir()
    yield OwnBucket(object_storage, folder)
    for name in (".refused", ".plain"):
        (object_storage.folder / name).unlink(missing_ok=True)


@pytest.fixture
def in_bucket(make_client: Callable[..., Client], bucket: OwnBucket) -> Client:
    """A client of a site whose uploads lie in a bucket."""
    return make_client(**bucket.settings)
