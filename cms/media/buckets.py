"""Addresses of buckets in object storages, as the setting `uploads` names them."""

from __future__ import annotations

import re
from dataclasses import dataclass

SCHEME = "s3://"
_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
_PART = re.compile(r"(?!\.)[\w.-]+", re.ASCII)


@dataclass(frozen=True)
class Bucket:
    """A bucket, and below which prefix of its keys files are stored; the prefix is empty for all of it."""

    name: str
    prefix: str = ""


def parse_bucket(address: str) -> Bucket | None:
    """Return the bucket of an address such as `s3://bucket/prefix`, None for the path of a folder.

    Raises ValueError for an address that no bucket can have.
    """
    if not address.startswith(SCHEME):
        return None
    name, _slash, prefix = address.removeprefix(SCHEME).partition("/")
    prefix = prefix.rstrip("/")
    parts = prefix.split("/") if prefix else []
    if not _NAME.fullmatch(name) or not all(map(_PART.fullmatch, parts)):
        raise ValueError("an address of a bucket such as s3://bucket or s3://bucket/prefix")
    return Bucket(name, prefix)
