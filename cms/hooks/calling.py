"""Running the implementations of one hook, in pluggy's order, with the name of the plugin that fails.

This is the only place where a plugin's hooks are called. Implementations run as pluggy would run them: the last that
was registered first, `tryfirst` before and `trylast` behind all others, wrappers around them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from time import perf_counter
from typing import Any, cast

import pluggy

from cms.errors import ApiError
from cms.hooks.manager import CORE, PluginError, Plugins, one_line
from cms.hooks.places import place_of, place_of_error

HookArguments = Mapping[str, Any]
#: Checks what a plugin, given by its name, has returned, and returns what counts.
Check = Callable[[str, Any], Any]


class Hook:
    """The implementations of one hook on one site, looked up once; it is false where there are none."""

    def __init__(self, plugins: Plugins, name: str, *, wrappable: bool = True) -> None:
        """Look the implementations up; raises PluginError for a wrapper that this hook can't have."""
        self.name = name
        caller: pluggy.HookCaller = getattr(plugins.hook, name)
        self.implementations: list[pluggy.HookImpl] = []
        self.wrappers: list[pluggy.HookImpl] = []
        for each in reversed(caller.get_hookimpls()):
            if each.hookwrapper:
                message = f"{name} must be a wrapper of the new style: wrapper=True"
                raise PluginError(each.plugin_name, message, name, place_of(each.function))
            if each.wrapper and not wrappable:
                message = f"{name} can't be a wrapper: leave out wrapper=True"
                raise PluginError(each.plugin_name, message, name, place_of(each.function))
            (self.wrappers if each.wrapper else self.implementations).append(each)

    def __bool__(self) -> bool:
        return bool(self.implementations or self.wrappers)

    @property
    def plugins(self) -> list[str]:
        """The names of the plugins that implement the hook, in the order in which they are called."""
        return [each.plugin_name for each in self.implementations]

    def each(self, arguments: HookArguments, check: Check | None = None) -> list[Any]:
        """Call all implementations and return what they returned, None left out.

        Raises PluginError with the name of the plugin that fails; an ApiError is a plugin's answer and passes.
        """

        def run() -> list[Any]:
            results = []
            for implementation in self.implementations:
                found = call_one(implementation, self.name, arguments, check)
                if found is not None:
                    results.append(found)
            return results

        def check_all(plugin: str, found: Any) -> list[Any]:
            self._require_type(plugin, found, list)
            return found if check is None else [check(plugin, each) for each in found]

        results: list[Any] = self._run(arguments, run, check_all)
        return results

    def notify(self, arguments: HookArguments) -> None:
        """Call all implementations of a hook whose results mean nothing.

        Raises PluginError with the name of the plugin that fails; an ApiError is a plugin's answer and passes.
        """

        def run() -> None:
            for implementation in self.implementations:
                call_one(implementation, self.name, arguments)

        self._run(arguments, run)

    def first(self, arguments: HookArguments, check: Check | None = None) -> Any:
        """Call one implementation after another until one returns something, and return that; None where none does.

        Raises PluginError with the name of the plugin that fails.
        """

        def run() -> Any:
            for implementation in self.implementations:
                found = call_one(implementation, self.name, arguments, check)
                if found is not None:
                    return found
            return None

        return self._run(arguments, run, check)

    def one(self, plugin: str, arguments: HookArguments, check: Check | None = None) -> Any:
        """Call the implementation of one plugin and return what it returned, checked.

        Raises PluginError where the plugin fails, or has no such hook.
        """
        for implementation in self.implementations:
            if implementation.plugin_name == plugin:
                return call_one(implementation, self.name, arguments, check)
        raise PluginError(plugin, f"it has no hook {self.name}", self.name)

    def pipe(self, argument: str, value: Any, arguments: HookArguments, check: Check | None = None) -> Any:
        """Pipe a value through all implementations, as the argument of this name, and return what the last made of it.

        One that returns None leaves the value as it is, or has changed it in place. `check` raises ValueError for a
        value that may not be handed on. Raises PluginError, with the plugin's name, for one that fails, returns a
        value of another type or one that doesn't pass the check.
        """

        def run() -> Any:
            piped = value
            for implementation in self.implementations:
                found = call_one(implementation, self.name, {**arguments, argument: piped})
                if found is not None:
                    piped = found
                piped = self._checked(implementation.plugin_name, piped, type(value), check)
            return piped

        return self._run({**arguments, argument: value}, run)

    def _checked(self, plugin: str, found: Any, wanted: type, check: Check | None) -> Any:
        self._require_type(plugin, found, wanted)
        if check is None:
            return found
        try:
            return check(plugin, found)
        except ValueError as error:
            raise self._refusal(plugin, f"returned what can't be used: {error}") from error

    def _require_type(self, plugin: str, found: object, wanted: type) -> None:
        if not isinstance(found, wanted):
            raise self._refusal(plugin, f"returned {type(found).__name__} instead of {wanted.__name__}")

    def _refusal(self, plugin: str, what: str) -> PluginError:
        place = next(
            place_of(each.function)
            for each in (*self.implementations, *self.wrappers)
            if each.plugin_name == plugin
        )
        return PluginError(plugin, f"{self.name} {what}", self.name, place)

    def _run(self, arguments: HookArguments, inner: Callable[[], Any], check: Check | None = None) -> Any:
        """Run something inside the wrappers; `check` checks what a wrapper makes of the result."""
        if not self.wrappers:
            return inner()
        return _run_wrapped(self, arguments, inner, check)


def call_one(
    implementation: pluggy.HookImpl, hook: str, arguments: HookArguments, check: Check | None = None
) -> Any:
    """Call one plugin and return what it returned, checked.

    An ApiError is the plugin's answer and passes; raises PluginError with the plugin's name for anything else.
    """
    plugin = implementation.plugin_name
    try:
        found = implementation.function(*_arguments(implementation, arguments))
        return found if check is None else check(plugin, found)
    except ApiError:
        raise
    except PluginError as error:
        error.place = error.place or place_of(implementation.function)
        raise
    except Exception as error:
        raise failure(implementation, hook, error) from error


def failure(implementation: pluggy.HookImpl, hook: str, error: Exception) -> PluginError:
    """Build the error that names the plugin, the hook, what went wrong and where, in one line."""
    place = place_of_error(error) or place_of(implementation.function)
    return PluginError(implementation.plugin_name, f"{hook} failed: {one_line(error)}", hook, place)


def registrations(plugins: Plugins, hook: str, **arguments: Any) -> Iterator[tuple[str, Any]]:
    """Yield what each plugin returns from a registering hook, with the plugin's name.

    Raises PluginError with the name of the plugin that fails.
    """
    for implementation in Hook(plugins, hook, wrappable=False).implementations:
        plugin, started = implementation.plugin_name, perf_counter()
        found = call_one(implementation, hook, {"config": plugins.config, **arguments}, _exhausted)
        plugins.loaded[plugin].seconds += perf_counter() - started
        plugins.asked = plugin, hook
        yield plugin, found
    plugins.asked = CORE, hook


def _exhausted(_plugin: str, found: object) -> object:
    """Return a list for a generator, so that what it raises is its plugin's failure."""
    return list(found) if isinstance(found, Iterator) else found


def _arguments(implementation: pluggy.HookImpl, arguments: HookArguments) -> list[Any]:
    return [arguments[name] for name in implementation.argnames]


def _run_wrapped(hook: Hook, arguments: HookArguments, inner: Callable[[], Any], check: Check | None) -> Any:
    """Run something inside wrappers: each begins before it, gets its result or what it raised, and may replace it."""
    begun: list[tuple[pluggy.HookImpl, Generator[None, Any, Any]]] = []
    result: Any = None
    error: Exception | None = None
    try:
        for wrapper in hook.wrappers:
            begun.append((wrapper, _begin(wrapper, hook.name, arguments)))
        result = inner()
    except Exception as raised:
        error = raised
    for wrapper, generator in reversed(begun):
        try:
            result, error = _finish(wrapper, hook.name, generator, result, error, check), None
        except ApiError as raised:
            error = raised
        except PluginError as raised:
            raised.place = raised.place or place_of(wrapper.function)
            error = raised
        except Exception as raised:
            error = failure(wrapper, hook.name, raised)
    if error is not None:
        raise error
    return result


def _begin(wrapper: pluggy.HookImpl, hook: str, arguments: HookArguments) -> Generator[None, Any, Any]:
    try:
        generator = cast(Generator[None, Any, Any], wrapper.function(*_arguments(wrapper, arguments)))
        next(generator)
    except StopIteration:
        message = f"{hook} is a wrapper that doesn't yield; it has to yield once"
        raise PluginError(wrapper.plugin_name, message, hook, place_of(wrapper.function)) from None
    except (ApiError, PluginError):
        raise
    except Exception as error:
        raise failure(wrapper, hook, error) from error
    return generator


def _finish(
    wrapper: pluggy.HookImpl,
    hook: str,
    generator: Generator[None, Any, Any],
    result: Any,
    error: Exception | None,
    check: Check | None,
) -> Any:
    """Give a wrapper what was returned or raised inside it, and return what it makes of that, checked."""
    try:
        if error is not None:
            generator.throw(error)
        else:
            generator.send(result)
    except StopIteration as stop:
        return stop.value if check is None else check(wrapper.plugin_name, stop.value)
    generator.close()
    message = f"{hook} is a wrapper that yields more than once; it has to yield once"
    raise PluginError(wrapper.plugin_name, message, hook, place_of(wrapper.function))
