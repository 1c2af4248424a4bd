"""References to what isn't here that an export of ours has with its items, comments and terms."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeGuard

from cms.db.stores import NewReference
from cms.transfer.importing.cleaning import Warn
from cms.transfer.importing.context import ImportContext
from cms.transfer.wxr.extension import More

NUMBER = "[0-9]{1,18}"
VALUE_PATH = r"[a-z]\w{0,62}(\.\w{1,63}|\[[0-9]{1,4}\]){0,9}"
PLACES = "[0-9]{1,9}(,[0-9]{1,9}){0,999}/[0-9]{1,9}"
IN_VALUE = rf"value:{VALUE_PATH}|markup:{VALUE_PATH}(:{PLACES})?"
#: What exports say of a reference, by the table of what has it: field, kind of what it leads to, number or slug.
FORMS: Mapping[str, tuple[str, str, str]] = {
    "content": (
        rf"parent|featured|text(:{PLACES})?|meta:\w{{1,100}}|{IN_VALUE}",
        r"item|term:[\w-]{1,100}",
        NUMBER,
    ),
    "comments": ("author", "user", NUMBER),
    "terms": (rf"parent|{IN_VALUE}", r"(slug|term):[\w-]{1,100}|item", r"[^\x00-\x1f]{1,200}"),
}


def await_exported(importing: ImportContext, holder: str, id: int, more: More, warn: Warn) -> None:
    """Keep what a row of a table waited for in the site of ours that it comes from."""
    waiting = more.get("awaits")
    for each in waiting if isinstance(waiting, list) else ():
        if not _is_reference(each, FORMS[holder]):
            warn("a reference to what isn't here can't be read and was left out")
            continue
        field, source, kind, name = each
        reference = NewReference(
            holder=holder, holder_id=id, field=field, source_site=source, kind=kind, name=name
        )
        importing.add_reference(reference)


def _is_reference(value: object, forms: tuple[str, str, str]) -> TypeGuard[list[str]]:
    """Tell whether a value of a file is field, source, kind and name of a reference."""
    if not isinstance(value, list) or len(value) != 4 or not all(isinstance(part, str) for part in value):
        return False
    field, source, kind, name = value
    parts = zip(forms, (field, kind, name), strict=True)
    return bool(source) and all(re.fullmatch(form, part) for form, part in parts)
