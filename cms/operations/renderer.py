"""The HTML of a site's texts: made by the rules of the core, then by those plugins that take part."""

from __future__ import annotations

from cms.db.settings import Settings
from cms.hooks import Hooks
from cms.rendering import fingerprint, render_comment, render_content, render_excerpt, render_title
from cms.rendering.media_marks import CORE
from cms.rendering.own_files import OwnFiles
from cms.rendering.shortcodes import Shortcodes


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

    def content_columns(self, kind: str, title: str, content: str, excerpt: str) -> dict[str, str]:
        """Return the columns that hold the rendered texts of an item of a type."""
        smilies, show, store = self._settings["use_smilies"], self.own_files.show, self.own_files.store
        content, excerpt = show(content), show(excerpt)
        pipe = self.hooks.render_content
        content_html = render_content(content, smilies, self._shortcodes)
        excerpt_html = render_excerpt(excerpt, content, smilies, self._shortcodes)
        return {
            "rendered_by": self.version,
            "title_html": pipe(render_title(title), title, kind, "title"),
            "content_html": store(pipe(content_html, content, kind, "content")),
            "excerpt_html": store(pipe(excerpt_html, excerpt, kind, "excerpt")),
        }

    def comment_columns(self, content: str) -> dict[str, str]:
        """Return the columns that hold the rendered text of a comment."""
        content = self.own_files.show(content)
        html = render_comment(content, self._settings["use_smilies"])
        rendered = self.hooks.render_content(html, content, "comment", "content")
        return {"rendered_by": self.version, "content_html": self.own_files.store(rendered)}
