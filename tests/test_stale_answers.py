"""No answer of a served site is older than the data, whichever of its workers writes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parents[1]


@pytest.mark.long
@pytest.mark.parametrize("worker", ["gthread", "asgi"])
def test_every_answer_is_of_the_present_data(worker: str) -> None:
    command = [sys.executable, "bench/stale_answers.py", "--answers", "3000", "--worker", worker]

    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, timeout=300, check=False)

    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.endswith(" answers, 0 wrong\n")
