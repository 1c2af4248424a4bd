"""Addresses of a site's own files in texts: stored without the site's address, and read with the present one."""

from __future__ import annotations

import re

#: What stands for the address of uploads in stored texts. Nobody else writes it, and browsers take it as `/uploads/`.
STORED = "/uploads/./"
#: What a slash is written as: in JSON inside texts it may be escaped, once more where such a text is in JSON.
SLASHES = ("/", r"\/", r"\\/")


def _forms(address: str) -> tuple[str, ...]:
    return tuple(address.replace("/", slash) for slash in SLASHES)


#: All that stands for it.
STORED_FORMS = _forms(STORED)


class OwnFiles:
    """Turns the address of a site's uploads in texts into what is stored for it, and back.

    The address is known by http, by https and without a scheme (`//host/uploads/`); it is read as the present one.
    """

    def __init__(self, address: str) -> None:
        """Take the present address of uploads, with a slash at its end."""
        self.address = address
        self._shown = _forms(address)
        host, _slash, path = address.partition("://")[2].partition("/")
        slash = "(?P=slash)"
        place = slash + slash.join(map(re.escape, path.split("/")))
        # An address inside another's path, as archives have them, is part of that; so is what follows another scheme.
        self._found = re.compile(
            rf"(?:(?<![\w/\\])(?i:https?:)|(?<![\w/\\:]))(?P<slash>\\{{0,2}}/){slash}(?i:{re.escape(host)}){place}"
        )

    def store(self, text: str) -> str:
        """Return a text, or the JSON of a column, as it is stored."""
        if "uploads" not in text:
            return text
        return self._found.sub(self._stored_form, text)

    def _stored_form(self, match: re.Match[str]) -> str:
        return STORED_FORMS[SLASHES.index(match["slash"])]

    def show(self, text: str) -> str:
        """Return a stored text as it is read; called for every text of an answer, so it does next to nothing."""
        # All stored forms have the word; longer ones are found faster.
        if "uploads" not in text:
            return text
        for stored, shown in zip(STORED_FORMS, self._shown, strict=True):
            text = text.replace(stored, shown)
        return text
