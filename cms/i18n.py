"""Marked text and its translations: gettext catalogues, applied where JSON is written."""

from __future__ import annotations

import gettext
from collections.abc import Iterable
from pathlib import Path
from typing import Any

DOMAIN = "cms"
ENGLISH = gettext.NullTranslations()


class Text(str):
    """A text of ours in English that knows how to be said in another language."""

    msgid: str
    values: dict[str, Any]

    def __new__(cls, msgid: str, values: dict[str, Any] | None = None) -> Text:
        """Make the English text; `values` fill its `%(name)s` places."""
        self = super().__new__(cls, msgid % values if values else msgid)
        self.msgid = msgid
        self.values = values or {}
        return self

    def say(self, catalogue: gettext.NullTranslations) -> str:
        """Return the text in the catalogue's language, marked values included."""
        if not self.msgid:
            return ""
        said = catalogue.gettext(self.msgid)
        if not self.values:
            return said
        return said % {k: say(v, catalogue) for k, v in self.values.items()}


def _(msgid: str, **values: Any) -> Text:
    """Mark a text for translation."""
    return Text(msgid, values or None)


def say(value: Any, catalogue: gettext.NullTranslations) -> Any:
    """Translate every marked text inside a JSON value."""
    if isinstance(value, Text):
        return value.say(catalogue)
    if isinstance(value, dict):
        return {k: say(v, catalogue) for k, v in value.items()}
    if isinstance(value, list):
        return [say(v, catalogue) for v in value]
    return value


def load_catalogue(locale: str, folders: Iterable[Path]) -> gettext.NullTranslations:
    """Load a locale's catalogues, one a folder; a text that none has stays English."""
    merged = gettext.NullTranslations()
    for folder in folders:
        merged.add_fallback(gettext.translation(DOMAIN, folder, [locale], fallback=True))
    return merged
