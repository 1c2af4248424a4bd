"""The storage of uploaded files in a bucket: names are claimed by the store itself, for all hosts of a site.

The library for it is imported when there is a bucket.
"""

from __future__ import annotations

import errno
import io
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from cms.media.buckets import Bucket
from cms.media.headers import content_type_of, disposition_of
from cms.media.object_file import ObjectFile
from cms.media.storage import StorageUnavailable, Stored, require_key

if TYPE_CHECKING:
    from obstore.store import S3Config

#: Bytes of a part of a larger file. What fits into one is sent in one request; of others so many parts wait in memory.
PART, PARALLEL = 8 << 20, 2
#: Seconds for which a presigned address holds.
VALID = 3600
#: What other stores than Amazon's take for a region, where they look at it at all.
ANY_REGION = "us-east-1"
#: What is created, once more and in vain, to learn whether the store creates only what isn't there. No key begins so.
PROBE = ".claims"


class ObjectStorage:
    """A bucket of an object storage that speaks S3, with `If-None-Match: *`.

    `endpoint` and `region` may be empty: what the environment says counts then, as it does for the keys. With
    `presigned`, whoever asks for a file is sent on to the store.
    """

    def __init__(self, bucket: Bucket, endpoint: str = "", region: str = "", presigned: bool = False) -> None:
        """Take a bucket, which isn't asked for anything yet; raises ImportError where the library isn't there."""
        from obstore.store import S3Store

        places: S3Config = {"region": region or ANY_REGION}
        if endpoint:
            places["endpoint"] = endpoint
        self.presigned = presigned
        self._creates = False
        self._store = S3Store(
            bucket.name,
            prefix=bucket.prefix or None,
            config=places,
            client_options={
                "allow_http": endpoint.startswith("http://"),
                "connect_timeout": timedelta(seconds=3),
                "timeout": timedelta(seconds=60),
            },
            retry_config={"max_retries": 2, "retry_timeout": timedelta(seconds=10)},
        )

    def put(self, source: Path, key: str) -> str:
        """Store a copy of a file under the first free name and return its key; it never takes one from another host.

        Raises FileNotFoundError for what can't be a key, StorageUnavailable where the store can't be used.
        """
        require_key(key)
        self.require_claims()
        wanted, number, name = PurePosixPath(key), 0, key
        while not self._claim(source, name):
            number += 1
            name = wanted.with_name(f"{wanted.stem}-{number}{wanted.suffix}").as_posix()
        return name

    def replace(self, source: Path, key: str) -> None:
        """Put a file in the place of another one, at once; raises StorageUnavailable where the store can't be used."""
        import obstore

        with _answering():
            obstore.put(
                self._store,
                key,
                source,
                attributes=_attributes(key),
                use_multipart=source.stat().st_size > PART,
                chunk_size=PART,
                max_concurrency=PARALLEL,
            )

    def open(self, key: str) -> Stored:
        """Open a file; raises FileNotFoundError where there is none, StorageUnavailable where nobody can tell."""
        import obstore

        require_key(key)
        with _answering():
            about = obstore.head(self._store, key)
        tag = about["e_tag"] or f'"{about["last_modified"].timestamp():.0f}-{about["size"]:x}"'

        def fetch(start: int, end: int) -> bytes:
            with _answering():
                found = obstore.get(
                    self._store, key, options={"range": (start, end), "if_match": about["e_tag"]}
                )
                return bytes(found.bytes())

        file = io.BufferedReader(ObjectFile(about["size"], fetch))
        return Stored(file, about["size"], tag.removeprefix("W/").strip('"'))

    def delete(self, key: str) -> None:
        """Remove a file, do nothing where there is none; raises StorageUnavailable where the store can't be used."""
        import obstore

        with _answering(), suppress(FileNotFoundError):
            obstore.delete(self._store, "/".join(require_key(key)))

    def walk(self) -> Iterator[tuple[str, float]]:
        """Yield the keys of all files with the time of their last change; raises StorageUnavailable."""
        import obstore

        pages = iter(obstore.list(self._store))
        while True:
            with _answering():
                page = next(pages, None)
            if page is None:
                return
            for each in page:
                if each["path"] != PROBE:
                    yield each["path"], each["last_modified"].timestamp()

    def address(self, key: str) -> str | None:
        """Return None: the site's own address stays the same, whoever sends the file."""
        return None

    def link(self, key: str, method: str) -> str:
        """Return an address at which the store itself gives a file for an hour; raises StorageUnavailable.

        Whether there is such a file is for the store to say. Raises FileNotFoundError for what can't be a key.
        """
        import obstore

        require_key(key)
        with _answering():
            is_head = method == "HEAD"
            return obstore.sign(
                self._store, "HEAD" if is_head else "GET", key, expires_in=timedelta(seconds=VALID)
            )

    def require_claims(self) -> None:
        """Make sure, once, that the store creates only what isn't there; raises StorageUnavailable where it doesn't."""
        if self._creates:
            return
        if self._create(PROBE, b"") and self._create(PROBE, b""):
            raise StorageUnavailable(
                errno.ENOTSUP,
                "the object storage writes over what it was asked to create (If-None-Match: *), so that two uploads "
                "could take one name",
            )
        self._creates = True

    def _claim(self, source: Path, name: str) -> bool:
        """Store a file under a name that nothing has; return False where something has it."""
        if source.stat().st_size <= PART:
            return self._create(name, source.read_bytes())
        # No store takes parts on the condition that the name is free: an empty file takes it before them.
        if not self._create(name, b""):
            return False
        try:
            self.replace(source, name)
        except BaseException:
            with suppress(OSError):
                self.delete(name)
            raise
        return True

    def _create(self, name: str, content: bytes) -> bool:
        import obstore
        from obstore.exceptions import AlreadyExistsError

        with _answering():
            try:
                obstore.put(self._store, name, content, attributes=_attributes(name), mode="create")
            except AlreadyExistsError:
                return False
            except FileNotFoundError:
                raise StorageUnavailable(errno.EIO, "there is no such bucket") from None
        return True


def _attributes(key: str) -> dict[str, str]:
    """Return what the store says of a file that it sends itself."""
    return {
        "Content-Type": content_type_of(key),
        "Content-Disposition": disposition_of(key),
        "Cache-Control": "public, max-age=86400",
    }


@contextmanager
def _answering() -> Iterator[None]:
    """Raise StorageUnavailable where the store doesn't do what is asked; that a file isn't there is an answer."""
    from obstore.exceptions import BaseError

    try:
        yield
    except BaseError as error:
        raise StorageUnavailable(errno.EIO, str(error).partition("\n")[0].strip()) from error
