"""Translatable texts and the gettext catalogues that translate them when JSON is written."""

from __future__ import annotations

import copy
import gettext
import io
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

DOMAIN = "cms"
ENGLISH = gettext.NullTranslations()


class Text(str):
    """An English text that can be translated: a string that remembers its message id and its values."""

    msgid: str
    values: Mapping[str, object]

    def __new__(cls, msgid: str, values: Mapping[str, object] | None = None) -> Self:
        """Make the English text; `values` fill its `%(name)s` placeholders.

        `%%` stands for a per cent sign, with values or without.
        """
        text = _filled(msgid, values)
        self = super().__new__(cls, text)
        self.msgid = msgid
        self.values = values or {}
        return self

    def in_language(self, translations: gettext.NullTranslations) -> str:
        """Return the text in the catalogue's language, its translatable values too."""
        if not self.msgid:
            return ""
        localized = translations.gettext(self.msgid)
        values: dict[str, object] = translate(dict(self.values), translations)
        return _filled(localized, values)


class LabelText(Text):
    """A text that comes with its languages instead of having its place in the catalogues.

    `languages` has it by code (`de_DE`) or by its beginning (`de`); in any other language it is the text itself.
    """

    languages: Mapping[str, str]

    def __new__(cls, text: str, languages: Mapping[str, str] | None = None) -> Self:
        """Make the text as it is where its language isn't there."""
        self = super().__new__(cls, text.replace("%", "%%"))
        self.languages = languages or {}
        return self

    def in_language(self, translations: gettext.NullTranslations) -> str:
        """Return the text in the language of a catalogue."""
        code = getattr(translations, "locale", "")
        return self.languages.get(code) or self.languages.get(code.partition("_")[0]) or str(self)


class Translations(gettext.NullTranslations):
    """The catalogues of one language as one."""

    def __init__(self, locale: str) -> None:
        super().__init__()
        self.locale = locale


def _filled(text: str, values: Mapping[str, object] | None) -> str:
    return text % values if values else text.replace("%%", "%")


def _(msgid: str, **values: object) -> Text:
    """Mark a text for translation."""
    return Text(msgid, values or None)


def translate(value: Any, translations: gettext.NullTranslations) -> Any:
    """Return a JSON value of any type with every `Text` in it translated."""
    if isinstance(value, Text):
        return value.in_language(translations)
    if isinstance(value, dict):
        return {k: translate(v, translations) for k, v in value.items()}
    if isinstance(value, list):
        return [translate(v, translations) for v in value]
    return value


def load_translations(locale: str, folders: Iterable[Path]) -> gettext.NullTranslations:
    """Return a locale's catalogues of these folders as one, in which the first folder comes first.

    A text that no catalogue has stays English.
    """
    merged = Translations(locale)
    for folder in folders:
        compiled = catalogue_path(locale, folder, "mo")
        source = catalogue_path(locale, folder, "po")
        if compiled.exists():
            merged.add_fallback(_translations_in(locale, compiled))
        elif source.exists():
            merged.add_fallback(_translations_in(locale, source))
    return merged


def _translations_in(locale: str, path: Path) -> gettext.NullTranslations:
    """Return a catalogue's translations, which share their texts with all others of the same file."""
    status = path.stat()
    read = _read_catalogue(locale, path, (status.st_ino, status.st_size, status.st_mtime_ns))
    return copy.copy(read)  # a fallback that is added to it is its own


@lru_cache(maxsize=200)
def _read_catalogue(locale: str, path: Path, version: tuple[int, int, int]) -> gettext.NullTranslations:
    """Read a catalogue once as long as the file stays as it is: several locales and checks have use for it."""
    if path.suffix == ".po":
        return _compile_catalogue(locale, path)
    with path.open("rb") as file:
        return gettext.GNUTranslations(file)


def catalogue_path(locale: str, folder: Path, ending: str) -> Path:
    """Return the path of a locale's catalogue in a folder: the compiled one (`mo`) or its source (`po`)."""
    return folder / locale / "LC_MESSAGES" / f"{DOMAIN}.{ending}"


def has_translations(locale: str, folder: Path) -> bool:
    """Tell whether a folder has a locale's catalogue, compiled or not."""
    return catalogue_path(locale, folder, "mo").exists() or catalogue_path(locale, folder, "po").exists()


def _compile_catalogue(locale: str, source: Path) -> gettext.NullTranslations:
    """Compile a catalogue in memory, for plugins that come with its source alone."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = io.BytesIO()
    with source.open("rb") as file:
        write_mo(compiled, read_po(file, locale=locale, domain=DOMAIN))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
