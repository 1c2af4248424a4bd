"""While clients write, backups are restored into the running site, and nothing that was acknowledged before is lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parents[2]


@pytest.mark.long
@pytest.mark.parametrize(("rounds", "clients", "worker"), [(3, 32, "gthread"), (3, 32, "asgi")])
def test_every_restore_holds_what_was_acknowledged_before_its_backup(rounds: int, clients: int, worker: str) -> None:
    command = [sys.executable, "bench/backups.py", "--rounds", str(rounds), "--clients", str(clients), "--worker", worker,
               "--pause", "1"]

    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, timeout=1800, check=False)

    assert done.returncode == 0, done.stderr[-2000:]
    last = done.stdout.splitlines()[-1]
    assert last.startswith(f"{rounds} backups restored, ")
    assert last.endswith(" refused, 0 wrong")
