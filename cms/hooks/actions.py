"""The hooks by which the plugins of one site are told what is done beside the writes of items."""

from __future__ import annotations

from cms.access.actions import Action, SignIn
from cms.hooks.calling import Hook
from cms.hooks.manager import Plugins


class ActionHooks:
    """Tell the plugins of one site of actions and sign-ins; every failure names its plugin."""

    def __init__(self, plugins: Plugins, site: object) -> None:
        self._site = site
        self._after_action = Hook(plugins, "after_action")
        self._after_sign_in = Hook(plugins, "after_sign_in")

    def after_action(self, action: Action) -> None:
        """Tell of an action, in its transaction; whatever a plugin raises undoes it."""
        if self._after_action:
            self._after_action.notify({"action": action, "site": self._site})

    def after_sign_in(self, sign_in: SignIn) -> None:
        """Tell of credentials that were checked; whatever a plugin raises refuses the request."""
        if self._after_sign_in:
            self._after_sign_in.notify({"sign_in": sign_in, "site": self._site})
