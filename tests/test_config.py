"""Settings that can't be right are refused with their name, where they stand and what they may be, in one line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cms.config import SETTINGS, ConfigError, load_config, write_template

PATHS = ("database", "uploads")
NUMBERS = {setting.name: setting for setting in SETTINGS if isinstance(setting.default, int) and not isinstance(setting.default, bool)}
BOOLEANS = [setting.name for setting in SETTINGS if isinstance(setting.default, bool)]
LISTS = [setting.name for setting in SETTINGS if isinstance(setting.default, tuple)]
WORDS = [setting.name for setting in SETTINGS if isinstance(setting.default, str) and setting.name not in (*PATHS, "url", "front_url", "uploads_endpoint", "uploads_region", "cache_control", "backup_target", "metrics_token", "preview_url", "mail_host", "mail_user", "mail_password", "mail_from")]

WRONG: list[tuple[str, Any]] = [
    *((name, value) for name in NUMBERS for value in ("big", "", "1.5", 1.5, True, [1], {}, "1e3", "10 MB", -2, "-2")),
    *((name, value) for name in BOOLEANS for value in ("perhaps", "", 2, [], {})),
    *((name, value) for name in LISTS for value in (5, True, 1.5, [1], {"a": 1})),
    *((name, value) for name in WORDS for value in ("perhaps", "", 5, True) if name not in ("load_plugins",)),
    *((name, value) for name in PATHS for value in ("", "  ", 5, True, [], "a\0b")),
    *(("url", value) for value in (
        "example.org", "", 5, [], "//example.org", "ftp://example.org", "http://", "http:/example.org", "http://exa mple.org",
        "https://example.org:99999", "https://example.org:x", "https://example.org/?a=1", "https://example.org/#a",
        "http://[::1", "javascript:alert(1)")),
    *(("database_replicas", value) for value in ("replica.example", ["postgresql://one/a", "site.db"], ["postgresql://a\0b"])),
    *(("cors_origins", value) for value in ("example.org", "https://example.org/", "https://example.org/a", ["*"], "null")),
    *(("front_url", value) for value in ("example.org", 5, [], "https://example.org/?a=1", " ")),
    *(("links", value) for value in (5, [], "post", {"post": 5}, {"post": ""}, {"post": "{slug}"}, {"post": "https://example.org/{slug}"},
                                     "post={slug}")),
    *(("preview_url", value) for value in (
        5, True, [], "/preview/{id}", "https://example.org/", "https://{slug}.example.org/{id}", "https://example.org/{name}/{id}", "javascript:{id}",
        "https://example.org; script-src *?{id}")),
    *(("uploads_endpoint", value) for value in ("store:9000", 5, [], "https://example.org/?a=1", " ")),
    *(("uploads_region", value) for value in (5, True, [], "a\0b")),
    *(("uploads", value) for value in ("s3://", "s3://A", "s3://bucket/../x", "gs://bucket")),
    *(("backup_target", value) for value in (5, True, [], "a\0b")),
    *(("mail_host", value) for value in (5, True, [], "smtp.example.org/x", "a b", "a\nb")),
    *(("mail_user", value) for value in (5, True, [], "a\0b")),
    *(("mail_password", value) for value in (5, True, [], "a\0b")),
    *(("mail_from", value) for value in (5, True, [], "The Harbour", "<site>", "a@b, c@d", "A <a@b>\nBcc: c@d")),
    *(("metrics_token", value) for value in (5, True, [], "a\nb", "ä")),
    *(("cache_control", value) for value in (5, True, [], "no-cache\r\nX-Other: 1", "für alle")),
    ("upload_types", "exe"), ("load_plugins", 5), ("load_plugins", [5]), ("trusted_proxies", "proxy"), ("allowed_hosts", "a:80"),
]


@pytest.mark.parametrize(("name", "value"), WRONG, ids=lambda value: repr(value)[:30])
def test_a_value_that_cant_be_read_is_refused_with_what_is_taken(tmp_path: Path, name: str, value: Any) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path, {name: value}, environ={})

    line = str(caught.value)
    assert line.startswith(f"an argument sets {name} to {value!r}; it takes ")
    assert "\n" not in line
    for garbled in ("invalid literal", "object is not", "argument must", "int()", "NoneType"):
        assert garbled not in line


@pytest.mark.parametrize(("name", "value", "read"), [
    ("max_upload", "5", 5), ("max_upload", 5, 5), ("revisions", -1, -1), ("revisions", "-1", -1), ("comment_interval", 0, 0),
    ("url", "http://127.0.0.1:8000", "http://127.0.0.1:8000"), ("url", "https://www.example.org/blog/", "https://www.example.org/blog/"),
    ("url", "http://[::1]:8000", "http://[::1]:8000"), ("url", "https://köln.example", "https://köln.example"),
    ("cors_origins", "https://a.example, http://b.example:8080", ("https://a.example", "http://b.example:8080")),
    ("cors_origins", [], ()), ("plugins", "", ()), ("plugins", ("seo",), ("seo",)), ("load_plugins", "none", "none"),
    ("front_url", "", ""), ("front_url", "https://example.org/shop/", "https://example.org/shop/"),
    ("links", {}, {}), ("links", "", {}), ("links", {"post": "/blog/{slug}/"}, {"post": "/blog/{slug}/"}),
    ("links", "post=/blog/{slug}, page = /{path}/", {"post": "/blog/{slug}", "page": "/{path}/"}),
    ("links", {"post": "/über/{id}"}, {"post": "/%C3%BCber/{id}"}), ("links", {"my-type": "/a%20b/{year}-{slug}"}, {"my-type": "/a%20b/{year}-{slug}"}),
    ("preview_url", "", ""), ("preview_url", "https://example.org/p?a={type}&t={token}#x", "https://example.org/p?a={type}&t={token}#x"),
    ("background", "off", False), ("database", "other.db", "other.db"),
])
def test_values_are_read_from_files_and_texts(tmp_path: Path, name: str, value: Any, read: Any) -> None:
    assert load_config(tmp_path, {name: value}, environ={})[name] == read


@pytest.mark.parametrize(("pattern", "told"), [
    ("blog/{slug}", "for post a path that begins with a slash, such as /blog/{slug}/"),
    *((pattern, "for post a path with the placeholders {slug} {path} {id} {year} {month} {day}") for pattern in (
        "/{name}/", "/{slug", "/slug}/{id}", "/{}/{slug}", "/{slug!r}", "/{slug:>900}", "/{slug.real}", "/{{slug}}", "//{slug}", "/a//{slug}",
        "/{slug}?a=1", "/{slug}#a", "/a b/{slug}", "/%zz/{slug}", "/{slug}\n", '/"{slug}"', "/<{slug}>", "/\\{slug}")),
    *((pattern, "for post a path that has {slug}, {path} or {id}") for pattern in ("/", "/blog/", "/{year}/{month}/{day}/")),
])
def test_a_pattern_that_cant_be_is_refused_with_its_type(tmp_path: Path, pattern: str, told: str) -> None:
    (tmp_path / "config.toml").write_text(f"[links]\npost = {json.dumps(pattern)}\n")

    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path, environ={})

    assert str(caught.value).startswith(f"{tmp_path}/config.toml sets links to ")
    assert str(caught.value).endswith(f"; it takes {told}.")


@pytest.mark.parametrize(("environ", "told"), [
    ({"CMS_URLL": "x"}, "the environment has CMS_URLL, which is no setting. Did you mean CMS_URL?"),
    ({"CMS_MAX_UPLAOD": "5"}, "Did you mean CMS_MAX_UPLOAD?"),
    ({"CMS_XYZ": "5"}, "the environment has CMS_XYZ, which is no setting. Settings: CMS_ADMIN, CMS_ALLOWED_HOSTS, "),
    ({"CMS_MAX_UPLOAD": "big"}, "the variable CMS_MAX_UPLOAD sets max_upload to 'big'; it takes a whole number, 1 or more."),
])
def test_variables_that_are_no_settings_are_refused(tmp_path: Path, environ: dict[str, str], told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path, environ=environ)

    assert told in str(caught.value)


@pytest.mark.parametrize("variable", [
    "CMS_INSTANCE", "CMS_SERVICE_HOST", "CMS_SERVICE_PORT_HTTP", "CMS_PORT", "CMS_PORT_80_TCP_ADDR", "CMSX", "XCMS_URLL",
])
def test_other_variables_are_passed_over(tmp_path: Path, variable: str) -> None:
    assert load_config(tmp_path, environ={variable: str(tmp_path)})["url"] == "http://127.0.0.1:8000"


@pytest.mark.parametrize(("content", "told"), [
    (b"urll = 'x'", "sets 'urll', which is no setting. Did you mean url?"),
    (b"url = ", "config.toml isn't valid TOML: "),
    (b"url = '\xff'", "config.toml isn't a text in UTF-8: byte 7 can't be read"),
    (b"[url]\na = 1", "config.toml sets url to {'a': 1}; it takes an address"),
    (b"max_upload = 'big'", "config.toml sets max_upload to 'big'; it takes a whole number, 1 or more."),
])
def test_a_file_that_cant_be_right_is_refused(tmp_path: Path, content: bytes, told: str) -> None:
    (tmp_path / "config.toml").write_bytes(content)

    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path, environ={})

    assert str(caught.value).startswith(f"{tmp_path}/config.toml ")
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_in_place_of_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "config.toml").mkdir()

    with pytest.raises(ConfigError, match=r"config\.toml can't be read: Is a directory"):
        load_config(tmp_path, environ={})


def test_the_file_of_a_new_site_has_every_setting_and_changes_none(tmp_path: Path) -> None:
    assert write_template(tmp_path)
    lines = (tmp_path / "config.toml").read_text().splitlines()

    assert load_config(tmp_path, environ={}).values == load_config(tmp_path / "nothing", environ={}).values
    assert [line[1:].partition(" = ")[0] for line in lines if re.match("#[a-z]", line)] == [setting.name for setting in SETTINGS]
    assert not [line for line in lines if line and not line.startswith("#")]
    text = " ".join(line.removeprefix("# ") for line in lines)
    assert not [setting.name for setting in SETTINGS if setting.help not in text]


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_each_line_of_the_file_can_be_uncommented(tmp_path: Path, setting: Any) -> None:
    write_template(tmp_path)
    file = tmp_path / "config.toml"
    file.write_text(re.sub(rf"^#(?={setting.name} )", "", file.read_text(), flags=re.MULTILINE))

    found = load_config(tmp_path, environ={})

    assert f"\n{setting.name} = " in file.read_text()
    assert found.values == load_config(tmp_path / "nothing", environ={}).values


def test_all_lines_of_the_file_can_be_uncommented_at_once(tmp_path: Path) -> None:
    write_template(tmp_path)
    file = tmp_path / "config.toml"
    file.write_text(re.sub("^#(?=[a-z])", "", file.read_text(), flags=re.MULTILINE))

    assert load_config(tmp_path, environ={}).values == load_config(tmp_path / "nothing", environ={}).values


def test_a_file_of_settings_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("revisions = 3\n")

    assert not write_template(tmp_path)
    assert (tmp_path / "config.toml").read_text() == "revisions = 3\n"
