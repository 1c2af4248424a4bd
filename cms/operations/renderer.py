"""The HTML of a site's texts: made by the rules of the core, then by those plugins that take part."""

from __future__ import annotations

from collections.abc import Mapping

from cms.db.settings import Settings
from cms.hooks import Hooks
from cms.rendering import fingerprint, render_comment, render_content, render_excerpt, render_title
from cms.rendering.media_marks import CORE
from cms.rendering.own_files import OwnFiles
from cms.rendering.shortcodes import Shortcodes

#: The columns of a row that hold rendered texts.
HTML_COLUMNS = ("title_html", "content_html", "excerpt_html")


class Renderer:
    """Renders texts into the columns that hold their HTML, with the version of the rules that made it.

    Texts may be as they are sent or as they are stored; columns are as they are stored (see `OwnFiles`).
    """

    def __init__(self, hooks: Hooks, settings: Settings, shortcodes: Shortcodes, own_files: OwnFiles) -> None:
        """Prepare; `shortcodes` are those of plugins, which come before the core's own of the same name."""
        self._settings, self.own_files = settings, own_files
        #: The hooks of the plugins that take part in what is shown.
        self.hooks = hooks
        self._shortcodes = {**CORE, **shortcodes}

    @property
    def version(self) -> str:
        """What tells whether stored HTML is of the present rules, plugins and settings."""
        return fingerprint(self._settings["use_smilies"]) + self.hooks.rendering_version

    def content_columns(
        self, kind: str, title: str, content: str, excerpt: str, stored: Mapping[str, object] | None = None
    ) -> dict[str, str]:
        """Return the columns that hold the rendered texts of an item of a type.

        Of an item that is `stored`, with its row, those texts alone are rendered that change.
        """
        changed = self._changed(title, content, excerpt, stored)
        smilies, show, store = self._settings["use_smilies"], self.own_files.show, self.own_files.store
        content, excerpt = show(content), show(excerpt)
        pipe = self.hooks.render_content
        columns = {"rendered_by": self.version}
        if stored is not None:
            columns |= {name: str(stored[name]) for name in HTML_COLUMNS}
        if "title" in changed:
            columns["title_html"] = pipe(render_title(title), title, kind, "title")
        if "content" in changed:
            html = render_content(content, smilies, self._shortcodes)
            columns["content_html"] = store(pipe(html, content, kind, "content"))
        if "excerpt" in changed:
            html = render_excerpt(excerpt, content, smilies, self._shortcodes)
            columns["excerpt_html"] = store(pipe(html, excerpt, kind, "excerpt"))
        return columns

    def _changed(
        self, title: str, content: str, excerpt: str, stored: Mapping[str, object] | None
    ) -> set[str]:
        """Return the names of the texts whose HTML isn't what is stored already."""
        if stored is None or stored["rendered_by"] != self.version:
            return {"title", "content", "excerpt"}
        texts = {"title": title, "content": self.own_files.store(content)}
        changed = {name for name, text in texts.items() if text != stored[name]}
        is_made_of_content = not excerpt.strip() and "content" in changed
        if is_made_of_content or self.own_files.store(excerpt) != stored["excerpt"]:
            changed.add("excerpt")
        return changed

    def comment_columns(self, content: str) -> dict[str, str]:
        """Return the columns that hold the rendered text of a comment."""
        content = self.own_files.show(content)
        html = render_comment(content, self._settings["use_smilies"])
        rendered = self.hooks.render_content(html, content, "comment", "content")
        return {"rendered_by": self.version, "content_html": self.own_files.store(rendered)}
