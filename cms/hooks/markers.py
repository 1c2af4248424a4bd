"""The markers of hooks and of their implementations, and the version of the plugin interface."""

from __future__ import annotations

import pluggy

PROJECT = "cms"
#: The version of the plugin interface; a plugin says with `cms_api` which one it is written for.
API_VERSION = 1

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)

#: What `comment_check` may answer, from the mildest to the strictest.
VERDICTS = ("approve", "hold", "spam", "trash", "reject")
