"""Texts of an export, cleaned as if the least trusted had written them; what goes is named and counted."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable

from cms.rendering.plain import clean_line
from cms.transfer.importing.report import Report

Warn = Callable[[str], None]

_ELEMENT = re.compile(r"<([a-z][a-z0-9:-]*)", re.IGNORECASE)
_ADDRESS_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_UNSEEN = re.compile(r"[\x00-\x20\x7f-\xa0]")


def clean_markup(report: Report, text: str, sanitize: Callable[[str], str], what: str, warn: Warn) -> str:
    """Return a text without the markup that a sanitizer takes out, with a warning that names what goes.

    A text of which nothing goes stays byte for byte; `what` is how the warning calls it.
    """
    if "<" not in text:
        return text
    cleaned = sanitize(text)
    if _without_notation(cleaned) == _without_notation(text):
        return text
    report.cleaned += 1
    warn(f"markup that not everybody may write was taken out of {what}: {_name_removed(text, cleaned)}")
    return cleaned


def imported_line(text: str, what: str, warn: Warn) -> str:
    """Return a name or another line as it is stored, with a warning where more than space goes."""
    line = clean_line(text)
    warn_of_loss(text, line, what, warn)
    return line


def warn_of_loss(text: str, line: str, what: str, warn: Warn) -> None:
    """Tell where a line that is stored says less than a text, space apart."""
    if line != text and html.unescape(line).split() != html.unescape(text).split():
        warn(f'{what} holds what none can hold; it became "{html.unescape(line)[:200]}"')


def is_foreign_scheme(address: str) -> bool:
    """Tell whether an address of a file has a scheme that no file is fetched by, however it is written."""
    plain = _UNSEEN.sub("", html.unescape(address))
    scheme = _ADDRESS_SCHEME.match(plain)
    return scheme is not None and scheme[0].lower() not in ("http:", "https:")


def _without_notation(text: str) -> str:
    return text.replace("&amp;", "&").replace("&gt;", ">").replace("\r\n", "\n")


def _name_removed(text: str, cleaned: str) -> str:
    """Return the names of the elements that are gone, else what else may be."""
    before = Counter(name.lower() for name in _ELEMENT.findall(text))
    gone = before - Counter(name.lower() for name in _ELEMENT.findall(cleaned))
    names = [f"{name} ({number})" for name, number in sorted(gone.items())]
    return ", ".join(names) or "attributes, addresses or markup that isn't sound"
