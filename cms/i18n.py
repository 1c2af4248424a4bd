"""Marked text and its translations: gettext catalogues, applied where JSON is written."""

from __future__ import annotations

import gettext
import io
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

    def in_language(self, translations: gettext.NullTranslations) -> str:
        """Return the text in the catalogue's language, marked values included."""
        if not self.msgid:
            return ""
        localized = translations.gettext(self.msgid)
        if not self.values:
            return localized
        return localized % {k: translate(v, translations) for k, v in self.values.items()}


def _(msgid: str, **values: Any) -> Text:
    """Mark a text for translation."""
    return Text(msgid, values or None)


def translate(value: Any, translations: gettext.NullTranslations) -> Any:
    """Translate every marked text inside a JSON value."""
    if isinstance(value, Text):
        return value.in_language(translations)
    if isinstance(value, dict):
        return {k: translate(v, translations) for k, v in value.items()}
    if isinstance(value, list):
        return [translate(v, translations) for v in value]
    return value


def load_translations(locale: str, folders: Iterable[Path]) -> gettext.NullTranslations:
    """Load a locale's catalogues, one a folder, the first before the others; a text that none has stays English."""
    merged = gettext.NullTranslations()
    for folder in folders:
        compiled, source = (path_of(locale, folder, ending) for ending in ("mo", "po"))
        if compiled.exists():
            with compiled.open("rb") as file:
                merged.add_fallback(gettext.GNUTranslations(file))
        elif source.exists():
            merged.add_fallback(_compiled(locale, source))
    return merged


def path_of(locale: str, folder: Path, ending: str) -> Path:
    """Return where a locale's catalogue lies in a folder: the compiled one (`mo`) or its source (`po`)."""
    return folder / locale / "LC_MESSAGES" / f"{DOMAIN}.{ending}"


def has_translations(locale: str, folder: Path) -> bool:
    """Tell whether a folder holds a locale's catalogue, compiled or not."""
    return any(path_of(locale, folder, ending).exists() for ending in ("mo", "po"))


def _compiled(locale: str, source: Path) -> gettext.NullTranslations:
    """Compile a catalogue in memory, for plugins that bring its source alone."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = io.BytesIO()
    with source.open("rb") as file:
        write_mo(compiled, read_po(file, locale=locale, domain=DOMAIN))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
