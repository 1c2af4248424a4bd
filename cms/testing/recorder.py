"""A plugin that remembers the events that reach it; the tests' sites load it where a test asks for events."""

from __future__ import annotations

from collections.abc import Callable

from cms.background.events import Event
from cms.hooks.markers import hookimpl

_heard: list[Callable[[Event], None]] = []


@hookimpl
def on_event(event: Event) -> None:
    """Remember an event."""
    for hear in _heard:
        hear(event)


def listen(hear: Callable[[Event], None]) -> Callable[[], None]:
    """Have a function told of each event, until the function that this returns is called."""
    _heard.append(hear)
    return lambda: _heard.remove(hear)
