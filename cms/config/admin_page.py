"""The settings of the editing page and of signing in to it."""

from __future__ import annotations

from cms.config.setting import Setting
from cms.config.values import boolean, number, preview_pattern

#: Whether sites have the editing page unless they say otherwise.
ADMIN_PAGE = True

ADMIN_SETTINGS = (
    Setting("admin", boolean, ADMIN_PAGE, "Whether there is a page at /admin on which people edit the site."),
    Setting(
        "preview_url",
        preview_pattern,
        "",
        "Where the front end shows an item that isn't published, in a frame of the editing page: a pattern of "
        "{type}, {id}, {slug} and {token}, such as https://www.example.org/preview/{id}?token={token}.",
    ),
    Setting("session_days", number(1), 30, "Days after which people sign in anew on the editing page."),
    Setting(
        "session_idle_days",
        number(1),
        7,
        "Days after which they do so where they haven't used the page meanwhile.",
    ),
)
