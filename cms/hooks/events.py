"""The hooks by which the plugins of one site get events: at once, or by targets to which they deliver them."""

from __future__ import annotations

from collections.abc import Sequence

from cms.hooks.calling import Hook
from cms.hooks.checks import require_code, require_event_hooks, require_targets
from cms.hooks.manager import Plugins


class EventHooks:
    """Hand events to the plugins of one site; every failure names its plugin."""

    def __init__(self, plugins: Plugins, site: object) -> None:
        self._site = site
        self._on_event = Hook(plugins, "on_event", wrappable=False)
        self._event_targets = Hook(plugins, "event_targets", wrappable=False)
        self._deliver_event = Hook(plugins, "deliver_event", wrappable=False)

    def require_pairs(self) -> None:
        """Raise PluginError for a plugin that can't be given events by the hooks that it has."""
        require_event_hooks(self._on_event.plugins, self._event_targets.plugins, self._deliver_event.plugins)

    @property
    def listeners(self) -> list[str]:
        """The names of the plugins that wait for events."""
        return self._on_event.plugins

    def hand_over(self, plugin: str, event: object) -> None:
        """Give an event to one plugin; raises PluginError where it fails."""
        self._on_event.one(plugin, {"event": event, "site": self._site})

    @property
    def with_targets(self) -> list[str]:
        """The names of the plugins that deliver events to targets."""
        return self._event_targets.plugins

    def targets(self, plugin: str, event: object) -> Sequence[str]:
        """Return to which targets one plugin delivers an event; raises PluginError where it fails."""
        arguments = {"event": event, "site": self._site}
        targets: Sequence[str] = self._event_targets.one(plugin, arguments, require_targets)
        return targets

    def deliver(self, plugin: str, delivery: object) -> int | None:
        """Have one plugin deliver an event to one target; return what that answered.

        Raises PluginError with what the plugin has raised as its cause.
        """
        arguments = {"delivery": delivery, "site": self._site}
        code: int | None = self._deliver_event.one(plugin, arguments, require_code)
        return code
