"""The types of comments: those that readers see; all others are for those who moderate."""

from __future__ import annotations

COMMENT = "comment"
#: What people and other sites say of an item. Notes of shops, likes and the like came with an import.
PUBLIC_TYPES = (COMMENT, "pingback", "trackback")
