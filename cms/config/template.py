"""The file that a new site gets: every setting with its sentence and its default, commented out."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

from cms.config.loading import FILE, PREFIX
from cms.config.setting import Setting
from cms.config.settings import SETTINGS

HEAD = f"""\
# The settings of this site. Each stands here with its default: to change one, take the # before its name away,
# write another value, and start the site anew. {PREFIX} and the name in capitals sets it in the environment,
# which wins over this file. Settings of a plugin go to the end, below its name in brackets.
"""


def write_template(folder: Path) -> bool:
    """Write the commented settings into a site's folder, and tell whether that was done: a file there stays as it is.

    Raises OSError where nothing can be written.
    """
    try:
        # Settings of plugins may hold secrets, which other accounts of the machine have no business with.
        (folder / FILE).touch(mode=0o640, exist_ok=False)
        (folder / FILE).write_text(template(), encoding="utf-8")
    except FileExistsError:
        return False
    return True


def template() -> str:
    """Return all settings as comments of a TOML file."""
    return "\n".join([HEAD, *map(_comment, SETTINGS)])


def _comment(setting: Setting) -> str:
    sentence = textwrap.fill(setting.help, 110, initial_indent="# ", subsequent_indent="# ")
    # JSON is TOML here: texts, numbers, true and false, and lists of texts.
    return f"{sentence}\n#{setting.name} = {json.dumps(setting.default, ensure_ascii=False)}\n"
