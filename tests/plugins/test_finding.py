"""Where plugins come from, which of them are loaded, and what the command tells of them."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from sites import Client

from cms import API_VERSION
from cms.hooks import PluginError

HELLO = '''
__version__ = "3.1"
cms_api = 1

@hookimpl
def register_routes():
    return [Route("/hello", (Endpoint(GET, lambda call: Answer({answer!r}), PUBLIC),), "{name}/v1")]
'''


def hello(name: str, answer: str = "hello") -> str:
    return HELLO.format(name=name, answer=answer)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Path]:
    """Install distributions that declare a plugin, in a folder of their own."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)

    def install(name: str, source: str) -> Path:
        monkeypatch.delitem(sys.modules, f"{name}_package", raising=False)
        (folder / f"{name}_package.py").write_text("from cms import _, hookimpl\nfrom cms.plugin import *\n" + source)
        info = folder / f"{name}-2.5.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 2.5\n")
        (info / "entry_points.txt").write_text(f"[cms.plugins]\n{name} = {name}_package\n")
        importlib.invalidate_caches()
        return info

    return install


def answer(client: Client, name: str) -> Any:
    found = client.get(f"//api/{name}/v1/hello")
    return found.json if found.status_code == 200 else None


def told(site: Any, name: str, **environ: str) -> dict[str, Any]:
    """Return what the command tells of a plugin."""
    return next(dict(plugin) for plugin in site.json("plugins", **environ) if plugin["name"] == name)


def test_a_module_in_the_instance_loads_by_being_there(plugged: Any) -> None:
    site = plugged(acme=hello("acme"), _draft="1 / 0")
    (site.folder / "plugins" / "notes.txt").write_text("no plugin")
    (site.folder / "plugins" / "empty").mkdir()

    assert answer(site.client(), "acme") == "hello"
    found = told(site, "acme")
    assert found.pop("milliseconds") > 0
    assert found == {"name": "acme", "version": "3.1", "source": "instance", "hooks": ["register_routes"],
                     "location": str(site.folder / "plugins" / "acme.py"),
                     "registered": {"routes": ["/acme/v1/hello"]}}
    assert [plugin["name"] for plugin in site.json("plugins")] == ["core", "acme"]
    (site.folder / "plugins" / "acme.py").unlink()
    assert answer(site.client(), "acme") is None


def test_a_package_in_the_instance_has_modules_of_its_own(plugged: Any) -> None:
    site = plugged(acme____init__="from .words import ANSWER\n" + hello("acme").replace("'hello'", "ANSWER"),
                   acme__words="ANSWER = 'from within'\n")

    assert answer(site.client(), "acme") == "from within"


def test_two_sites_in_one_process_have_plugins_of_their_own(plugged: Any) -> None:
    one, two = (plugged(acme____init__="from .words import ANSWER\n" + hello("acme").replace("'hello'", "ANSWER"),
                        acme__words=f"ANSWER = '{name}'\n").client() for name in ("one", "two"))
    three = plugged().client()

    assert [answer(client, "acme") for client in (one, two, three, one)] == ["one", "two", None, "one"]


def test_a_changed_plugin_is_read_anew_by_the_next_site(plugged: Any) -> None:
    site = plugged(acme=hello("acme"))
    old = site.client()
    site.write(acme=hello("acme", "changed"))

    assert (answer(site.client(), "acme"), answer(old, "acme")) == ("changed", "hello")


def test_an_installed_package_loads_by_its_entry_point(
        plugged: Any, installed: Callable[[str, str], Path]) -> None:
    site = plugged()
    info = installed("acme", hello("acme"))

    assert answer(site.client(), "acme") == "hello"
    found = told(site, "acme")
    assert (found["version"], found["source"], found["location"]) == ("2.5", "installed", "acme")
    assert answer(site.client(plugins=["acme"]), "acme") == "hello"
    assert answer(site.client(plugins=["acme_package"]), "acme") == "hello"
    (info / "entry_points.txt").unlink()
    assert answer(site.client(), "acme") is None
    assert answer(site.client(plugins=["acme_package"]), "acme") == "hello"


def test_an_installed_package_that_fails_is_named(plugged: Any, installed: Callable[[str, str], Path]) -> None:
    installed("acme", "import not_there")

    with pytest.raises(PluginError, match="plugin acme: ModuleNotFoundError: No module named 'not_there'"):
        plugged().client()


def test_a_bundled_plugin_loads_when_it_is_named(plugged: Any) -> None:
    site = plugged()

    assert "seo_title" not in site.client().new("/posts", title="Post", status="publish")
    assert "seo_title" in site.client(plugins=["seo"]).get("/posts").json[0]
    found = told(site, "seo", CMS_PLUGINS="seo")
    assert (found["source"], found["location"]) == ("bundled", "cms_plugins.seo")


def test_two_plugins_of_one_name_are_refused_with_their_places(
        plugged: Any, installed: Callable[[str, str], Path]) -> None:
    installed("acme", hello("acme"))
    site = plugged(acme=hello("acme"))

    with pytest.raises(PluginError) as caught:
        site.client()
    assert str(caught.value) == (f"plugin acme: there are two of this name: installed (acme) and instance "
                                 f"({site.folder}/plugins/acme.py). Rename one, or remove it.")
    with pytest.raises(PluginError, match="plugin core: there are two of this name"):
        plugged(core=hello("acme")).client()


@pytest.mark.parametrize(("setting", "loaded"), [
    ("all", ["core", "seo", "other", "acme", "birds"]),
    ("none", ["core"]),
    ([], ["core"]),
    (["birds"], ["core", "birds"]),
    ("seo,acme", ["core", "seo", "acme"]),
])
def test_a_setting_says_which_of_them_are_loaded(
        plugged: Any, installed: Callable[[str, str], Path], setting: Any, loaded: list[str]) -> None:
    installed("other", hello("other"))
    site = plugged(acme=hello("acme"), birds=hello("birds"))

    client = site.client(plugins=["seo"], load_plugins=setting)

    assert list(client.site.plugins.loaded) == loaded
    assert (answer(client, "birds") == "hello") is ("birds" in loaded)


def test_what_is_not_loaded_is_not_even_imported(plugged: Any) -> None:
    site = plugged(broken="1 / 0", acme=hello("acme"))

    assert answer(site.client(load_plugins=["acme"]), "acme") == "hello"
    assert [plugin["name"] for plugin in site.json("plugins", CMS_LOAD_PLUGINS="none")] == ["core"]
    with pytest.raises(PluginError) as caught:
        site.client(load_plugins=["nobody"])
    assert str(caught.value) == (
        "plugin nobody: load_plugins names it, but it isn't there. Plugins: acme, broken.")


def test_a_plugin_without_a_version_of_the_interface_is_for_the_first(plugged: Any) -> None:
    assert API_VERSION == 1
    assert answer(plugged(acme=hello("acme").replace("cms_api = 1", "")).client(), "acme") == "hello"


def test_the_command_tells_what_each_plugin_registered(plugged: Any) -> None:
    site = plugged(acme=hello("acme") + "\n@hookimpl\ndef register_fields():\n"
                   "    return {'post': {'x': Integer(_('X.'), filterable=True)}}\n")

    found = told(site, "acme")
    assert found["hooks"] == ["register_fields", "register_routes"]
    assert found["registered"] == {"fields": ["post.x"], "filters": ["post.x"], "routes": ["/acme/v1/hello"]}
    core = told(site, "core")
    assert "/cms/v2/posts" in core["registered"]["routes"]
    assert set(core["registered"]["types"]) == {"post", "page", "attachment", "revision"}
    table = site.run("plugins").stdout
    assert "1 fields, 1 filters, 1 routes" in table


GREET = '''
import click
from cms import pass_site

@click.command()
@click.argument("name")
@pass_site
def greet(site, name):
    """Greet somebody."""
    print(f"{name}, {site.settings['title']} greets you")

@hookimpl
def register_commands():
    return [greet]
'''


def test_commands_of_plugins_stand_among_the_others(plugged: Any) -> None:
    site = plugged(acme=GREET)

    assert site.run("greet", "Ada").stdout == "Ada, A new site greets you\n"
    assert "greet    Greet somebody." in site.run("--help").stdout
    assert "Usage" in site.run("greet", "--help").stdout
    assert "No such command 'greet'" in site.run("greet", "Ada", code=2, CMS_LOAD_PLUGINS="none").stderr
    assert told(site, "acme")["registered"] == {"commands": ["greet"]}


def test_the_core_s_commands_are_told_of_where_plugins_can_t_be_loaded(plugged: Any) -> None:
    site = plugged(acme="1 / 0")

    helped = site.run("--help")
    assert "  migrate " in helped.stdout
    assert len(helped.stderr.splitlines()) == 1
    assert "plugin acme: ZeroDivisionError" in helped.stderr
    assert site.run("greet", code=1).stderr == (
        f"Error: plugin acme: ZeroDivisionError: division by zero ({site.folder}/plugins/acme.py, line 5)\n")


NO_LIST = {
    "one of several": ({"acme": GREET, "birds": "1 / 0", "cats": "@hookimpl\ndef register_commands():\n    return [1]\n"}, {},
                       True, ["plugin birds: ZeroDivisionError", "plugin cats: register_commands"]),
    "its own command": ({"acme": GREET, "birds": "import click\n@hookimpl\ndef register_commands():\n    return [click.Command('init')]\n"},
                        {}, True, []),
    "what isn't asked": ({"acme": GREET, "birds": "@hookimpl\ndef register_types():\n    1 / 0\n"}, {}, True, []),
    "a setting": ({"acme": GREET}, {"CMS_MAX_UPLOAD": "big"}, False, ["the variable CMS_MAX_UPLOAD"]),
    "a plugin that isn't there": ({"acme": GREET}, {"CMS_LOAD_PLUGINS": "acme,birds"}, True, ["plugin birds: load_plugins"]),
    "no database": ({"acme": GREET}, {"CMS_DATABASE": "no/such/folder.db"}, True, []),
}


@pytest.mark.parametrize("case", NO_LIST)
@pytest.mark.files_only
def test_nothing_keeps_the_list_of_commands_from_being_shown(plugged: Any, case: str) -> None:
    plugins, environ, is_listed, faults = NO_LIST[case]
    site = plugged(**plugins)
    (site.folder / "site.db").unlink()

    helped = site.run("--help", **environ)

    assert "  migrate " in helped.stdout
    assert ("greet    Greet somebody." in helped.stdout) is is_listed
    lines = helped.stderr.splitlines()
    assert len(lines) == len(faults)
    for line, fault in zip(lines, faults, strict=True):
        assert line.startswith(f"Commands of plugins are left out: {fault}")
    assert helped.stdout.count("  init ") == 1
    assert not (site.folder / "site.db").exists()


@pytest.mark.files_only
def test_a_command_that_needs_the_site_asks_for_it_first(plugged: Any) -> None:
    site = plugged(acme=GREET)
    (site.folder / "site.db").unlink()

    assert f"Run: cms --instance {site.folder} init" in site.run("greet", "Ada", code=1).stderr
    assert click.__name__ in sys.modules


STARTS = '''
import os
starts = []

@hookimpl
def startup(site):
    starts.append((os.getpid(), site.settings["title"]))

@hookimpl
def register_routes():
    return [Route("/starts", (Endpoint(GET, lambda call: Answer(starts), PUBLIC),), "acme/v1")]
'''


def test_plugins_start_once_before_the_first_request(plugged: Any) -> None:
    client = plugged(acme=STARTS).client()

    seen = [client.get("//api/acme/v1/starts").json for _ in range(3)]
    assert [len(starts) for starts in seen] == [1, 1, 1]
    assert seen[0][0][1] == "A new site"


def test_commands_do_not_start_plugins(plugged: Any) -> None:
    site = plugged(acme="@hookimpl\ndef startup(site):\n    1 / 0\n")

    assert site.run("migrate").exit_code == 0
    assert site.run("routes").exit_code == 0


def test_the_command_lists_what_works_and_every_fault(plugged: Any) -> None:
    site = plugged(acme=hello("acme"), birds="1 / 0", cats="@hookimpl\ndef register_nothing():\n    pass\n",
                   dogs=hello("acme"), early="def (")

    table = site.run("plugins", code=1)
    told_json = site.run("plugins", "--json", code=1).stdout

    folder = site.folder / "plugins"
    assert "acme" in table.stdout
    assert "birds" not in table.stdout
    assert table.stderr.splitlines() == [
        f"Error: plugin birds: ZeroDivisionError: division by zero ({folder}/birds.py, line 5)",
        f"Error: plugin cats: there is no hook 'register_nothing'. Did you mean register_settings? ({folder}/cats.py, line 5)",
        f"Error: plugin early: SyntaxError: invalid syntax ({folder}/early.py, line 5)",
        "Error: plugin dogs: register_routes: '/acme/v1/hello' is already registered by acme "
        f"({folder}/dogs.py, line 9)",
    ]
    listed = json.loads(told_json)
    assert [plugin["name"] for plugin in listed] == ["core", "acme", "birds", "cats", "early", "dogs"]
    assert [plugin["name"] for plugin in listed if "fault" in plugin] == ["birds", "cats", "early", "dogs"]


def test_a_traceback_is_shown_where_it_is_asked_for(plugged: Any) -> None:
    site = plugged(acme="def broken():\n    1 / 0\nbroken()\n")

    shown = site.run("--debug", "routes", code=1).stderr
    assert "Traceback (most recent call last)" in shown
    assert shown.endswith(
        f"Error: plugin acme: ZeroDivisionError: division by zero ({site.folder}/plugins/acme.py, line 6)\n")
    assert len(site.run("routes", code=1).stderr.splitlines()) == 1


FORGOTTEN = {
    "unmarked hook": ({"acme": "def register_routes():\n    return []\n"},
                      "plugin acme: register_routes isn't called: put @hookimpl above it ({folder}/acme.py, line 5)"),
    "one of two": ({"acme": "@hookimpl\ndef register_fields():\n    return {}\ndef startup(site):\n    pass\n"},
                   "plugin acme: startup isn't called: put @hookimpl above it ({folder}/acme.py, line 8)"),
    "empty module": ({"acme": ""}, "plugin acme: it has no hooks, so it does nothing ({folder}/acme.py, line 1)"),
    "hyphen": ({"my-plugin": hello("acme")}, "{folder}/my-plugin.py is no plugin and isn't loaded: rename it to my_plugin.py"),
    "digit": ({"2nd": hello("acme")}, "{folder}/2nd.py is no plugin and isn't loaded: rename it to plugin_2nd.py"),
    "folder": ({"acme__words": ""}, "{folder}/acme is no plugin and isn't loaded: it has no __init__.py"),
}


@pytest.mark.parametrize("case", FORGOTTEN)
def test_what_was_probably_forgotten_is_said(plugged: Any, caplog: pytest.LogCaptureFixture, case: str) -> None:
    files, told_line = FORGOTTEN[case]
    site = plugged(**files)

    site.client()

    assert [record.getMessage() for record in caplog.records] == [told_line.format(folder=site.folder / "plugins")]


@pytest.mark.parametrize("files", [
    {"acme": hello("acme")}, {"_draft": ""}, {},
    {"acme": "from os import getcwd as startup\n" + hello("acme")},
    {"acme____init__": "from .words import register_routes\n", "acme__words": hello("acme")},
])
def test_nothing_is_said_of_what_is_right(plugged: Any, caplog: pytest.LogCaptureFixture, files: dict[str, str]) -> None:
    plugged(**files).client()

    assert caplog.records == []
