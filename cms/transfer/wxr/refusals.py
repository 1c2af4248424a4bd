"""Why a file isn't imported: what it is, where the fault lies and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from xml.etree.ElementTree import ParseError

from cms.transfer.wxr.records import ImportRefused

NOTHING = "Nothing was imported."
_WEB_PAGE = (
    "This is a page of a web site, such as the one to sign in or of an error, and not an export. "
    f"Sign in to the old site, choose Tools > Export there and save what it gives you. {NOTHING}"
)
_REFERENCE = re.compile(r"&(?:#[0-9]+|#x[0-9A-Fa-f]+|amp|lt|gt|quot|apos);")
_EXPORT_INSIDE = re.compile(r"<\?xml\s|<rss[\s>]")
_WEB_PAGE_BEGIN = re.compile(r"\s*<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)


def empty_file() -> ImportRefused:
    """Build the refusal of a file without text."""
    return ImportRefused(f"the file is empty; choose another one or export the site again. {NOTHING}")


def no_export(root: str) -> ImportRefused:
    """Build the refusal of XML whose outermost element is another one."""
    if root.lower() == "html":
        return ImportRefused(_WEB_PAGE)
    return ImportRefused(
        "This is XML, but not an export of WordPress (WXR). "
        f"Choose the file that Tools > Export gave you. {NOTHING}"
    )


def has_doctype(name: str, line: int) -> ImportRefused:
    """Build the refusal of a document type; that of a web page is known by its name."""
    if name.lower() == "html":
        return ImportRefused(_WEB_PAGE)
    return ImportRefused(
        f"Line {line}: the file has a DOCTYPE. Exports have none, and it can hide harmful entities, so it isn't "
        f"read. Export the site again, or remove it if you trust the file. {NOTHING}"
    )


def not_xml(error: ParseError, beginning: str) -> ImportRefused:
    """Build the refusal of a file that isn't XML up to its first element; `beginning` is its first text."""
    if _WEB_PAGE_BEGIN.match(beginning):
        return ImportRefused(_WEB_PAGE)
    line, column = error.position
    inside = _EXPORT_INSIDE.search(beginning)
    before = beginning[: inside.start()].strip() if inside else ""
    if before:
        words = " ".join(before.split())
        return ImportRefused(
            f'Line {line}, column {column + 1}: something stands before the export: "{words[:60]}". '
            f"Remove all that comes before <?xml or <rss and try again. {NOTHING}"
        )
    return ImportRefused(
        f"This isn't an export of WordPress (WXR), and not XML either (line {line}, column {column + 1}: "
        f"{_reason(error)}). Choose the .xml file of the export; unpack it first if it came in an archive. {NOTHING}"
    )


def damaged(error: ParseError, item: str, lines: Iterator[str]) -> ImportRefused:
    """Build the refusal of damaged XML; `item` names where it is, `lines` are those of the file."""
    line, column = error.position
    place = ", ".join(filter(None, (f"line {line}", f"column {column + 1}", item)))
    found = next(islice(lines, line - 1, None), "")
    return ImportRefused(
        f"The XML is damaged at {place}: {_reason(error)}. {_remedy(error, found, column)} {NOTHING}"
    )


def cut_off(line: int, item: str) -> ImportRefused:
    """Build the refusal of a file that ends too early."""
    place = f"line {line}, in {item}" if item else f"line {line}"
    return ImportRefused(f"The file is cut off at {place}. Download or export it again. {NOTHING}")


def _reason(error: ParseError) -> str:
    return str(error).partition(":")[0]


def _remedy(error: ParseError, line: str, column: int) -> str:
    """Return what to do; a `&` that begins no reference is told from other damage."""
    at = line.rfind("&", 0, column + 1)
    if 0 <= at >= column - 1 and not _REFERENCE.match(line, at):
        return "The sign & begins a reference there; write &amp; where it is meant as a sign, or export the site again."
    if "mismatched" in str(error):
        return "Close the element that is open there, or export the site again."
    return "Repair it or export the site again."
