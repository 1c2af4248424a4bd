"""Content in levels: each item below a parent and in an order of its own."""

from __future__ import annotations

from typing import Any

from cms.access.capabilities import Principal
from cms.errors import ApiError
from cms.i18n import _
from cms.operations.hierarchy import is_ancestor_or_self
from cms.resources.content.operations import ContentOperations


class HierarchicalContentOperations(ContentOperations):
    """The operations on content in levels: those of all content, with parents."""

    def values(self, args: dict[str, Any], row: Any, principal: Principal) -> dict[str, Any]:
        """Return the columns of a write; an item that would stand above itself gets no parent."""
        if args.get("parent") is None:
            return super().values(args, row, principal)
        parent = self._parent(args["parent"], row)
        return super().values({**args, "parent_id": parent}, row, principal) | {"parent_id": parent}

    def _parent(self, sent: int, row: Any) -> int:
        if sent == 0:
            return 0
        known = self.site.database.row(
            "SELECT 1 FROM content WHERE id = ? AND type = ?", (sent, self.resource.name)
        )
        if known is None:
            raise ApiError("rest_post_invalid_id", _("There is no item %(id)s to be the parent.", id=sent))
        loops = row is not None and is_ancestor_or_self(self.site.database, "content", row["id"], sent)
        return 0 if loops else sent
