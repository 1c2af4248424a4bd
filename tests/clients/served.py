"""A served site as its clients know it."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Served:
    """The address of a site and its administrator."""

    home: str
    login: str
    password: str


def run_client(script: str, served: Served) -> Any:
    """Run a script of this folder against the site and return what it printed as JSON."""
    environ = {**os.environ, "SITE_HOME": served.home, "SITE_LOGIN": served.login, "SITE_PASSWORD": served.password}
    done = subprocess.run(["node", HERE / script], env=environ, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
