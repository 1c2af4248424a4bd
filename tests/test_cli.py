"""The `cms` command, as people type it and programs read it."""

from __future__ import annotations

import base64
import json
import os
import re
import threading
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from clients.served import free_port

from cms import __version__, create_app
from cms.cli import main
from cms.cli.serve import url_of
from cms.plugin.output import printable

LOW = {"CMS_PASSWORD_COST": "low", "CMS_INSTANCE": None}


class Terminal:
    """Runs commands on one instance folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, *arguments: str, input: str | None = None, code: int = 0, **environ: str) -> Result:
        """Run a command and check its exit code."""
        line = ["--instance", str(self.folder), *arguments]
        result = CliRunner().invoke(main, line, input=input, env={**LOW, **environ})
        assert result.exit_code == code, result.output
        return result

    def json(self, *arguments: str, **options: Any) -> Any:
        """Run a command and read what it prints as JSON."""
        return json.loads(self.run(*arguments, "--json", **options).stdout)

    def refusal(self, *arguments: str, **options: Any) -> str:
        """Run a command that can't be done and return the one line that says why."""
        result = self.run(*arguments, **{"code": 1, **options})
        lines = result.stderr.splitlines()
        assert result.stdout == ""
        assert len(lines) == 1
        assert lines[0].startswith("Error: ")
        return lines[0]


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path / "instance")


@pytest.fixture
def site(terminal: Terminal) -> Terminal:
    terminal.run("init", "--password-stdin", input="first password\n")
    return terminal


def signs_in(site: Terminal, login: str, password: str) -> bool:
    app = create_app({"password_cost": "low"}, site.folder)
    credentials = base64.b64encode(f"{login}:{password}".encode()).decode()
    answer = app.test_client().get("/api/cms/v2/users/me", headers={"Authorization": f"Basic {credentials}"})
    app.extensions["cms"].close()
    assert answer.status_code in (200, 401)
    return answer.status_code == 200


def test_init_shows_the_password_once(terminal: Terminal) -> None:
    first = terminal.json("init", "--login", "root", "--email", "root@example.org", "--title", "Ours")
    again = terminal.run("init").stdout

    assert first["created"] is True
    assert signs_in(terminal, "root", first["password"])
    assert "is there already" in again
    assert first["password"] not in again


@pytest.mark.parametrize("arguments", [(), ("--demo",), ("--json",)])
def test_init_writes_the_settings_as_comments(terminal: Terminal, arguments: tuple[str, ...]) -> None:
    shown = terminal.run("init", *arguments).stdout

    file = terminal.folder / "config.toml"
    assert tomllib.loads(file.read_text()) == {}
    assert (f"Settings:       {file}" in shown) is ("--json" not in arguments)


def test_init_leaves_a_file_of_settings_as_it_is(terminal: Terminal) -> None:
    terminal.folder.mkdir()
    file = terminal.folder / "config.toml"
    file.write_text('url = "https://cms.example"\n')
    terminal.run("init")
    kept = file.read_text()
    file.unlink()
    terminal.run("init")

    assert kept == 'url = "https://cms.example"\n'
    assert not file.exists()


def test_init_doesnt_show_a_password_that_was_sent(terminal: Terminal) -> None:
    shown = terminal.run("init", "--password-stdin", input="of my own\n").stdout

    assert "of my own" not in shown
    assert "Password" not in shown
    assert signs_in(terminal, "admin", "of my own")


@pytest.mark.parametrize(("option", "posts", "drafts"), [("--demo", 7, 1), ("--no-demo", 0, 0)])
def test_init_brings_demo_content_when_asked(terminal: Terminal, option: str, posts: int, drafts: int) -> None:
    password = terminal.json("init", option)["password"]
    app = create_app({"password_cost": "low"}, terminal.folder)
    client = app.test_client()
    credentials = base64.b64encode(f"admin:{password}".encode()).decode()
    published = client.get("/api/cms/v2/posts")
    unseen = client.get("/api/cms/v2/posts?status=draft", headers={"Authorization": f"Basic {credentials}"})
    sticky = client.get("/api/cms/v2/posts?sticky=true").json
    formats = {post["format"] for post in published.json}
    app.extensions["cms"].close()

    assert len(published.json) == posts
    assert len(unseen.json) == drafts
    assert len(sticky) == (1 if posts else 0)
    assert formats == ({"standard", "quote", "aside"} if posts else set())


def test_init_refuses_an_administrator_without_an_address(terminal: Terminal) -> None:
    assert "email: This must be an e-mail address." in terminal.refusal("init", "--email", "nowhere")
    assert terminal.json("init")["created"] is True


@pytest.mark.parametrize("command", [
    ("user", "list"), ("migrate",), ("routes",), ("serve",), ("user", "add", "jo", "--email", "jo@example.org"),
])
def test_commands_name_init_where_there_is_no_site(terminal: Terminal, command: tuple[str, ...]) -> None:
    line = terminal.run(*command, code=2).stderr

    assert line == (f"Error: There is no folder {terminal.folder}. Check --instance, or make a site there. "
                    f"Run: cms --instance {terminal.folder} init\n")
    assert not terminal.folder.exists()
    terminal.folder.mkdir()
    assert terminal.refusal(*command) == (f"Error: There is no site at {terminal.folder}/site.db yet. "
                                          f"Run: cms --instance {terminal.folder} init")
    assert list(terminal.folder.iterdir()) == []


def test_user_add_makes_and_shows_a_password(site: Terminal) -> None:
    made = site.json("user", "add", "jo", "--email", "jo@example.org", "--role", "author", "--name", "Jo Doe")

    assert (made["username"], made["name"], made["roles"]) == ("jo", "Jo Doe", ["author"])
    assert signs_in(site, "jo", made["password"])


def test_user_add_takes_a_password_from_standard_input(site: Terminal) -> None:
    command = ("user", "add", "jo", "--email", "jo@example.org", "--password-stdin")
    made = site.json(*command, input="chosen by jo\n")

    assert "password" not in made
    assert made["roles"] == ["subscriber"]
    assert signs_in(site, "jo", "chosen by jo")


@pytest.mark.parametrize(("arguments", "told"), [
    (("add", "admin", "--email", "second@example.org"), "There is an account with this login."),
    (("add", "j*", "--email", "jo@example.org"), "username: "),
    (("add", "jo", "--email", "jo@example.org", "--role", "king"), "There is no role king."),
    (("password", "nobody", "--password-stdin"), "There is no account nobody."),
    (("password", "admin", "--password-stdin"), "Standard input holds no password."),
    (("role", "admin", "editor"), "This is the last administrator."),
])
def test_refusals_about_accounts_are_one_line(site: Terminal, arguments: tuple[str, ...], told: str) -> None:
    assert told in site.refusal("user", *arguments)
    assert [account["username"] for account in site.json("user", "list")] == ["admin"]


def test_user_list_shows_every_account(site: Terminal) -> None:
    site.run("user", "add", "jo", "--email", "jo@example.org")
    table = site.run("user", "list").stdout
    listed = site.json("user", "list")

    assert [(account["id"], account["username"], account["roles"]) for account in listed] == [
        (1, "admin", ["administrator"]), (2, "jo", ["subscriber"])]
    assert "jo@example.org" in table
    assert "subscriber" in table


def test_user_password_replaces_the_old_one(site: Terminal) -> None:
    site.run("user", "password", "admin", "--password-stdin", input="second password\n")

    assert signs_in(site, "admin", "second password")
    assert not signs_in(site, "admin", "first password")


def test_user_password_asks_twice_without_an_echo(site: Terminal) -> None:
    shown = site.run("user", "password", "admin", input="typed by hand\ntyped by hand\n").output

    assert signs_in(site, "admin", "typed by hand")
    assert "typed by hand" not in shown


def test_user_role_replaces_the_roles(site: Terminal) -> None:
    site.run("user", "add", "jo", "--email", "jo@example.org")

    assert site.json("user", "role", "jo", "editor", "author")["roles"] == ["editor", "author"]


def test_migrate_is_done_once(site: Terminal) -> None:
    assert site.json("migrate") == {"applied": []}
    assert "up to date" in site.run("migrate").stdout


def test_routes_lists_methods_addresses_and_arguments(site: Terminal) -> None:
    found = {(route["route"], method): route for route in site.json("routes") for method in route["methods"]}

    assert "sticky" in found["/api/cms/v2/posts", "GET"]["arguments"]
    assert ("/api/cms/v2/posts/<digits:id>", "DELETE") in found
    assert found["/api/", "GET"]["who"] == "everybody"
    assert "/api/cms/v2/posts/<id>" in site.run("routes").stdout


def test_plugins_lists_the_core_with_its_hooks(site: Terminal) -> None:
    core = site.json("plugins")[0]

    assert (core["name"], core["version"]) == ("core", __version__)
    assert "register_resources" in core["hooks"]
    assert "register_resources" in site.run("plugins").stdout


def test_wrong_settings_and_plugins_are_one_line(site: Terminal) -> None:
    assert "takes full or normal" in site.refusal("migrate", code=2, CMS_SYNCHRONOUS="perhaps")
    assert "plugin not_there: there is no module of this name." in site.refusal("routes", code=2, CMS_PLUGINS="not_there")


def test_a_database_that_is_none_is_one_line(terminal: Terminal) -> None:
    terminal.folder.mkdir()
    (terminal.folder / "site.db").write_text("This is a letter, not a database. " * 40)

    assert "the database can't be used" in terminal.refusal("user", "list")


EXPORTS = Path(__file__).parent / "data" / "wxr"


def test_import_tells_what_came_in_and_what_was_left_out(site: Terminal) -> None:
    shown = site.run("import", "--no-media", str(EXPORTS / "theme-unit-test.wxr.xml")).stdout

    assert re.search(r"^ *post +51 +0 *$", shown, re.MULTILINE)
    assert re.search(r"^ *nav_menu_item +70 +the site has no menus *$", shown, re.MULTILINE)


def test_import_adds_nothing_twice(site: Terminal) -> None:
    file = str(EXPORTS / "theme-unit-test.wxr.xml")
    first, second = site.json("import", "--no-media", file), site.json("import", "--no-media", file)

    assert first["imported"]["post"] == second["known"]["post"] == 51
    assert second["imported"] == {}


def test_import_reads_what_a_pipe_brings(site: Terminal, tmp_path: Path) -> None:
    data = (EXPORTS / "theme-unit-test.wxr.xml").read_bytes()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(data,))
    writer.start()
    first = site.json("import", "--no-media", str(pipe))
    writer.join()
    second = json.loads(site.run("import", "--no-media", "--json", "-", input=data.decode()).stdout)
    assert first["imported"]["post"] == second["known"]["post"] == 51


def test_import_takes_the_encoding_that_is_named(site: Terminal, tmp_path: Path) -> None:
    path = str(EXPORTS.parent / "wxr-faults" / "wrong-encoding.xml")
    assert "Line 8, byte 0xe9" in site.refusal("import", "--no-media", path)
    assert "isn't known" in site.refusal("import", "--no-media", "--encoding", "x-none", path)
    assert site.json("import", "--no-media", "--encoding", "windows-1252", path)["notices"] == []


def test_import_refuses_in_one_line_and_changes_nothing(site: Terminal) -> None:
    before = (site.folder / "site.db").read_bytes()

    assert "empty" in site.refusal("import", str(EXPORTS / "made-empty.xml"))
    assert "not-there.xml" in site.refusal("import", str(site.folder / "not-there.xml"))
    assert (site.folder / "site.db").read_bytes() == before


def test_tables_show_no_signs_that_command_a_terminal() -> None:
    assert printable("Caf\u00e9 \x1b[31m\x9b2J\n") == "Caf\u00e9 \ufffd[31m\ufffd2J\ufffd"


@pytest.mark.parametrize("arguments", [("user", "add", "jo"), ("nonsense",), ("serve", "--bend"), ("import",)])
def test_usage_errors_have_their_own_exit_code(site: Terminal, arguments: tuple[str, ...]) -> None:
    result = site.run(*arguments, code=2)

    assert "Usage:" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("command", [
    (), ("init",), ("serve",), ("migrate",), ("user",), ("user", "add"), ("user", "list"), ("user", "password"),
    ("user", "role"), ("import",), ("routes",), ("plugins",),
])
def test_every_command_explains_itself(terminal: Terminal, command: tuple[str, ...]) -> None:
    shown = terminal.run(*command, "--help").stdout

    assert "Usage: " in shown
    assert len(shown.splitlines()) > 4


@pytest.mark.parametrize(("bind", "url"), [
    ("127.0.0.1:9000", "http://127.0.0.1:9000"),
    ("0.0.0.0:80", "http://127.0.0.1:80"),
    ("localhost:8000", "http://localhost:8000"),
    ("unix:/run/cms.sock", "http://127.0.0.1:8000"),
])
def test_the_address_of_a_site_follows_where_it_listens(bind: str, url: str) -> None:
    assert url_of(bind) == url


@pytest.fixture
def handed(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What gunicorn is called with, in place of running."""
    handed: list[Any] = []
    monkeypatch.setattr("cms.cli.serve.run_gunicorn", lambda *arguments: handed.extend(arguments))
    return handed


def test_serve_runs_gunicorn(site: Terminal, handed: list[Any]) -> None:
    bind = f"127.0.0.1:{free_port()}"
    site.run("serve", "--bind", bind)

    assert handed[:2] == [bind, "gthread"]
    assert handed[2]["CMS_INSTANCE"] == str(site.folder)
    assert handed[2]["CMS_URL"] == f"http://{bind}"


def test_serve_listens_at_port_8000_where_no_address_is_given(site: Terminal, handed: list[Any]) -> None:
    site.run("serve", GUNICORN_FD="3")  # in place of a process that listens, so that nothing has to be free

    assert handed[0] == "127.0.0.1:8000"
    assert handed[2]["CMS_URL"] == "http://127.0.0.1:8000"


@pytest.mark.parametrize(("setting", "arguments", "worker"), [
    ("asgi", (), "asgi"), ("asgi", ("--worker", "gthread"), "gthread"), ("gthread", ("--worker", "asgi"), "asgi"),
])
def test_serve_takes_the_worker_that_is_wanted(
        site: Terminal, handed: list[Any], setting: str, arguments: tuple[str, ...], worker: str) -> None:
    (site.folder / "config.toml").write_text(f'worker = "{setting}"\nthreads = 7\n')
    bind = f"unix:{site.folder}/cms.sock"
    site.run("serve", "--bind", bind, *arguments)

    assert handed[:2] == [bind, worker]
    assert handed[2]["CMS_THREADS"] == "7"


def test_serve_keeps_the_address_that_was_set(site: Terminal, handed: list[Any]) -> None:
    (site.folder / "config.toml").write_text('url = "https://cms.example"\n')
    site.run("serve", "--bind", f"127.0.0.1:{free_port()}")

    assert handed[2].get("CMS_URL") is None


def test_a_token_made_at_the_command_line_is_listed_and_revoked(site: Terminal) -> None:
    made = site.json("token", "create", "admin", "--name", "front end")
    listed = site.json("token", "list")
    site.run("token", "revoke", str(made["id"]))

    assert [(row["id"], row["name"]) for row in listed] == [(made["id"], "front end")]
    assert made["token"] not in json.dumps(listed)
    assert site.json("token", "list") == []
    assert "no token" in site.refusal("token", "revoke", str(made["id"]))
