"""What was made of texts before the import took the lock: found again by what it was made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TypeVar, cast

T = TypeVar("T")


@dataclass
class MadeTexts:
    """What functions have made of the texts of one item, by digests of their names and arguments.

    What isn't there is made anew, so that nothing depends on what was the case when it was made.
    """

    results: dict[bytes, object] = field(default_factory=dict)
    #: Whether what is made is kept.
    keeps: bool = False

    def make(self, function: Callable[..., T], name: str, *texts: str) -> T:
        """Return what a function makes of texts, which it depends on alone; `name` tells it from others."""
        key = _digest(name, *texts)
        if key in self.results:
            return cast(T, self.results[key])
        made = function(*texts)
        if self.keeps:
            self.results[key] = made
        return made


def _digest(*texts: str) -> bytes:
    digest = blake2b(digest_size=16)
    for text in texts:
        encoded = text.encode("utf-8", "surrogatepass")
        digest.update(b"%d " % len(encoded))
        digest.update(encoded)
    return digest.digest()
