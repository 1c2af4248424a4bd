"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import BinaryIO

from cms.media.storage import sync_to_disk


@contextmanager
def write_whole(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write; it takes its place, and that of an older one, when all has been written and is on disk.

    Where writing fails nothing is left behind and an older file stays. Its owner alone may read it.
    """
    with NamedTemporaryFile(dir=path.parent, prefix=".cms-", suffix=".part", delete=False) as file:
        try:
            yield file.file  # type: ignore[misc]  # a BinaryIO in all but name
            file.flush()
            os.fsync(file.fileno())
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise
    sync_to_disk(path.parent)
