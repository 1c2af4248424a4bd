"""A plugin that can't work stops the boot with one line that names it, and whoever else it collides with."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from adapter import address_in

from cms import create_app
from cms.db.connection import Database
from cms.hooks import PluginError

TYPES = "from cms.plugin import Capability, ContentType, Locale, Status, Taxonomy\n"
ROUTE = "Route({path!r}, ({endpoints}), {namespace!r})"


def hook(name: str, answer: str, head: str = "") -> str:
    """Return a plugin with one hook that answers this."""
    return f"{head}\n@hookimpl\ndef {name}():\n    return {answer}\n"


def route(path: str = "/x", endpoint: str = "Endpoint(GET, print, PUBLIC)", namespace: str = "acme/v1") -> str:
    return hook("register_routes", f"[Route({path!r}, ({endpoint},), {namespace!r})]")


def content_registry(name: str, answer: str) -> str:
    return hook(name, answer, TYPES)


def field(field: str, resource: str = "post", name: str = "x") -> str:
    return hook("register_fields", f"{{{resource!r}: {{{name!r}: {field}}}}}")


def filtered(field: str, name: str = "x") -> str:
    return hook("register_filters", f"{{'post': {{{name!r}: {field}}}}}")


FAULTS = {
    # Loading.
    "syntax error": ("def (", "SyntaxError: invalid syntax"),
    "import error": ("import not_there", "No module named 'not_there'"),
    "raises at import": ("raise ValueError('broken\\nhere')", "ValueError: broken here"),
    "unknown hook": (hook("register_nothing", "[]"), "there is no hook 'register_nothing'"),
    "misspelt hook": (hook("register_field", "{}"), "Did you mean register_fields?"),
    "wrong argument": ("@hookimpl\ndef register_routes(nothing):\n    return []", "register_routes takes nothing, which this hook doesn't give. It gives: content_registry, resources"),
    "other version": ("cms_api = 99", "it is written for version 99 of the plugin interface (cms_api), this is version 1"),
    "wrapper": ("@hookimpl(wrapper=True)\ndef register_routes():\n    return (yield)", "can't be a wrapper"),
    # What hooks return.
    "raises": ("@hookimpl\ndef register_routes():\n    raise ValueError('broken')",
               "register_routes failed: ValueError: broken"),
    "raises while it yields": ("@hookimpl\ndef register_routes():\n    yield 1 / 0", "ZeroDivisionError"),
    "nothing": (hook("register_routes", "None"), "register_routes: returned NoneType instead of a list of Route"),
    "a single thing": (hook("register_routes", "Route('/x', ())"), "returned Route instead of a list of Route"),
    "wrong thing": (hook("register_routes", "['/x']"), "returned a list with str instead of Route"),
    "fields as a list": (hook("register_fields", "[]"), "returned list instead of fields by the resource's name"),
    "fields without names": (hook("register_fields", "{'post': [1]}"), "returned list instead of fields by their names"),
    "settings as a list": (hook("register_settings", "[]"), "returned list instead of fields by their names"),
    # Fields and filters.
    "unknown resource": (field("Integer(_('X.'))", "nothing"), "there is no resource 'nothing'. Resources: post, page"),
    "no field": (field("5"), "'x' of 'post' is int instead of a field"),
    "no description": (field("Integer(_(''))"), "'x' of 'post' has no description"),
    "name of the core": (field("Integer(_('X.'))", name="title"), "'title' is already registered by core"),
    "bad name": (field("Integer(_('X.'))", name="x-y"), "'x-y' of 'post' can't be a name"),
    "read and not stored": (field("Integer(_('X.'), read=lambda row, page: 1)"), "give store, or readonly=True"),
    "stored and not read": (field("Integer(_('X.'), store=print)"), "give read"),
    "filter elsewhere": (field("Integer(_('X.'), readonly=True, read=print, filterable=True)"), "has no where"),
    "order elsewhere": (field("Integer(_('X.'), readonly=True, read=print, sortable=True)"), "has no order"),
    "filter of many": (field("Ids(_('X.'), default=[], filterable=True)"), "holds more than one value"),
    "filter of the core": (field("Integer(_('X.'), filterable=True)", name="before"),
                           "'before' is already registered by core"),
    "order of the core": (field("Integer(_('X.'), sortable=True)", name="relevance"), "lists can be ordered by another 'relevance'"),
    "list filter of the core": (filtered("Integer(_('X.'), where=print)", "search"), "'search' is already registered by core"),
    "filter without where": (filtered("Integer(_('X.'))"), "'x' of 'post' has no where"),
    # Routes.
    "no permission": (route(endpoint="Endpoint(GET, print, '')"), "the route /acme/v1/x doesn't say who may call it"),
    "unknown capability": (route(endpoint="Endpoint(GET, print, 'edit_pots')"), "the capability 'edit_pots', which nothing"),
    "route of the core": (route("/types", namespace="cms/v2"), "'/cms/v2/types' is already registered by core"),
    "route of the core by pattern": (route("/posts/<digits:number>", namespace="cms/v2"), "registered by core"),
    "bad path": (route("x y"), "has no proper path"),
    "unknown part": (route("/<int:x>"), "a part of an unknown kind. Kinds: digits, name"),
    "bad namespace": (route(namespace="acme"), "the namespace 'acme'; it takes one like acme/v1"),
    "no endpoints": (hook("register_routes", "[Route('/x', (), 'acme/v1')]"), "has no endpoints"),
    "bad method": (route(endpoint="Endpoint(('LOOK',), print, PUBLIC)"), "has methods ('LOOK',)"),
    "nothing to run": (route(endpoint="Endpoint(GET, 5, PUBLIC)"), "5 isn't a function"),
    "bad arguments": (route(endpoint="Endpoint(GET, print, PUBLIC, 5)"), "cms.plugin.ArgumentSchema: 5"),
    "argument without description": (
        "from cms.plugin import ArgumentSchema\nclass Args(ArgumentSchema):\n    x = Integer(_(''))\n"
        + route(endpoint="Endpoint(GET, print, PUBLIC, Args)"), "'x' of the route /acme/v1/x has no description"),
    # Types, taxonomies, states, rights.
    "type of the core": (content_registry("register_types", "[ContentType('post', 'x', _('X'))]"), "'post' is already registered by core"),
    "base of the core": (content_registry("register_types", "[ContentType('x', 'posts', _('X'))]"), "'/cms/v2/posts' is already registered by core"),
    "bad type": (content_registry("register_types", "[ContentType('Big Thing', 'x', _('X'))]"), "'Big Thing' can't be a name"),
    "bad base": (content_registry("register_types", "[ContentType('x', 'a/b', _('X'))]"), "the base 'a/b'"),
    "no label": (content_registry("register_types", "[ContentType('x', 'xs', _(''))]"), "'x' has no label"),
    "bad feature": (content_registry("register_types", "[ContentType('x', 'xs', _('X'), supports=('titel',))]"), "supports 'titel'"),
    "unknown taxonomy": (content_registry("register_types", "[ContentType('x', 'xs', _('X'), taxonomies=('y',))]"), "the taxonomy 'y', which nothing registers"),
    "type's field of the core": (content_registry("register_types", "[ContentType('x', 'xs', _('X'), fields={'title': Integer(_('X.'))})]"), "'x.title' is already registered by core"),
    "taxonomy of the core": (content_registry("register_taxonomies", "[Taxonomy('category', 'x', _('X'))]"), "'category' is already registered by core"),
    "unknown type": (content_registry("register_taxonomies", "[Taxonomy('x', 'xs', _('X'), ('y',))]"), "the type 'y', which nothing registers"),
    "taxonomy's field of the core": (content_registry("register_taxonomies", "[Taxonomy('x', 'xs', _('X'), ('post',), 'title')]"), "'post.title' is already registered by core"),
    "taxonomy's right": (content_registry("register_taxonomies", "[Taxonomy('x', 'xs', _('X'), manage='manage_x')]"), "the capability 'manage_x'"),
    "state of the core": (content_registry("register_statuses", "[Status('draft', _('X'), public=True)]"), "'draft' is already registered by core"),
    "state of no kind": (content_registry("register_statuses", "[Status('x', _('X'))]"), "one of public, protected, private and internal"),
    "right of the core": (content_registry("register_capabilities", "[Capability('edit_posts')]"), "'edit_posts' is already registered by core"),
    "unknown role": (content_registry("register_capabilities", "[Capability('x', ('king',))]"), "names the roles ('king',)"),
    # Languages and settings.
    "bad language": (content_registry("register_locales", "[Locale('german', 'de', 'Deutsch', '.')]"), "'german' isn't the code of a language"),
    "language without texts": (content_registry("register_locales", "[Locale('de_DE', 'de', 'Deutsch', '/nowhere')]"), "no de_DE/LC_MESSAGES/cms.po or cms.mo in /nowhere"),
    "prefix of the API": (content_registry("register_locales", "[Locale('en_GB', 'api', 'English', '.')]"), "'api' can't be the first segment"),
    "prefix of the core": (content_registry("register_locales", "[Locale('en_GB', 'en', 'English', '.')]"), "'en' is already registered by core"),
    "texts nowhere": (hook("register_translations", "'/nowhere'"), "there is no folder '/nowhere'"),
    "setting of the core": (hook("register_settings", "{'title': Integer(_('X.'), default=1)}"), "'title' is already registered by core"),
    "setting without default": (hook("register_settings", "{'x': Integer(_('X.'))}"), "'x' has no default"),
    # Migrations and commands.
    "migrations nowhere": (hook("register_migrations", "'/nowhere'"), "there is no folder '/nowhere'"),
    "no migrations": (hook("register_migrations", "__file__.rsplit('/', 1)[0]"), "holds no migration such as 0001"),
    "not a command": (hook("register_commands", "[print]"), "instead of Command"),
}


def refusal(boot: Callable[[], Any]) -> str:
    with pytest.raises(PluginError) as caught:
        boot()
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_stops_the_boot_with_one_line_that_names_the_plugin(plugged: Any, fault: str) -> None:
    source, told = FAULTS[fault]
    site = plugged(badly_made=source)

    line = refusal(site.client)

    assert line.startswith("plugin badly_made: ")
    assert told in line
    assert re.search(rf" \({re.escape(str(site.folder))}/plugins/badly_made\.py, line \d+\)$", line)


PAIRS = {
    "field": (field("Integer(_('X.'))"),) * 2,
    "filter": (filtered("Integer(_('X.'), where=Content.id.__eq__)"),) * 2,
    "filter of a field": (field("Integer(_('X.'), filterable=True)"),
                          filtered("Integer(_('X.'), where=Content.id.__eq__)")),
    "route": (route(),) * 2,
    "route of a type": (content_registry("register_types", "[ContentType('event', 'events', _('X'))]"),
                        route("/events", namespace="cms/v2")),
    "type": (content_registry("register_types", "[ContentType('event', 'events', _('X'))]"),) * 2,
    "base": (content_registry("register_types", "[ContentType('event', 'events', _('X'))]"),
             content_registry("register_types", "[ContentType('party', 'events', _('X'))]")),
    "taxonomy": (content_registry("register_taxonomies", "[Taxonomy('place', 'places', _('X'))]"),) * 2,
    "field of a taxonomy": (
        content_registry("register_taxonomies", "[Taxonomy('place', 'places', _('X'), ('post',), 'where')]"),
        content_registry("register_taxonomies", "[Taxonomy('town', 'towns', _('X'), ('post',), 'where')]")),
    "state": (content_registry("register_statuses", "[Status('archived', _('X'), public=True)]"),) * 2,
    "right": (content_registry("register_capabilities", "[Capability('fly')]"),) * 2,
    "setting": (hook("register_settings", "{'x': Integer(_('X.'), default=1)}"),) * 2,
    "language": (content_registry("register_locales", "[Locale('en_GB', 'gb', 'English', '.')]"),
                 content_registry("register_locales", "[Locale('en_GB', 'uk', 'English', '.')]")),
    "prefix": (content_registry("register_locales", "[Locale('en_GB', 'gb', 'English', '.')]"),
               content_registry("register_locales", "[Locale('en_ZA', 'gb', 'English', '.')]")),
    "command": (hook("register_commands", "[click.Command('greet')]", "import click"),) * 2,
}


@pytest.mark.parametrize("claim", PAIRS)
def test_two_plugins_that_claim_one_name_are_both_named(plugged: Any, claim: str) -> None:
    one, two = PAIRS[claim]

    line = refusal(plugged(first_one=one, second_one=two).client)

    assert line.startswith("plugin second_one: ")
    assert "is already registered by first_one (" in line


def test_each_fault_is_that_of_its_plugin_alone(plugged: Any) -> None:
    fine = {claim.replace(" ", "_"): pair[0] for claim, pair in PAIRS.items() if claim in ("route", "state", "right")}

    assert len(plugged(**fine).client().site.plugins.loaded) == 4


def test_a_command_of_the_core_is_not_for_plugins(plugged: Any) -> None:
    site = plugged(badly_made=hook("register_commands", "[click.Command('init')]", "import click"))

    for command in ("plugins", "routes"):
        assert site.run(command, code=1).stderr == (
            "Error: plugin badly_made: register_commands: 'init' is already registered by core "
            f"({site.folder}/plugins/badly_made.py, line 6)\n")


def test_commands_and_servers_say_the_same_line(plugged: Any, tmp_path: Path) -> None:
    site = plugged(badly_made=FAULTS["no description"][0])
    line = refusal(lambda: create_app(instance=site.folder))

    for command in (("plugins",), ("migrate",), ("serve", "--bind", f"unix:{site.folder}/cms.sock")):
        assert site.run(*command, code=1).stderr == f"Error: {line}\n"


@pytest.mark.parametrize(("body", "told"), [
    ("raise ValueError('no cable')", "ValueError: no cable"),
    ("return site.nothing", "AttributeError"),
])
def test_a_plugin_that_can_t_start_is_named_in_the_log_alone(
        plugged: Any, caplog: pytest.LogCaptureFixture, body: str, told: str) -> None:
    client = plugged(badly_made=f"@hookimpl\ndef startup(site):\n    {body}\n").client()

    answer = client.get("/posts")

    assert answer.status_code == 500
    assert "badly_made" not in answer.text
    assert f"plugin badly_made: startup failed: {told}" in caplog.text


@pytest.mark.parametrize(("body", "told"), [
    ("db.execute_sql('CREATE TABLE posts_of_mine (')", "plugin badly_made: migration 0001_tables failed: OperationalError"),
    ("raise ValueError('no')", "plugin badly_made: migration 0001_tables failed: ValueError: no"),
])
def test_a_migration_that_fails_is_named_and_leaves_nothing_behind(plugged: Any, body: str, told: str) -> None:
    site = plugged(badly_made____init__=hook("register_migrations", "__file__.rsplit('/', 1)[0]"))
    (site.folder / "plugins" / "badly_made" / "0001_tables.py").write_text(
        f"def up(migrator, db):\n    db.execute_sql('CREATE TABLE begun (id)')\n    {body}\n")

    assert told in site.run("migrate", code=1).stderr
    with closing(Database(site.folder / "site.db", server=address_in(site.folder))) as database:
        assert "content" in database.peewee.get_tables()
        assert "begun" not in database.peewee.get_tables()
