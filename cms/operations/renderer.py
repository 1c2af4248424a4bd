"""The HTML of a site's texts: made by the rules of the core, then by those plugins that take part."""

from __future__ import annotations

import hashlib
from functools import cached_property

import pluggy

from cms.db.settings import Settings
from cms.hooks import hand_on, version_of
from cms.rendering import fingerprint, render_comment, render_content, render_excerpt, render_title


class Renderer:
    """Renders texts into the columns that keep them, with the mark of the rules that made them."""

    def __init__(self, plugins: pluggy.PluginManager, settings: Settings) -> None:
        self._plugins, self._settings = plugins, settings

    @property
    def mark(self) -> str:
        """Tells whether stored HTML is of the present rules, plugins and settings."""
        return fingerprint(self._settings["use_smilies"]) + self._version_of_plugins

    @cached_property
    def _version_of_plugins(self) -> str:
        names = [
            (each.plugin_name, version_of(self._plugins, each.plugin))
            for each in self._plugins.hook.render_content.get_hookimpls()
        ]
        return f"+{hashlib.sha256(repr(names).encode()).hexdigest()[:12]}" if names else ""

    def content_columns(self, kind: str, title: str, content: str, excerpt: str) -> dict[str, str]:
        """Return the columns that hold the rendered texts of an item of a type."""
        smilies = self._settings["use_smilies"]
        return {
            "rendered_by": self.mark,
            "title_html": self._finish(render_title(title), title, kind, "title"),
            "content_html": self._finish(render_content(content, smilies), content, kind, "content"),
            "excerpt_html": self._finish(render_excerpt(excerpt, content, smilies), excerpt, kind, "excerpt"),
        }

    def comment_columns(self, content: str) -> dict[str, str]:
        """Return the columns that hold the rendered text of a comment."""
        html = render_comment(content, self._settings["use_smilies"])
        return {"rendered_by": self.mark, "content_html": self._finish(html, content, "comment", "content")}

    def _finish(self, html: str, raw: str, kind: str, field: str) -> str:
        return hand_on(self._plugins.hook.render_content, "html", html, raw=raw, kind=kind, field=field)
