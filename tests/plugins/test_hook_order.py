"""Hooks are called in pluggy's own order, wrappers around them; whatever fails names its plugin."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator
from itertools import permutations
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pluggy
import pytest

from cms import resources
from cms.access.actions import Action, SignIn
from cms.access.capabilities import Principal
from cms.db import QueryPlan
from cms.errors import ApiError
from cms.hooks import Hooks, PluginError, Plugins, choose_media_storage
from cms.hooks.calling import registrations
from cms.hooks.loader import register
from cms.hooks.markers import hookimpl
from cms.hooks.registry import build_registry
from cms.hooks.sources import Candidate
from cms.i18n import _
from cms.media.storage import LocalStorage
from cms.plugin import specs
from cms.schema.fields import Integer
from cms.schema.resource import Resource
from cms.schema.schemas import ArgumentSchema, loader_of

HOOKS = {name: list(inspect.signature(function).parameters)
         for name, function in vars(specs).items() if hasattr(function, "cms_spec")}
REGISTERING = [name for name in HOOKS if name.startswith("register_")]
#: Hooks that are called for one plugin at a time, with what they are given.
METHODS = {"on_event": "hand_over", "event_targets": "targets", "deliver_event": "deliver"}
OF_ONE_PLUGIN = {"on_event": "event", "event_targets": "event", "deliver_event": "delivery"}
#: Hooks whose implementations all get a value that they hand on, or that are called for one plugin at a time.
NEVER_WRAPPED = ["wrap_wsgi", "filter_query", "prepare_items", "before_write", "render_content", "on_event",
                 "event_targets", "deliver_event"]
WRAPPED = [name for name in HOOKS if name not in (*REGISTERING, *NEVER_WRAPPED)]
STORAGE = LocalStorage(Path("nowhere"))
FIRST_RESULT = ["authenticate", "media_storage", "import_item"]
OPTIONS: dict[str, dict[str, Any]] = {"plain": {}, "first": {"tryfirst": True}, "last": {"trylast": True}}
ROWS = [{"id": 1}]
SIGN_IN = SignIn(1, "admin", "203.0.113.7", "password", succeeded=True)
OF_ACTIONS = ("after_action", "after_sign_in")
LOADER = loader_of(ArgumentSchema)
Body = Callable[[str, dict[str, Any]], Any]


def plugin(name: str, hook: str, body: Body, **options: Any) -> ModuleType:
    """Return a plugin with one hook, which calls `body` with the plugin's name and the hook's arguments."""
    module, arguments = ModuleType(name), ", ".join(HOOKS[hook])
    namespace = {"name": name, "body": body}
    pairs = ", ".join(f"{argument!r}: {argument}" for argument in HOOKS[hook])
    exec(f"def {hook}({arguments}): return body(name, {{{pairs}}})", namespace)
    setattr(module, hook, hookimpl(**options)(namespace[hook]))
    return module


def wrapper(name: str, hook: str, begin: Callable[[], Any], end: Callable[[Any], Any], **options: Any) -> ModuleType:
    """Return a plugin with a wrapper, which calls `begin`, and `end` with the result that it replaces."""
    def wrap() -> Generator[None, Any, Any]:
        begin()
        return end((yield))

    module = ModuleType(name)
    wrap.__name__ = hook
    setattr(module, hook, hookimpl(**({"wrapper": True} | options))(wrap))
    return module


def loaded(*modules: ModuleType, core: bool = False) -> Plugins:
    plugins = Plugins(specs)
    if core:
        register(plugins, Candidate("core", "core", "", lambda: resources))
    for module in modules:
        register(plugins, Candidate(module.__name__, "module", "", lambda module=module: module))  # type: ignore[misc]
    return plugins


def answer(hook: str, given: dict[str, Any], folder: Path) -> Any:
    """Return what a plugin may answer that changes nothing."""
    if hook in ("register_migrations", "register_translations"):
        return folder
    if hook in ("register_settings", "register_fields", "register_filters", "register_read_arguments",
                "register_shortcodes"):
        return {}
    return [] if hook in REGISTERING or hook == "event_targets" else given.get("application")


def run(plugins: Plugins, hook: str) -> Any:
    """Call a hook as the site does; of a registering one alone."""
    if hook in REGISTERING:
        return list(registrations(plugins, hook, **dict.fromkeys(HOOKS[hook])))
    if hook == "media_storage":
        return choose_media_storage(plugins, SimpleNamespace())  # type: ignore[arg-type]
    hooks = Hooks(plugins, "site")
    if hook in OF_ONE_PLUGIN:
        for each in getattr(plugins.hook, hook).get_hookimpls()[::-1]:
            getattr(hooks.events, METHODS[hook])(each.plugin_name, OF_ONE_PLUGIN[hook])
        return None
    given: dict[str, tuple[Any, ...]] = {
        "startup": (),
        "wrap_wsgi": (print,),
        "authenticate": (lambda: "request",),
        "next_change": ("2026-01-31T12:00:00",),
        "check_permission": (Principal(), "read", "post", ROWS[0]),
        "filter_query": ("post", QueryPlan(), {}, Principal()),
        "open_item": ("post", ROWS[0], {}, Principal()),
        "prepare_items": ("post", [{}], "page"),
        "before_write": ("update", "post", {}, ROWS[0], Principal(), LOADER),
        "after_write": ("update", "post", ROWS[0], ROWS[0], Principal()),
        "transition_status": ("post", ROWS[0], "draft", "publish", Principal()),
        "comment_check": ({}, {}, Principal()),
        "render_content": ("html", "raw", "post", "content"),
        "import_item": ("item", "importing"),
        "import_values": ("post", "record", {}, "importing"),
        "after_action": (Action("thing.done", "thing"),),
        "after_sign_in": (SIGN_IN,),
    }
    owner = hooks.actions if hook in OF_ACTIONS else hooks
    return getattr(owner, hook)(*given[hook])


def called_by_site(modules: list[ModuleType], hook: str, calls: list[str]) -> list[str]:
    """Return the names of plugins in the order in which the site calls them."""
    calls.clear()
    if hook in REGISTERING:
        build_registry(loaded(*modules, core=True))
    else:
        run(loaded(*modules), hook)
    return list(calls)


def called_by_pluggy(modules: list[ModuleType], hook: str, calls: list[str]) -> list[str]:
    """Return the names of plugins in the order in which pluggy itself calls them."""
    manager = pluggy.PluginManager("cms")
    manager.add_hookspecs(specs)
    for module in modules:
        manager.register(module, name=module.__name__)
    calls.clear()
    getattr(manager.hook, hook)(**dict.fromkeys(HOOKS[hook]))
    return list(calls)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that may hold migrations or translations."""
    (tmp_path / "0001_nothing.py").write_text("def up(migrator, db): pass\n", encoding="utf-8")
    return tmp_path


# Order.

@pytest.mark.parametrize("hook", HOOKS)
def test_plugins_are_called_in_the_order_of_pluggy(hook: str, folder: Path) -> None:
    calls: list[str] = []

    def body(name: str, given: dict[str, Any]) -> Any:
        calls.append(name)
        return answer(hook, given, folder)

    for order in permutations(["plain", "first", "last"]):
        modules = [plugin(name, hook, body, **OPTIONS[name]) for name in order]
        found = called_by_site(modules, hook, calls)

        assert found == called_by_pluggy(modules, hook, calls)
        assert found == ["first", "plain", "last"]


@pytest.mark.parametrize("hook", HOOKS)
def test_the_order_among_their_like_is_that_of_pluggy(hook: str, folder: Path) -> None:
    calls: list[str] = []

    def body(name: str, given: dict[str, Any]) -> Any:
        calls.append(name)
        return answer(hook, given, folder)

    for place, options in OPTIONS.items():
        modules = [plugin(name, hook, body, **options) for name in ("b", "c", "a")]
        found = called_by_site(modules, hook, calls)

        assert found == called_by_pluggy(modules, hook, calls)
        assert found == (["b", "c", "a"] if place == "last" else ["a", "c", "b"])


def test_events_reach_plugins_in_their_order(plugged: Any) -> None:
    source = """
@hookimpl(PLACE)
def on_event(event, site):
    if event.name == "post.created":
        with (site.config.instance / "calls.txt").open("a") as file:
            file.write("NAME ")
"""
    site = plugged(**{name: source.replace("NAME", name).replace("PLACE", place)
                      for name, place in (("a", "trylast=True"), ("b", ""), ("c", "tryfirst=True"), ("d", ""))})
    client = site.client()
    client.new("/posts", title="Post")
    client.site.outbox.deliver()

    assert (site.folder / "calls.txt").read_text() == "c d b a "


@pytest.mark.parametrize("hook", FIRST_RESULT)
def test_a_hook_with_one_result_stops_at_the_first(hook: str) -> None:
    calls: list[str] = []
    results = {"authenticate": Principal(7), "media_storage": STORAGE, "import_item": True}

    def body(name: str, given: dict[str, Any]) -> Any:
        calls.append(name)
        return None if name == "first" else results[hook]

    modules = [plugin(name, hook, body, **OPTIONS[name]) for name in ("last", "plain", "first")]

    assert called_by_pluggy(modules, hook, calls) == ["first", "plain"]
    calls.clear()
    assert run(loaded(*modules), hook) == results[hook]
    assert calls == ["first", "plain"]


def test_the_specs_mark_the_hooks_with_one_result() -> None:
    marked = [name for name in HOOKS if getattr(specs, name).cms_spec["firstresult"]]

    assert sorted(marked) == sorted(FIRST_RESULT)


# Wrappers.

@pytest.mark.parametrize("hook", WRAPPED)
def test_wrappers_run_around_a_hook_as_in_pluggy(hook: str) -> None:
    calls: list[str] = []

    def body(name: str, given: dict[str, Any]) -> None:
        calls.append(name)

    def around(name: str, **options: Any) -> ModuleType:
        def end(result: Any) -> Any:
            calls.append(f"{name} ends")
            return result

        return wrapper(name, hook, lambda: calls.append(f"{name} begins"), end, **options)

    for order in permutations([around("outer", tryfirst=True), around("inner"), plugin("plain", hook, body)]):
        found = called_by_site(list(order), hook, calls)

        assert found == called_by_pluggy(list(order), hook, calls)
        assert found == ["outer begins", "inner begins", "plain", "inner ends", "outer ends"]


@pytest.mark.parametrize(("hook", "wrapped", "result"), [
    ("check_permission", [False], ApiError),
    ("open_item", [True], True),
    ("comment_check", ["spam", "hold"], "spam"),
    ("authenticate", Principal(7), Principal(7)),
    ("media_storage", STORAGE, STORAGE),
    ("import_item", True, True),
])
def test_a_wrapper_replaces_the_result(hook: str, wrapped: Any, result: Any) -> None:
    plugins = loaded(plugin("plain", hook, lambda name, given: None),
                     wrapper("around", hook, lambda: None, lambda found: wrapped))

    if isinstance(result, type):
        with pytest.raises(result):
            run(plugins, hook)
    else:
        assert run(plugins, hook) == result


@pytest.mark.parametrize("hook", [*REGISTERING, *NEVER_WRAPPED])
def test_a_wrapper_is_refused_where_a_hook_cant_have_one(hook: str) -> None:
    with pytest.raises(PluginError, match=f"^plugin around: {hook} can't be a wrapper"):
        run(loaded(wrapper("around", hook, lambda: None, lambda found: found)), "startup")


@pytest.mark.parametrize("hook", WRAPPED)
def test_a_wrapper_of_the_old_style_is_refused(hook: str) -> None:
    with pytest.raises(PluginError, match=f"^plugin around: {hook} must be a wrapper of the new style"):
        run(loaded(wrapper("around", hook, lambda: None, lambda found: found, wrapper=False, hookwrapper=True)), hook)


# Failures.

def fail(*_arguments: Any) -> Any:
    raise KeyError("no\nway")


@pytest.mark.parametrize("hook", HOOKS)
def test_a_failure_names_the_plugin(hook: str, folder: Path) -> None:
    fine = [plugin(name, hook, lambda name, given: answer(hook, given, folder)) for name in ("one", "two")]
    plugins = loaded(fine[0], plugin("broken", hook, fail), fine[1])

    with pytest.raises(PluginError) as caught:
        run(plugins, hook)

    assert str(caught.value).startswith(f"plugin broken: {hook} failed: KeyError: 'no\\nway' ({__file__}, line ")
    assert isinstance(caught.value.__cause__, KeyError)


@pytest.mark.parametrize("hook", WRAPPED)
@pytest.mark.parametrize(("begin", "end"), [(fail, lambda found: found), (lambda: None, fail)], ids=["begin", "end"])
def test_a_failing_wrapper_is_named(hook: str, begin: Any, end: Any) -> None:
    plugins = loaded(plugin("plain", hook, lambda name, given: None), wrapper("broken", hook, begin, end))

    with pytest.raises(PluginError, match=f"^plugin broken: {hook} failed: KeyError"):
        run(plugins, hook)


@pytest.mark.parametrize("hook", WRAPPED)
def test_a_wrapper_does_not_take_the_blame_for_what_it_wraps(hook: str) -> None:
    around = wrapper("around", hook, lambda: None, lambda found: found)

    with pytest.raises(PluginError, match=f"^plugin broken: {hook} failed: KeyError"):
        run(loaded(plugin("broken", hook, fail), around), hook)


@pytest.mark.parametrize("hook", WRAPPED)
def test_what_refuses_a_request_passes_through_wrappers(hook: str) -> None:
    def refuse(name: str, given: dict[str, Any]) -> Any:
        raise ApiError("acme_no", _("No."), 403)

    around = wrapper("around", hook, lambda: None, lambda found: found)
    with pytest.raises(ApiError) as caught:
        run(loaded(plugin("refusing", hook, refuse), around), hook)

    assert caught.value.code == "acme_no"


@pytest.mark.parametrize(("hook", "result", "message"), [
    ("check_permission", None, "returned NoneType instead of list"),
    ("open_item", True, "returned bool instead of list"),
    ("comment_check", "spam", "returned str instead of list"),
    ("comment_check", ["ham"], "returned 'ham'. Verdicts: approve, hold, spam, trash, reject"),
    ("authenticate", "admin", "returned str instead of Principal"),
    ("media_storage", "/srv/files", "returned str, which isn't a storage. It lacks put, open, delete, walk, address"),
])
def test_a_wrapper_that_returns_what_cant_be_used_is_named(hook: str, result: Any, message: str) -> None:
    plugins = loaded(wrapper("around", hook, lambda: None, lambda found: result))

    with pytest.raises(PluginError) as caught:
        run(plugins, hook)

    assert str(caught.value).startswith(f"plugin around: {hook} {message} ({__file__}, line ")


# Names that the core has too.

def conflicting(hook: str) -> Any:
    """Return something that a plugin registers under a name of the core."""
    core = loaded(core=True)
    given: dict[str, Any] = dict.fromkeys(HOOKS[hook])
    registry = build_registry(core)
    if "content_registry" in given:
        given["content_registry"] = registry.content_registry
    if "resources" in given:
        given["resources"] = registry.resources
    if hook == "register_settings":
        return {"title": Integer(_("A number."), default=1)}
    found = next(iter(registrations(core, hook, **given)))[1]
    if hook == "register_resources":
        return [each for each in found if isinstance(each, Resource) and each.name == "post"]
    return list(found)[:1]


@pytest.mark.parametrize(("hook", "name"), [
    ("register_capabilities", "create_users"), ("register_statuses", "publish"), ("register_types", "post"),
    ("register_taxonomies", "category"), ("register_locales", "en_US"), ("register_settings", "title"),
    ("register_resources", "post"), ("register_routes", "/cms/v2/posts"),
])
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_a_plugin_that_takes_a_name_of_the_core_is_to_blame(hook: str, name: str, options: dict[str, Any]) -> None:
    found = conflicting(hook)
    plugins = loaded(plugin("taker", hook, lambda _name, given: found, **options), core=True)
    with pytest.raises(PluginError) as caught:
        build_registry(plugins)

    assert str(caught.value).startswith(f"plugin taker: {hook}: {name!r} is already registered by core (")
