"""Which characters a stored text may have: those that an export in XML can hold."""

from __future__ import annotations

import re

#: Characters that XML 1.0 can't hold in any form.
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def without_forbidden(text: str) -> str:
    """Return a text without the characters that XML can't hold."""
    return FORBIDDEN.sub("", text)
