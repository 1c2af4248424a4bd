"""Pages: content in levels, each below a parent and in an order of its own."""

from __future__ import annotations

from typing import Any

from cms.errors import ApiError
from cms.fields import VIEW_EDIT, Ids, Integer
from cms.hierarchy import stands_above
from cms.i18n import _
from cms.models import Content
from cms.policy import Viewer
from cms.resource import Link, Page, Resource
from cms.resources.content import ORDERS, PasswordArgs, WrittenSchema, content_links, list_fields, permalink
from cms.resources.content_operations import ContentOperations
from cms.schema import Arguments


class PageSchema(WrittenSchema):
    """The fields of a page."""

    parent = Integer(_("Id of the page above; 0 for none."), VIEW_EDIT, null=0, column="parent_id")
    menu_order = Integer(_("Place of the page among its siblings."), VIEW_EDIT, null=0)


class PageListArgs(Arguments):
    """The arguments of the list of pages."""

    locals().update(list_fields((*ORDERS, "menu_order")))
    menu_order = Integer(_("Only pages with this place among their siblings."), where=Content.menu_order.__eq__)
    parent = Ids(_("Only pages right below these."), default=[], where=Content.parent_id.in_)
    parent_exclude = Ids(_("No pages right below these."), default=[], where=Content.parent_id.not_in)


class PageOperations(ContentOperations):
    """The operations on pages: those of content, with parents."""

    def values(self, args: dict[str, Any], row: Any, viewer: Viewer) -> dict[str, Any]:
        """Return the columns of a write; a page that would stand above itself gets no parent."""
        if args.get("parent") is None:
            return super().values(args, row, viewer)
        parent = self._parent(args["parent"], row)
        return super().values({**args, "parent_id": parent}, row, viewer) | {"parent_id": parent}

    def _parent(self, sent: int, row: Any) -> int:
        if sent == 0:
            return 0
        known = self.site.database.row("SELECT 1 FROM content WHERE id = ? AND type = ?", (sent, self.resource.name))
        if known is None:
            raise ApiError("rest_post_invalid_id", _("There is no page %(id)s to be the parent.", id=sent))
        loops = row is not None and stands_above(self.site.database, "content", row["id"], sent)
        return 0 if loops else sent


def _up(row: Any, page: Page) -> str | None:
    return f"{page.site.api_url}/cms/v2/pages/{row['parent_id']}" if row["parent_id"] else None


def page() -> Resource:
    """Return the resource of pages."""
    links = (*content_links("pages"), Link("up", _up, embeddable=True, columns=("parent_id",)))
    return Resource("page", "pages", Content, PageSchema, PageListArgs, PageOperations, _("Pages"),
                    get_args=PasswordArgs, links=links, address=permalink)
