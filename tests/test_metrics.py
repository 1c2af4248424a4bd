"""Prometheus reads what all processes have counted together: for those who have the token, where the settings ask for it."""

from __future__ import annotations

import os
import signal
import subprocess
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from clients.served import CMS, ROOT, await_answer, free_port
from prometheus_client import values
from prometheus_client.parser import text_string_to_metric_families
from servers import SERVER
from sites import Client

TOKEN = {"Authorization": "Bearer sesame"}
Numbers = dict[tuple[str, ...], float]


@pytest.fixture
def counted(make_client: Callable[..., Client]) -> Iterator[Client]:
    known = values.ValueClass
    yield make_client(metrics_token="sesame", backup_target="backups")
    values.ValueClass = known
    os.environ.pop("PROMETHEUS_MULTIPROC_DIR", None)


def numbers(text: str) -> Numbers:
    found = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found[sample.name, *sample.labels.values()] = sample.value
    return found


def read(client: Client) -> Numbers:
    answer = client.http.get("/metrics", headers=TOKEN)
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    return numbers(answer.text)


def test_requests_are_counted_by_method_route_and_status(counted: Client) -> None:
    post = counted.new("/posts", title="One", status="publish")["id"]
    for path in (f"/api/cms/v2/posts/{post}", f"/api/cms/v2/posts/{post}", "/api/cms/v2/posts/999999", "/nowhere", "/id/api/cms/v2/posts"):
        counted.http.get(path)
    counted.http.open("/", method="BREW")
    found = read(counted)
    by = {tuple(sorted(name[1:])): value for name, value in found.items() if name[0] == "cms_requests_total"}

    item = "/api/cms/v2/posts/<id>"
    assert by[tuple(sorted(("GET", item, "200")))] == 2
    assert by[tuple(sorted(("GET", item, "404")))] == 1
    assert by[tuple(sorted(("POST", "/api/cms/v2/posts", "201")))] == 1
    assert by[tuple(sorted(("GET", "other", "404")))] == 1
    assert by[tuple(sorted(("GET", "/<language>/api/cms/v2/posts", "200")))] == 1
    assert by[tuple(sorted(("other", "other", "405")))] == 1
    assert sum(value for name, value in found.items() if name[0] == "cms_request_seconds_count" and item in name) == 3


def test_kept_answers_are_counted(counted: Client) -> None:
    for _turn in range(3):
        counted.http.get("/api/cms/v2/posts")
    found = read(counted)

    assert (found["cms_answer_cache_total", "yes"], found["cms_answer_cache_total", "no"]) == (2, 1)


def test_the_site_tells_sizes_and_when_things_were_done(counted: Client) -> None:
    counted.http.get("/api/")  # the first request has timed work planned
    before = read(counted)
    counted.site.worker.run_due()
    counted.site.backups.wait()
    after = read(counted)

    if not SERVER:  # which has numbers of its own
        assert before["cms_database_bytes",] > 100_000
        assert ("cms_wal_bytes",) in before
    assert before["cms_outbox", "waiting"] == 0
    assert before["cms_work_last_seconds",] == 0
    assert ("cms_backup_last_seconds",) not in before
    assert after["cms_work_last_seconds",] > 1_700_000_000
    assert after["cms_backup_last_seconds",] > 1_700_000_000
    assert after["cms_job_last_run_seconds", "backup"] > 1_700_000_000


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "sesame"}, {"Authorization": "Bearer ä"}])
def test_others_see_nothing(counted: Client, headers: dict[str, str]) -> None:
    answer = counted.http.get("/metrics", headers=headers)

    assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
    assert "cms_" not in answer.text


def test_nothing_is_counted_unless_asked_for(client: Client) -> None:
    assert client.http.get("/metrics", headers=TOKEN).status_code == 404
    assert not (client.site.config.instance / "metrics").exists()


@pytest.mark.parametrize("worker", ["gthread", pytest.param("asgi", marks=pytest.mark.long)])
def test_all_processes_are_added_up(client: Client, worker: str) -> None:
    client.site.close()
    folder: Path = client.site.config.instance
    found: list[Numbers] = []
    for _start in range(2):
        port = free_port()
        environ = {**os.environ, "CMS_METRICS_TOKEN": "sesame", "CMS_REQUEST_LOG": "off", "WEB_CONCURRENCY": "2", "CMS_BACKGROUND": "off",
                   "PYTHONPATH": os.environ.get("PYTHONPATH") or str(ROOT)}
        command = [*CMS, "--instance", str(folder), "serve", "--worker", worker, "--bind", f"127.0.0.1:{port}"]
        with subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
            await_answer(f"http://127.0.0.1:{port}/", running)
            for _turn in range(40):
                urllib.request.urlopen(f"http://127.0.0.1:{port}/api/cms/v2/posts", timeout=60).read()
            request = urllib.request.Request(f"http://127.0.0.1:{port}/metrics", headers=TOKEN)
            found.append(numbers(urllib.request.urlopen(request, timeout=60).read().decode()))
            running.send_signal(signal.SIGTERM)
            running.wait(60)

    counts = [sum(value for name, value in each.items() if name[0] == "cms_requests_total" and "/api/cms/v2/posts" in name)
              for each in found]
    assert counts == [40, 80]
    assert found[1]["cms_answer_cache_total", "yes"] >= 70
    assert len(list((folder / "metrics").glob("counter_*.db"))) <= 3
