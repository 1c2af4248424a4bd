"""What a setting of an installation is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Setting:
    """A setting: its name, the reader of its value, its default and a sentence about it.

    The reader raises ValueError, whose message is what it takes, for a value that isn't allowed.
    """

    name: str
    read: Callable[[Any], Any]
    default: Any
    help: str
