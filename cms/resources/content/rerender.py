"""Rendering texts again whose HTML is of older rules, so that reading them renders nothing."""

from __future__ import annotations

from collections.abc import Callable

from cms.context import SiteContext
from cms.db.stores.content import ContentTexts
from cms.operations.renderer import Renderer

#: Rows in one transaction: others get to write between two.
BATCH = 50


class Rerenderer:
    """Renders the texts of a site again after each change of the rules; versions of items stay.

    Looking for such texts reads every row, so it is done once for each version of the rules, and after each restore.
    """

    def __init__(self, site: SiteContext, renderer: Renderer) -> None:
        self._site, self._renderer = site, renderer
        self._done: tuple[str, int] | None = None

    def run(self, is_stopping: Callable[[], bool] = lambda: False) -> int:
        """Render what is of older rules, and return how many rows that were; ends early when it is to stop."""
        version = self._renderer.version
        present = version, self._restored()
        if present == self._done:
            return 0
        rendered = self._rerender_content(version, is_stopping)
        rendered += self._rerender_comments(version, is_stopping)
        rendered += self._rerender_revisions(version, is_stopping)
        if not is_stopping():
            self._done = present
        return rendered

    def _restored(self) -> int:
        site = self._site
        return site.cache.get_or_load("restored", site.now(), site.database.restored)

    def _rerender_content(self, version: str, is_stopping: Callable[[], bool]) -> int:
        store, last, rendered = self._site.stores.content, 0, 0
        while not is_stopping() and (rows := store.stale(last, version, BATCH)):
            rendered_rows = [(row, self._content_columns(row)) for row in rows]
            with self._site.database.write():
                for row, columns in rendered_rows:
                    store.store_rendered(row["id"], row["version"], columns)
            rendered, last = rendered + len(rows), rows[-1]["id"]
        return rendered

    def _rerender_revisions(self, version: str, is_stopping: Callable[[], bool]) -> int:
        store, last, rendered = self._site.stores.revisions, 0, 0
        while not is_stopping() and (rows := store.stale(last, version, BATCH)):
            rendered_rows = [(row["id"], self._content_columns(row)) for row in rows]
            with self._site.database.write():
                for id, columns in rendered_rows:
                    store.store_rendered(id, columns)
            rendered, last = rendered + len(rows), rows[-1]["id"]
        return rendered

    def _content_columns(self, row: ContentTexts) -> dict[str, str]:
        return self._renderer.content_columns(row["type"], row["title"], row["content"], row["excerpt"])

    def _rerender_comments(self, version: str, is_stopping: Callable[[], bool]) -> int:
        store, last, rendered = self._site.stores.comments, 0, 0
        while not is_stopping() and (rows := store.stale(last, version, BATCH)):
            rendered_rows = [(row, self._renderer.comment_columns(row["content"])) for row in rows]
            with self._site.database.write():
                for row, columns in rendered_rows:
                    store.store_rendered(row["id"], row["version"], columns)
            rendered, last = rendered + len(rows), rows[-1]["id"]
        return rendered
