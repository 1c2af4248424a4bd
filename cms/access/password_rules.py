"""Which passwords an account may be given."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from cms.i18n import Text, _


def password_fault(password: str, least: int, names: Iterable[str]) -> Text | None:
    """Return what is wrong with a new password, None where nothing is; `names` are those of its account.

    It must have `least` characters and be none of those that are tried first: neither one of the commonest, nor one
    or two characters over and over, nor a name. With 0 for `least` any will do.
    """
    if least <= 0:
        return None
    if len(password) < least:
        return _("A password has %(least)s characters at least. This one has fewer.", least=least)
    tried = password.strip().casefold()
    is_monotonous = len(set(tried)) < 3
    if is_monotonous or tried in _commonest() or tried in map(str.casefold, names):
        return _(
            "This password would be guessed at once: it is common, or a name of the account. Take another."
        )
    return None


@lru_cache(maxsize=1)
def _commonest() -> frozenset[str]:
    """Return the 30,000 commonest passwords that leaks have shown; read when the first password is set."""
    from zxcvbn.frequency_lists import FREQUENCY_LISTS

    return frozenset(FREQUENCY_LISTS["passwords"])
