"""Names of uploaded files, made safe for folders and addresses."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 150
#: What means something in addresses, shells or file systems, or can't be seen.
_DROPPED = re.compile(r"[?\[\]=<>:;,'\"&$#*()|~`!{}%+’«»”“^\\]")
_GAPS = re.compile(r"[\s-]+")


def base_name(sent: str) -> str:
    """Return the last part of a path in the notation of any system, without what can't be seen."""
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", sent))[-1]
    return "".join(sign for sign in last if sign == " " or unicodedata.category(sign)[0] not in "CZ").strip()


def title_of(name: str) -> str:
    """Return the title of an item that was sent without one: the file's name without its ending."""
    return name.rpartition(".")[0] or name


def ending_of(name: str) -> str:
    """Return the ending that tells the type, in lower case; empty where there is none."""
    stem, dot, ending = name.rpartition(".")
    return ending.lower() if dot and stem else ""


def safe_name(sent: str, known: frozenset[str]) -> str:
    """Return the name that a file is kept under; `known` are the endings that may stand in the middle unmarked.

    Another ending in the middle (`a.php.png`) gets an underscore: some web servers look at all of them.
    """
    plain = _GAPS.sub("-", _DROPPED.sub("", base_name(sent))).strip("._-")
    stem, *endings = plain.split(".")
    middle = [
        part if part.lower() in known or not re.fullmatch(r"[A-Za-z]{2,5}\d?", part) else f"{part}_"
        for part in endings[:-1]
    ]
    name = ".".join([stem, *middle])[:LONGEST].strip("._-" if not middle else ".-") or "file"
    name = name.encode()[:LONGEST].decode(errors="ignore")
    return f"{name}.{endings[-1].lower()}" if endings else name
