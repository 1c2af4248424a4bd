"""`make audit`: what pip-audit says is passed on, and a list that can't be reached fails nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "audit.py"


@pytest.mark.parametrize(("says", "code", "expected", "told"), [
    ("print('No known vulnerabilities found')", 0, 0, "No known vulnerabilities found"),
    ("print('flask 0.1 PYSEC-1')", 1, 1, "flask 0.1 PYSEC-1"),
    ("print('requests.exceptions.ConnectionError: x', file=sys.stderr)", 1, 0, "can't be reached"),
    ("print('no such option', file=sys.stderr)", 2, 2, "no such option"),
])
def test_faults_of_libraries_fail_and_a_missing_network_doesnt(tmp_path: Path, says: str, code: int, expected: int, told: str) -> None:
    (tmp_path / "pip_audit.py").write_text(f"import sys\n{says}\nsys.exit({code})\n")
    done = subprocess.run([sys.executable, PROGRAM], env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert done.returncode == expected
    assert told in done.stdout
