"""The function that folds texts on the server, made of the tables of the one folding; it is written to answer alike."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from cms.rendering.folding import fold

#: It unescapes what HTML has to, and no other names of characters.
FUNCTION = """
CREATE OR REPLACE FUNCTION fold(letters text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT regexp_replace(normalize(translate(normalize({plain}, NFKD), {marks}), NFC), ' +', ' ', 'g') COLLATE "C"
$$
"""
ESCAPED = {
    "&nbsp;": " ",
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&apos;": "'",
    "&#39;": "'",
    "&#039;": "'",
    "&amp;": "&",
}
#: Letters that become several, which isn't said by their normal form.
SEVERAL = {"ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ŉ": "'n"}
#: Signs that folding has in place of others: quotes, dashes, letters with a stroke, what nobody sees.
ALIKE = "‘’‚‛′`´ʼ“”„‟«»″‐‑‒–—―−øđðłħıŧς\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
#: What comes between words besides spaces.
WIDE = "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\u1680\u2028\u2029"
#: Letters of Cherokee and old Cyrillic, and an iota without a letter: the server has others of them in small ones.
OTHERS = [
    chr(code) for code in (0x37A, *range(0x13A0, 0x13FE), *range(0x1C80, 0x1C89), *range(0xAB70, 0xABC0))
]


def fold_function() -> str:
    """Return the statement that defines it, in place of the one that is there."""
    text = "letters"
    for name, sign in ESCAPED.items():
        text = f"replace({text}, {_quoted(name)}, {_quoted(sign)})"
    text = f'lower({_translated(text, ALIKE)} COLLATE "und-x-icu")'
    text = _translated(text, [*ALIKE, *filter(str.isalpha, OTHERS)])
    for letter, letters in SEVERAL.items():
        text = f"replace({text}, {_quoted(letter)}, {_quoted(letters)})"
    accents = [
        chr(code)
        for code in range(0x300, 0x1E950)
        if unicodedata.combining(chr(code)) and not _kept(chr(code))
    ]
    kept = {"\u0345": "ι", **dict.fromkeys(WIDE, " ")}
    signs = "".join([*kept, *(sign for sign in accents if sign not in kept)])
    return FUNCTION.format(plain=text, marks=f"{_quoted(signs)}, {_quoted(''.join(kept.values()))}")


def _kept(mark: str) -> bool:
    """Tell whether a mark isn't folded away behind a letter."""
    return fold(f"x{mark}") != "x"


def _translated(text: str, signs: Iterable[str]) -> str:
    """Return a text with what signs are folded to in their place; those that go come last."""
    found = {sign: fold(f"x{sign}x")[1:-1] for sign in signs}
    ordered = sorted(found, key=lambda sign: not found[sign])
    return (
        f"translate({text}, {_quoted(''.join(ordered))}, {_quoted(''.join(found[sign] for sign in ordered))})"
    )


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
