"""The programs that kill and load a served site find nothing lost; short forms of what `bench/` does for long."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from sites import Client

HERE = Path(__file__).parents[1]


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *command], cwd=HERE, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.long
@pytest.mark.parametrize("worker", ["gthread", "asgi"])
def test_nothing_acknowledged_is_lost_when_processes_are_killed(worker: str) -> None:
    done = run("bench/kills.py", "--kills", "6", "--seed", "1", "--worker", worker)

    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.endswith("6 kills, seed 1: 0 wrong\n")


@pytest.mark.long
@pytest.mark.parametrize("worker", ["gthread", "asgi"])
def test_under_load_nobody_gets_an_error_and_nothing_is_lost_or_doubled(worker: str) -> None:
    done = run("bench/load.py", "--seconds", "15", "--clients", "64", "--worker", worker)

    # How fast and in how much memory is told by a run of ten minutes alone.
    faults = [line for line in done.stderr.splitlines() if "percentile" not in line and "memory grew" not in line]
    assert not [line for line in faults if " is lost" in line or " times" in line or ": 5" in line], done.stderr[-2000:]
    assert "no answer" not in done.stderr
    assert "posts made" in done.stdout, done.stderr[-2000:]


@pytest.mark.long
def test_tests_are_found_in_one_process_too() -> None:
    # as mutants run them
    found = run("-m", "pytest", "-p", "no:xdist", "-o", "addopts=", "--collect-only", "-q", "tests/test_dates.py")

    assert found.returncode == 0, found.stdout[-2000:]
    assert "test_dates.py" in found.stdout


def test_threads_write_in_the_order_in_which_they_asked(client: Client) -> None:
    database = client.site.database
    wrote: list[int] = []

    def write(number: int) -> None:
        with database.write():
            wrote.append(number)
        database.close()

    threads = [threading.Thread(target=write, args=(number,)) for number in range(6)]
    with database.write():
        for thread in threads:
            thread.start()
            time.sleep(0.1)  # so that it has asked
    for thread in threads:
        thread.join()

    assert wrote == list(range(6))


def test_a_write_waits_for_that_of_another_process(client: Client) -> None:
    code = f"""
import sys
from pathlib import Path
from cms.db.connection import Database
database = Database(Path({str(client.site.database.path)!r}), server={client.site.database.server!r})
with database.write():
    print("holds", flush=True)
    sys.stdin.readline()
    database.execute("UPDATE options SET value = json_quote('first') WHERE name = 'title'")
database.close()
"""
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "holds\n"
        answers: list[int] = []

        def write() -> None:
            http = client.send("POST", "/settings", "administrator", json={"title": "second"})
            answers.append(http.status_code)
            client.site.database.close()

        thread = threading.Thread(target=write)
        thread.start()
        thread.join(0.3)
        waited = not answers
        other.communicate("go on\n")
        thread.join(20)

    assert waited
    assert answers == [200]
    assert client.get("/settings", "administrator").json["title"] == "second"
