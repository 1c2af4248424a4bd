"""Addresses of a site's own files in texts: stored without the site's address, and read with the present one."""

from __future__ import annotations

import re

#: What stands for the address of uploads in stored texts. Nobody else writes it, and browsers take it as `/uploads/`.
STORED = "/uploads/./"


def _in_json(address: str) -> str:
    return address.replace("/", r"\/")


#: All that stands for it: in JSON inside texts slashes may be escaped.
STORED_FORMS = (STORED, _in_json(STORED))


class OwnFiles:
    """Turns the address of a site's uploads in texts into what is stored for it, and back."""

    def __init__(self, address: str) -> None:
        """Take the present address of uploads, with a slash at its end."""
        self.address = address
        self._shown = (address, _in_json(address))
        forms = "|".join(map(re.escape, self._shown))
        # An address inside another's path, as archives have them, is part of that.
        self._found = re.compile(rf"(?<![\w/\\])(?:{forms})")

    def store(self, text: str) -> str:
        """Return a text as it is stored."""
        return self._found.sub(self._stored_form, text)

    def _stored_form(self, match: re.Match[str]) -> str:
        return STORED_FORMS[self._shown.index(match[0])]

    def show(self, text: str) -> str:
        """Return a stored text as it is read; called for every text of an answer, so it does next to nothing."""
        if "/." not in text:
            return text
        for stored, shown in zip(STORED_FORMS, self._shown, strict=True):
            text = text.replace(stored, shown)
        return text
