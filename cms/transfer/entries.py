"""One child of an export's channel, with typed access to what it holds, as a record."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from xml.etree.ElementTree import Element

from cms.transfer.records import (
    AuthorRecord,
    Coauthor,
    CommentRecord,
    ItemRecord,
    Meta,
    Notice,
    TermLink,
    TermRecord,
)

_SPACE = " \t\r\n"
_NUMBER = re.compile(r"-?[0-9]{1,18}")
_ZERO = "0000-00-00"
# Versions before 1.1 name the taxonomy of tags differently.
_TAXONOMIES = {"tag": "post_tag"}
_NAMES = {
    "wp:category": ("category", "wp:category_nicename", "wp:cat_name", "wp:category_description", "wp:category_parent"),
    "wp:tag": ("post_tag", "wp:tag_slug", "wp:tag_name", "wp:tag_description", ""),
    "wp:term": ("", "wp:term_slug", "wp:term_name", "wp:term_description", "wp:term_parent"),
}
