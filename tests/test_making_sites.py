"""Sites made and served from Python: one sentence says what is missing, and nothing is left lying about."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sites import Client, basic

import cms
from cms.config import ConfigError
from cms.plugin import ApiError

LOW = {"password_cost": "low", "background": False}


@pytest.mark.parametrize("make", [lambda folder: cms.create_app(LOW, folder), lambda folder: cms.init_app(Flask("own"), LOW, folder)],
                         ids=["create_app", "init_app"])
@pytest.mark.parametrize("is_there", [True, False])
def test_a_site_that_isnt_there_is_told_with_the_remedy(tmp_path: Path, make: Callable[[Path], Any], is_there: bool) -> None:
    folder = tmp_path / "folder"
    if is_there:
        folder.mkdir()

    with pytest.raises(ConfigError) as caught:
        make(folder)

    assert str(caught.value) == (f"There is no site at {folder}/site.db yet. Make one: cms --instance {folder} init, "
                                 f"or in Python cms.create_site(instance='{folder}')")
    assert list(tmp_path.rglob("*")) == ([folder] if is_there else [])


def test_a_call_makes_a_site_once(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "site"

    password = cms.create_site(LOW, folder, login="root", email="root@example.org", title="Ours")

    assert password
    assert cms.create_site(LOW, folder, login="other") is None
    app = cms.create_app(LOW, folder)
    me = app.test_client().get("/api/cms/v2/users/me", headers={"Authorization": basic("root", password)})
    assert (me.status_code, me.json["slug"], app.extensions["cms"].settings["title"]) == (200, "root", "Ours")
    app.extensions["cms"].close()


def test_a_call_writes_the_settings_as_comments(tmp_path: Path) -> None:
    cms.create_site(LOW, tmp_path)

    written = (tmp_path / "config.toml").read_text()
    assert tomllib.loads(written) == {}
    assert '\n#url = "http://127.0.0.1:8000"\n' in written


def test_a_site_is_made_where_its_settings_cant_be_written(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def refuse(folder: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr("cms.install.bootstrap.write_template", refuse)

    assert cms.create_site(LOW, tmp_path)
    assert [record.getMessage() for record in caplog.records] == [
        f"No file of settings was written into {tmp_path}: Permission denied"]
    assert not (tmp_path / "config.toml").exists()


def test_a_site_is_made_with_a_password_that_is_given(tmp_path: Path) -> None:
    assert cms.create_site(LOW, tmp_path, password="correct horse battery") == "correct horse battery"
    with pytest.raises(ApiError, match="email: This must be an e-mail address"):
        cms.create_site(LOW, tmp_path / "other", email="nowhere")


def test_a_database_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "site.db").write_text("This is a letter, not a database. " * 40)

    with pytest.raises(ConfigError, match=r"site\.db can't be used as the site's database: file is not a database"):
        cms.create_app(LOW, tmp_path)


@pytest.mark.parametrize(("bases", "told"), [
    (("", ""), "The application has a site without a base already. Give this one another base, such as '/backend'"),
    (("/a", "/a"), "The application has a site below /a already."),
    (("/a/",), "base can't be '/a/'. It takes a prefix such as '/backend', without a slash at the end"),
    (("a",), "base can't be 'a'."), (("/",), "base can't be '/'."), (("/a b",), "base can't be '/a b'."), (("/<x>",), "base can't be"),
])
def test_bases_that_cant_be(client: Client, bases: tuple[str, ...], told: str) -> None:
    app, folder = Flask("own"), client.site.config.instance
    for base in bases[:-1]:
        cms.init_app(app, LOW, folder, base)

    with pytest.raises(ConfigError) as caught:
        cms.init_app(app, LOW, folder, bases[-1])

    assert str(caught.value).startswith(told)


def test_bases_that_differ_a_little_go_together(client: Client) -> None:
    app, folder = Flask("own"), client.site.config.instance
    for base in ("", "/a-b", "/a_b", "/a"):
        cms.init_app(app, LOW, folder, base)

    http = app.test_client()
    assert [http.get(f"{base}/api/cms/v2/posts").status_code for base in ("", "/a-b", "/a_b", "/a", "/b")] == [200] * 4 + [404]


def test_files_of_another_package_of_this_name_are_noticed(
        make_client: Callable[..., Client], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    make_client()
    assert caplog.records == []
    (tmp_path / "plugin_pool.py").touch()
    monkeypatch.setattr("cms.assembly.PACKAGE", tmp_path)

    make_client()

    assert [record.getMessage() for record in caplog.records] == [
        f"Files of django-cms lie in {tmp_path} and may replace some of ours. Install the two into separate environments."]
