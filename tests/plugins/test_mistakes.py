"""What authors of plugins get wrong: each mistake is told with the plugin, the place and what to do instead."""

from __future__ import annotations

import re
from typing import Any

import pytest

from cms import create_app
from cms.hooks import PluginError
from cms.schema.schemas import fields_of

HEAD_LINES = 4


def returned(hook: str, answer: str, head: str = "") -> str:
    """Return a plugin with one hook that answers this, on its last line."""
    return f"{head}\n@hookimpl\ndef {hook}():\n    return {answer}\n"


def field(declared: str) -> str:
    return returned("register_fields", f"{{'post': {{'x': {declared}}}}}")


def argument(declared: str) -> str:
    head = f"from cms.plugin import ArgumentSchema\nclass Args(ArgumentSchema):\n    x = {declared}\n"
    return returned("register_routes", "[Route('/x', (Endpoint(GET, print, PUBLIC, Args),), 'acme/v1')]", head)


#: What a field is declared with, and the words for it.
DECLARATIONS = {
    "Integer(_('X.'), default='abc')": "has default='abc', which isn't of its type, integer",
    "Integer(_('X.'), default='5')": "has default='5', which isn't of its type, integer",
    "Integer(_('X.'), default=True)": "has default=True, which isn't of its type, integer",
    "Integer(_('X.'), default=0, minimum=1)": "has default=0, which it refuses itself: This must be 1 or more.",
    "Integer(_('X.'), default=1, null='none')": "has null='none', which isn't of its type, integer",
    "Boolean(_('X.'), default='yes')": "has default='yes', which isn't of its type, boolean",
    "Boolean(_('X.'), default=1)": "has default=1, which isn't of its type, boolean",
    "String(_('X.'), default=5)": "has default=5, which isn't of its type, string",
    "String(_('X.'), default='c', enum=('a', 'b'))": "has default='c', which it refuses itself: This must be one of",
    "DateTime(_('X.'), default='today')": "has default='today', which it refuses itself: This must be a date",
    "List(_('X.'), default=())": "has default=(), which isn't of its type, array",
    "Ids(_('X.'), default=['a'])": "has default=['a'], which it refuses itself",
    "Object(_('X.'), default=[])": "has default=[], which isn't of its type, object",
}
#: The same, refused where the declaration stands.
CALLS = {
    "Integer(_('X.'), 'view')": "contexts must be a list, not a text: write ('view',)",
    "Integer(_('X.'), ('view', 'edti'))": "contexts has 'edti', which isn't one of view, embed, edit",
    "Integer(_('X.'), None)": "contexts must be a list of texts, not None",
    "Integer(_('X.'), read=print, columns='id')": "columns must be a list, not a text: write ('id',)",
    "String(_('X.'), enum='abc')": "enum must be a list, not a text: write ('abc',)",
    "String(_('X.'), enum=(1, 2))": "enum must be a list of texts, not (1, 2)",
    "Integer(_('X.'), minimum=5, maximum=1)": "no number is at least 5 and at most 1",
    "Integer(5)": 'the description must be a text, as in _("Its length."), not 5',
    "Integer(_('X.'), read='title')": "read must be a function, not 'title'",
    "Integer(_('X.'), prepare='title')": "prepare must be a function, not 'title'",
    "Integer(_('X.'), readonly=True, read=print, prepare=print)": "a field is read by read or by prepare: leave one of them out",
    "Link('x')": "the link 'x' needs either href or prepare",
    "Link('x', print, prepare=print)": "the link 'x' needs either href or prepare",
    "Integer(_('X.'), readonly=True, read=print, load=5)": "load must be a function, not 5",
    "Integer(_('X.'), store='title', read=print)": "store must be a function, not 'title'",
    "List(_('X.'), items=Integer, default=[])": "items must be a field, such as Integer",
    "Object(_('X.'), properties={'a': 1}, default={})": "properties must be fields by their names",
    "Integer(_('X.'), defualt=1)": "a field has no option 'defualt'. Options: answer, answer_values, codes, column, columns",
    "Integer(_('X.'), default=1, required=True)": "a required field has no default: leave one of them out",
    "Integer()": "missing 1 required positional argument: 'description'",
}


@pytest.mark.parametrize("declared", DECLARATIONS)
@pytest.mark.parametrize(("plugin", "owner"), [(field, "'x' of 'post'"), (argument, "'x' of the route /acme/v1/x")],
                         ids=["field", "argument"])
def test_a_declaration_that_contradicts_itself_is_refused(plugged: Any, declared: str, plugin: Any, owner: str) -> None:
    line = refusal(plugged(badly_made=plugin(declared)))

    assert f": {owner} {DECLARATIONS[declared]}" in line


def setting(declared: str) -> str:
    return returned("register_settings", f"{{'x': {declared}}}")


@pytest.mark.parametrize(("declared", "told"), [
    ("List(_('X.'), default=None)", "array: give default=[], or null=None too"),
    ("List(_('X.'), default=None, null=[])", "array: give default=[], or null=None too"),
    ("Ids(_('X.'), default=None)", "array: give default=[], or null=None too"),
    ("Object(_('X.'), default=None)", "object: give default={}, or null=None too"),
    ("List(_('X.'), default=None, null=None)", ""), ("Object(_('X.'), default=None, null=None)", ""),
    ("List(_('X.'), default=[])", ""), ("Integer(_('X.'), default=None)", ""),
])
@pytest.mark.parametrize(("plugin", "place"), [
    (setting, "register_settings: 'x'"), (argument, "register_routes: 'x' of the route /acme/v1/x")], ids=["setting", "argument"])
def test_a_list_that_may_not_be_null_has_a_list_as_its_default(
    plugged: Any, declared: str, told: str, plugin: Any, place: str
) -> None:
    site = plugged(badly_made=plugin(declared))

    if told:
        assert f"plugin badly_made: {place} has default=None, which isn't of its type, {told} (" in refusal(site)
    else:
        assert "badly_made" in site.client().site.plugins.loaded


@pytest.mark.parametrize("declared", CALLS)
def test_a_declaration_of_another_kind_is_refused_where_it_stands(plugged: Any, declared: str) -> None:
    source = field(declared)
    line = refusal(plugged(badly_made=source))

    assert "register_fields failed: TypeError: " in line
    assert CALLS[declared] in line
    assert line.endswith(f"line {HEAD_LINES + source.rstrip().count(chr(10)) + 1})")


@pytest.mark.parametrize(("declared", "told"), [
    ("List(_('X.'))", "'x' of 'post' has no list as its default, for items without a value: give default=[]"),
    ("List(_('X.'), default='a,b')", "'x' of 'post' has no list as its default"),
    ("Ids(_('X.'))", "'x' of 'post' has no list as its default, for items without a value: give default=[]"),
    ("Object(_('X.'))", "'x' of 'post' has no object as its default, for items without a value: give default={}"),
])
def test_a_list_without_a_default_is_refused(plugged: Any, declared: str, told: str) -> None:
    assert told in refusal(plugged(badly_made=field(declared)))


@pytest.mark.parametrize("declared", [
    "Integer(_('X.'))", "Integer(_('X.'), default=None)", "Integer(_('X.'), default=3, minimum=1, maximum=3)",
    "Boolean(_('X.'), default=False)", "String(_('X.'), default='b', enum=('a', 'b'))",
    "DateTime(_('X.'), default='2026-01-31T12:00:00')", "Ids(_('X.'), default=[1])",
    "List(_('X.'), default=None)", "Object(_('X.'), default=None)", "Object(_('X.'), default={})",
    "Integer(_('X.'), VIEW_EDIT, null=0)", "Integer(_('X.'), ['view'])",
])
def test_a_sound_declaration_is_taken(plugged: Any, declared: str) -> None:
    assert "x" in plugged(acme=field(declared)).client().send("OPTIONS", "/posts").json["schema"]["properties"]


def test_the_core_s_own_declarations_are_sound(client: Any) -> None:
    schemas = [schema for resource in client.site.registry.resources.values()
               for schema in (resource.schema, resource.list_args, resource.get_args, resource.delete_args)]
    fields = [field for schema in schemas for field in fields_of(schema).items()]

    assert len(fields) > 200
    assert [(name, field.fault()) for name, field in fields if field.fault()] == []


#: What hooks return that they shouldn't, and the words for it.
ANSWERS = {
    "register_types": {
        "5": "returned int instead of a list of ContentType",
        "'event'": "returned str instead of a list of ContentType",
        "{}": "returned dict instead of a list of ContentType",
        "[ContentType]": "returned a list with type instead of ContentType",
        "[ContentType('x', 'xs', _('X'), supports='title')]": "'x' has supports='title', a text. It takes a list",
        "[ContentType('x', 'xs', _('X'), taxonomies='category')]": "'x' has taxonomies='category', a text",
        "[ContentType('x', 'xs', _('X'), fields=[1])]": "returned list instead of fields by their names",
        "[ContentType('x', 'xs', _('X'), fields={'y': 1})]": "'y' of 'x' is int instead of a field",
        "[ContentType(5, 'xs', _('X'))]": "5 can't be a name",
        "[ContentType('x', None, _('X'))]": "'x' has the base None",
        "[ContentType('x', 'xs', _('X'), namespace=None)]": "what it returned can't be used: TypeError",
    },
    "register_taxonomies": {
        "Taxonomy('x', 'xs', _('X'))": "returned Taxonomy instead of a list of Taxonomy",
        "[Taxonomy('x', 'xs', _('X'), 'post')]": "'x' has types='post', a text. It takes a list",
    },
    "register_statuses": {"['x']": "returned a list with str instead of Status"},
    "register_capabilities": {
        "['edit_x']": "returned a list with str instead of Capability",
        "[Capability('x', 'editor')]": "'x' has roles='editor', a text. It takes a list",
    },
    "register_locales": {
        "['de_DE']": "returned a list with str instead of Locale",
        "[Locale(5, 'de', 'Deutsch', '.')]": "what it returned can't be used: TypeError",
    },
    "register_settings": {
        "[]": "returned list instead of fields by their names",
        "{'x': 5}": "'x' is int instead of a field",
        "{'x': Integer(_('X.'), default='a')}": "'x' has default='a', which isn't of its type",
        "{'x': List(_('X.'), default=None)}": "'x' has default=None, which isn't of its type, array: give default=[]",
        "{'x': Object(_('X.'), default=None)}": "'x' has default=None, which isn't of its type, object: give default={}",
    },
    "register_resources": {
        "{}": "returned dict instead of a list of Resource",
        "['x']": "returned a list with str instead of Resource",
    },
    "register_fields": {
        "None": "returned NoneType instead of fields by the resource's name",
        "{'post': None}": "returned NoneType instead of fields by their names",
        "{'post': {5: Integer(_('X.'))}}": "5 of 'post' can't be a name",
        "{'post': {'x': Integer}}": "'x' of 'post' is type instead of a field",
        "{'posts': {'x': Integer(_('X.'))}}": "there is no resource 'posts'. Resources: post, page",
    },
    "register_filters": {
        "[]": "returned list instead of fields by the resource's name",
        "{'post': {'x': Integer(_('X.'), where=lambda bound: True, default='a')}}": "'x' of 'post' has default='a'",
    },
    "register_read_arguments": {
        "[]": "returned list instead of fields by the resource's name",
        "{'nothing': {}}": "there is no resource 'nothing'",
        "{'post': {'x': List(_('X.'), default=None)}}": "'x' of 'post' has default=None, which isn't of its type, array",
        "{'post': {'id': 5}}": "'id' of 'post' is int instead of a field",
        "{'post': {'context': Integer(_('X.'))}}": "'context' is already registered by core",
    },
    "register_routes": {
        "Route('/x', (Endpoint(GET, print, PUBLIC),))": "returned Route instead of a list of Route",
        "[Route('/x', Endpoint(GET, print, PUBLIC), 'acme/v1')]": "They are a tuple of Endpoint",
        "[Route('/x', (print,), 'acme/v1')]": "They are a tuple of Endpoint",
        "[Route('/x', (Endpoint('GET', print, PUBLIC),), 'acme/v1')]": "has methods 'GET'. Methods: GET, POST",
        "[Route('/x', (Endpoint(('get',), print, PUBLIC),), 'acme/v1')]": "has methods ('get',). Methods: GET, POST",
        "[Route('/x', (Endpoint(GET, None, PUBLIC),), 'acme/v1')]": "can't be run: None isn't a function",
        "[Route('/x', (Endpoint(GET, print, PUBLIC, Endpoint),), 'acme/v1')]": "aren't a class made of cms.plugin.ArgumentSchema",
        "[Route('x', (Endpoint(GET, print, PUBLIC),), 'acme/v1')]": "has no proper path",
        "[Route(None, (Endpoint(GET, print, PUBLIC),), 'acme/v1')]": "what it returned can't be used: TypeError",
    },
    "register_migrations": {
        "None": "there is no folder 'None'", "5": "there is no folder '5'", "['/tmp']": "there is no folder",
    },
    "register_translations": {"None": "there is no folder 'None'", "5": "there is no folder '5'"},
    "register_commands": {
        "print": "returned builtin_function_or_method instead of a list of Command",
        "['greet']": "returned a list with str instead of Command",
    },
    "register_checks": {
        "print": "returned builtin_function_or_method instead of a list of Check",
        "[Check('x', 'bad', 'X.', 'Y.', print)]": "'x' has the level 'bad'. Levels: fault, warning, note",
        "[Check('x', 'fault', 'X.', 'Y.', None)]": "'x' can't look: None isn't a function",
    },
    "register_editors": {
        "print": "returned builtin_function_or_method instead of a list of PageEditor",
        "[PageEditor('/nowhere')]": "there is no folder '/nowhere'",
        "[PageEditor(5)]": "there is no folder '5'",
        "[PageEditor(__file__.rpartition('/')[0], 'nothing.js')]": "there is no module 'nothing.js' in",
        "[PageEditor(__file__.rpartition('/')[0], '../other.js')]": "there is no module '../other.js' in",
        "[PageEditor(__file__.rpartition('/')[0], 'badly_made.py')]": "there is no module 'badly_made.py' in",
    },
    "media_storage": {
        "'/srv/files'": "media_storage returned str, which isn't a storage. It lacks put, open, delete, walk, address",
        "{}": "media_storage returned dict, which isn't a storage",
        "type('Half', (), {'put': print, 'open': print, 'delete': print})()": "returned Half, which isn't a storage. It lacks walk, address",
    },
    "wrap_wsgi": {"None": "wrap_wsgi returned NoneType instead of a WSGI application", "5": "returned int instead of a WSGI"},
}
TYPES = "from cms.plugin import Capability, Check, ContentType, Locale, PageEditor, Status, Taxonomy\n"


@pytest.mark.parametrize(("hook", "answer"), [(hook, answer) for hook in ANSWERS for answer in ANSWERS[hook]])
def test_an_answer_of_another_kind_is_refused(plugged: Any, hook: str, answer: str) -> None:
    line = refusal(plugged(badly_made=returned(hook, answer, TYPES)))

    assert hook in line
    assert ANSWERS[hook][answer] in line


#: Hooks by their arguments; none of them takes any other.
@pytest.mark.parametrize(("hook", "argument", "told"), [
    ("register_fields", "site", "register_fields takes site, which this hook doesn't give. It gives: content_registry"),
    ("register_types", "site", "register_types takes site, which this hook doesn't give. It gives: config"),
    ("startup", "app", "startup takes app, which this hook doesn't give. It gives: site"),
    ("before_write", "post", "It gives: action, resource, values, row, principal, site"),
    ("check_permission", "user", "check_permission takes user, which"),
    ("on_event", "evnt", "It gives: event, site"),
    ("media_storage", "folder", "It gives: config"),
])
def test_an_argument_that_a_hook_does_not_give_is_refused(plugged: Any, hook: str, argument: str, told: str) -> None:
    assert told in refusal(plugged(badly_made=f"@hookimpl\ndef {hook}({argument}):\n    return None\n"))


@pytest.mark.parametrize(("source", "told"), [
    ("from .words import ANSWER\n", "ImportError: attempted relative import"),
    ("import cms.nothing\n", "ModuleNotFoundError: No module named 'cms.nothing'"),
    ("from cms.plugin import Nothing\n", "ImportError: cannot import name 'Nothing' from 'cms.plugin'"),
    ("x = undefined\n", "NameError: name 'undefined' is not defined"),
    ("raise SystemExit(3)\n", "SystemExit: 3"),
    ("\tx = 1\n  y = 2\n", "IndentationError"),
    ("@hookimpl()\ndef startup():\n    pass\nraise OSError(2, 'No such file', 'acme.ini')\n", "acme.ini"),
    ("from cms.plugin import Integer\nx = Integer(_('X.'), 'view')\n", "contexts must be a list, not a text"),
])
def test_what_fails_at_import_is_told_with_its_line(plugged: Any, source: str, told: str) -> None:
    assert told in refusal(plugged(badly_made=source))


def refusal(site: Any) -> str:
    """Return the line that keeps a site from starting: it names the plugin, its file and a line."""
    with pytest.raises(PluginError) as caught:
        create_app({"password_cost": "low"}, site.folder)
    line = str(caught.value)
    assert line.startswith("plugin badly_made: ")
    assert "\n" not in line
    assert re.search(rf" \({re.escape(str(site.folder))}/plugins/badly_made\.py, line \d+\)$", line), line
    return line


@pytest.mark.parametrize(("declared", "told"), [
    ("{'type': {'x': String(_('X.'))}}", "'x' of 'type' is of what the site has registered, which nothing writes: give read"),
    ("{'status': {'x': String(_('X.'), readonly=True, read=print, sortable=True)}}", "leave out load, filterable, sortable"),
    ("{'taxonomy': {'slug': String(_('X.'), readonly=True, read=print)}}", "'slug' is already registered by core"),
])
def test_a_field_that_cannot_be_of_a_type_is_refused(plugged: Any, declared: str, told: str) -> None:
    assert told in refusal(plugged(badly_made=returned("register_fields", declared)))
