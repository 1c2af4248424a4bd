"""The texts of the editing page in a language, from the catalogues that the API's own texts are in."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from cms.admin.files import FOLDER
from cms.call import Call
from cms.i18n import _
from cms.schema.endpoint import GET, PUBLIC, Answer, Endpoint, Route
from cms.schema.schemas import ArgumentSchema
from cms.schema.texts import String

#: The function that marks a text in the page's modules, and the folder of those that aren't ours.
KEYWORDS: dict[str, None] = {"t": None}
VENDOR = "vendor"
#: Texts stand inside of templates too; babel.cfg says the same to those who make the catalogues.
OPTIONS = {"parse_template_string": True}


class LanguageArgs(ArgumentSchema):
    """Which language is asked for."""

    language = String(_("Code of a language of the site."), default="")


@cache
def page_texts() -> frozenset[str]:
    """Return all texts of the page's modules; found when a page first asks, as the files stay as they are."""
    return frozenset(_found())


def _found() -> Iterator[str]:
    # Reading JavaScript takes a parser, which is imported where a page asks for its texts.
    from babel.messages.extract import extract

    for path in sorted(FOLDER.rglob("*.js")):
        if VENDOR in path.parts:
            continue
        with path.open("rb") as file:
            for _line, text, _comments, _context in extract("javascript", file, KEYWORDS, options=OPTIONS):
                if isinstance(text, str) and text:
                    yield text


def _texts(call: Call) -> Answer:
    translation = call.site.translation(call.args["language"])
    translated = {}
    for text in sorted(page_texts()):
        translated[text] = translation.gettext(text)
    return Answer(translated, allow=None)


ROUTES = (Route("/texts", (Endpoint(GET, _texts, PUBLIC, LanguageArgs),), namespace=""),)
