"""`cms serve` writes a line for each request: as text or JSON or not at all, with an id, without what is secret."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

from clients.served import await_answer, free_port
from sites import Client

ROOT = Path(__file__).parent.parent


def serve(client: Client, style: str, *addresses: str, **headers: str) -> list[str]:
    """Serve a site, ask for addresses and return the lines of standard output that tell of them."""
    client.site.close()
    port = free_port()
    environ = {**os.environ, "CMS_REQUEST_LOG": style, "CMS_TRUSTED_PROXIES": "127.0.0.1", "WEB_CONCURRENCY": "1",
               "PYTHONPATH": os.environ.get("PYTHONPATH") or str(ROOT)}
    command = [sys.executable, "-m", "cms.cli", "--instance", str(client.site.config.instance), "serve",
               "--bind", f"127.0.0.1:{port}"]
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as running:
        await_answer(f"http://127.0.0.1:{port}/", running)
        for address in addresses:
            request = urllib.request.Request(f"http://127.0.0.1:{port}{address}", headers=headers)
            urllib.request.urlopen(request, timeout=60).read()
        running.send_signal(signal.SIGTERM)
        out, _err = running.communicate(timeout=60)
    return [line for line in out.splitlines() if "/api/" in line and not line.startswith("  ")]


def test_lines_are_for_people(client: Client) -> None:
    headers = {"X-Forwarded-For": "203.0.113.7", "X-Request-ID": "proxy-1"}
    lines = serve(client, "text", "/api/cms/v2/posts?password=secret", **headers)

    assert len(lines) == 1
    assert re.fullmatch(
        r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z 203\.0\.113\.7 "GET /api/cms/v2/posts" 200 \d+ B [\d.]+ ms proxy-1', lines[0])


def test_lines_are_json(client: Client) -> None:
    told = [json.loads(line) for line in serve(client, "json", "/api/cms/v2/posts", "/api/cms/v2/pages?_envelope")]

    assert [(line["method"], line["path"], line["status"], line["address"]) for line in told] == [
        ("GET", "/api/cms/v2/posts", 200, "127.0.0.1"), ("GET", "/api/cms/v2/pages", 200, "127.0.0.1")]
    assert set(told[0]) == {"time", "level", "address", "method", "path", "status", "bytes", "milliseconds", "request_id"}
    assert re.fullmatch(r"[0-9a-f]{16}", told[0]["request_id"])
    assert told[0]["request_id"] != told[1]["request_id"]


def test_nothing_is_written_where_it_is_off(client: Client) -> None:
    assert serve(client, "off", "/api/cms/v2/posts") == []
