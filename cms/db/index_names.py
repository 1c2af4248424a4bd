"""Names of indexes and triggers where an engine takes none that are longer."""

from __future__ import annotations

from hashlib import blake2b

#: How many signs a name has at most on a server; it cuts longer ones, so that two could become one.
MOST = 63


def fitting_name(name: str) -> str:
    """Return a name as a server has it: of a long one the beginning and a digest of it all."""
    name = name.lower()
    if len(name) <= MOST:
        return name
    digest = blake2b(name.encode(), digest_size=6).hexdigest()
    return f"{name[: MOST - len(digest) - 1]}_{digest}"
