"""The client that openapi-python-client generates: held to its types by mypy, and run against a served site."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from served import CMS, FILES, HERE, ROOT, Prepared, Served, serve_copy

pytestmark = pytest.mark.npm


def run_program(folder: Path, *command: str, **environ: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, env={**os.environ, **environ})
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def signed_in(prepared: Prepared, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A served site, and a token for it."""
    folder = tmp_path_factory.mktemp("served")
    with serve_copy(prepared, folder) as site:
        made = run_program(folder, *CMS, "token", "create", site.login, "--name", "tour", "--scope", "all", "--json",
                           CMS_INSTANCE=str(folder), PYTHONPATH=os.environ.get("PYTHONPATH") or str(ROOT))
        yield site, json.loads(made)["token"]


@pytest.fixture(scope="module")
def package(signed_in: tuple[Served, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the generated package and the tour."""
    folder = tmp_path_factory.mktemp("python")
    with urllib.request.urlopen(f"{signed_in[0].home}/api/openapi.json") as answer:
        (folder / "openapi.json").write_bytes(answer.read())
    (folder / "config.yml").write_text("package_name_override: cms_client\n", encoding="utf-8")
    printed = run_program(folder, sys.executable, "-m", "openapi_python_client", "generate", "--path", "openapi.json", "--config",
                          "config.yml", "--meta", "none", "--output-path", "cms_client")
    assert "Warning" not in printed
    assert "ERROR" not in printed
    (folder / "tour.py").write_bytes((HERE / "openapi" / "tour.py").read_bytes())
    return folder


def test_the_tour_is_right_by_the_generated_types(package: Path) -> None:
    run_program(package, sys.executable, "-m", "mypy", "--no-incremental", "--strict", "--config-file=", "--python-executable",
                sys.executable, "tour.py")


def test_the_tour_runs(package: Path, signed_in: tuple[Served, str]) -> None:
    site, token = signed_in
    outcome = json.loads(run_program(package, sys.executable, "tour.py", SITE_HOME=site.home, SITE_TOKEN=token, FILES=str(FILES)))

    assert outcome["read"]["count"] > 10
    assert outcome["read"]["links"] == 2
    assert outcome["walk"] == {"items": outcome["read"]["count"], "different": outcome["read"]["count"]}
    assert outcome["write"] == {"title": "Changed", "late": [412, "rest_precondition_failed"]}
    assert outcome["upload"] == {"alt": "Harbour", "post": None}
    assert outcome["refusals"] == [401, "rest_invalid_credentials", 401]
