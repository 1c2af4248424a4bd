"""The rules of names and addresses that hold for accounts, authors of comments and imports alike."""

from __future__ import annotations

import re

EMAIL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")
LOGIN_CHARACTERS = "A-Za-z0-9 _.@-"
#: In characters.
MAX_EMAIL_LENGTH, MAX_LOGIN_LENGTH, MAX_NAME_LENGTH, MAX_SLUG_LENGTH, MAX_URL_LENGTH = 100, 60, 250, 50, 100
#: In bytes: what people say about themselves stands beside each of their texts where accounts are embedded.
MAX_DESCRIPTION_BYTES = 20_000


def is_email(text: str) -> bool:
    """Tell whether a text is an e-mail address that an account may have."""
    return len(text) <= MAX_EMAIL_LENGTH and EMAIL.fullmatch(text) is not None


def is_login(text: str) -> bool:
    """Tell whether a text may be the name that an account signs in with, its length apart."""
    has_known_signs = re.fullmatch(rf"[{LOGIN_CHARACTERS}]+", text, re.ASCII) is not None
    return has_known_signs and text == text.strip() and "  " not in text
