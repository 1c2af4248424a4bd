"""Editors of texts that plugins bring to the editing page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

#: What of an editor's folder browsers may load, by the ends of names, with the types of files.
SERVED = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}


@dataclass(frozen=True)
class PageEditor:
    """An editor for the content of items on the editing page: an ES module in a folder with all that it loads.

    `types` are the names of the types whose content is edited with it, those of all others where it is empty. Of the
    folder browsers get modules, styles, pictures in SVG and fonts in WOFF2. `plugin` is filled in by the site.
    """

    folder: Path
    module: str = "editor.js"
    types: Sequence[str] = ()
    plugin: str = ""

    @property
    def place(self) -> str:
        """Where the folder lies among the files of the page."""
        return f"plugins/{self.plugin}"

    def files(self) -> dict[str, Path]:
        """Return what browsers may load, by its place among the files of the page."""
        found = {}
        for path in sorted(self.folder.rglob("*")):
            if path.suffix in SERVED and path.is_file():
                found[f"{self.place}/{path.relative_to(self.folder).as_posix()}"] = path
        return found
