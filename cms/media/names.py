"""Names of uploaded files that are safe in folders and addresses."""

from __future__ import annotations

import re
import unicodedata

#: In characters, and in bytes too.
MAX_LENGTH = 150
#: Characters with a meaning in addresses, shells or file systems.
_DROPPED = re.compile(r"[?\[\]=<>:;,'\"&$#*()|~`!{}%+’«»”“^\\]")
_GAPS = re.compile(r"[\s-]+")
_ENDING = re.compile(r"[A-Za-z]{2,5}\d?")


def base_name(sent: str) -> str:
    """Return the last part of a path in the notation of any system, without invisible characters."""
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", sent))[-1]
    return "".join(sign for sign in last if _is_visible(sign)).strip()


def _is_visible(sign: str) -> bool:
    return sign == " " or unicodedata.category(sign)[0] not in "CZ"


def title_of(name: str) -> str:
    """Return the title of an item that was sent without one: the file's name without its ending."""
    return name.rpartition(".")[0] or name


def ending_of(name: str) -> str:
    """Return the ending that names the type, in lower case without the dot; empty where there is none."""
    stem, _dot, ending = name.rpartition(".")
    if not stem:
        return ""
    return ending.lower()


def safe_name(sent: str, known: frozenset[str]) -> str:
    """Return the name that a file is stored under; `known` are the endings that are allowed in the middle of it.

    Another ending in the middle (`a.php.png`) gets an underscore: some web servers look at all of them.
    """
    plain = _GAPS.sub("-", _DROPPED.sub("", base_name(sent))).strip("._-")
    stem, *endings = plain.split(".")
    parts = [stem]
    for part in endings[:-1]:
        if part.lower() not in known and _ENDING.fullmatch(part):
            part = f"{part}_"
        parts.append(part)
    stripped = "._-"
    if len(parts) > 1:
        stripped = ".-"  # the underscore of an ending stays
    name = ".".join(parts)[:MAX_LENGTH].strip(stripped) or "file"
    name = name.encode()[:MAX_LENGTH].decode(errors="ignore")
    if endings:
        name = f"{name}.{endings[-1].lower()}"
    return name
