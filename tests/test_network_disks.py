"""A database on a network file system, which processes on two machines would damage, isn't served."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from sites import Client

from cms import create_app
from cms.cli import main
from cms.config import ConfigError
from cms.db import file_systems


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    Client(folder).site.close()
    return folder


def mount(monkeypatch: pytest.MonkeyPatch, folder: Path, kind: str) -> None:
    """Have the system say that a folder lies on a kind of file system."""
    mounts = folder.parent / "mounts"
    mounts.write_text(f"/dev/sda1 / ext4 rw 0 0\nserver:/sites {folder} {kind} rw 0 0\n")
    monkeypatch.setattr(file_systems, "MOUNTS", mounts)


@pytest.mark.files_only  # a server's files aren't ours
@pytest.mark.parametrize("kind", ["nfs4", "cifs", "fuse.sshfs"])
def test_a_network_file_system_is_refused_with_what_to_do(
    folder: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    mount(monkeypatch, folder, kind)
    with pytest.raises(ConfigError, match=kind) as caught:
        create_app(instance=folder)
    assert "Move the instance folder" in str(caught.value)
    assert "allow_network_disk" in str(caught.value)
    assert "\n" not in str(caught.value)
    done = CliRunner().invoke(main, ["--instance", str(folder), "serve", "--bind", f"unix:{folder}/cms.sock"])
    assert done.exit_code == 2
    assert done.output == f"Error: {caught.value}\n"


def test_the_setting_serves_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mount(monkeypatch, folder, "nfs4")
    application = create_app({"allow_network_disk": True}, folder)
    assert application.test_client().get("/api/cms/v2/posts").status_code == 200


@pytest.mark.parametrize("kind", ["ext4", "9p", "overlay"])
def test_the_disk_of_a_machine_or_a_sandbox_is_served(
    folder: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    mount(monkeypatch, folder, kind)
    assert create_app(instance=folder).test_client().get("/api/cms/v2/posts").status_code == 200
