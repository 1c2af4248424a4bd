"""The folder that a command works in, and the site that lies there."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from cms.assembly import open_site
from cms.cli.faults import WrongUse
from cms.config import Config, load_config
from cms.db.migrate import require_migrated
from cms.db.models import UserRow
from cms.hooks import PluginError
from cms.hooks.registry import JOINED
from cms.site import Site


@dataclass(frozen=True)
class Instance:
    """The folder of one site."""

    folder: Path

    @property
    def environ(self) -> Mapping[str, str]:
        """The environment in which this folder is the site's."""
        return {**os.environ, "CMS_INSTANCE": str(self.folder)}

    @property
    def command(self) -> str:
        """How people call `cms` for this folder."""
        if self.folder == Path("instance").absolute():
            return "cms"
        return f"cms --instance {self.folder}"

    def require_folder(self) -> None:
        """Refuse a folder that isn't there, unless it is the usual one: probably its name is wrong."""
        if not self.folder.exists() and self.command != "cms":
            raise WrongUse(
                f"There is no folder {self.folder}. Check --instance, or make a site there. Run: {self.command} init"
            )

    def require_site(self) -> None:
        """Refuse a folder in which no site has been made."""
        self.require_folder()
        database = self.config().database
        if not database.exists():
            raise click.ClickException(f"There is no site at {database} yet. Run: {self.command} init")

    def config(self) -> Config:
        """Read the site's settings."""
        return load_config(self.folder, environ=self.environ)

    @contextmanager
    def new_or_old(self, left_out: Collection[str] = ()) -> Iterator[Site]:
        """Open the site, whether or not its database is there yet, without the plugins of some names."""
        site = open_site(self.config(), left_out=left_out)
        try:
            check_commands(site)
            yield site
        finally:
            site.close()

    @contextmanager
    def existing(self) -> Iterator[Site]:
        """Open the site; refuses where none has been made."""
        self.require_site()
        with self.new_or_old() as site:
            yield site

    @contextmanager
    def ready(self) -> Iterator[Site]:
        """Open the site; refuses where its database has to be migrated first."""
        with self.existing() as site:
            require_migrated(site.database, site.registry.migrations, site.config["search_mode"])
            yield site


def find_account(site: Site, login: str) -> int:
    """Return the id of the account that signs in with a login; raises ClickException where there is none."""
    return account_row(site, login)["id"]


def account_row(site: Site, login: str) -> UserRow:
    """Return the account that signs in with a login; raises ClickException where there is none."""
    row = site.stores.users.find_by_name(login)
    if row is None:
        raise click.ClickException(f'There is no account {login}. "cms user list" shows all of them.')
    return row


def check_commands(site: Site) -> None:
    """Refuse a plugin's command that has the name of one of ours."""
    context = click.get_current_context(silent=True)
    ours = getattr(context.find_root().command, "own", {}) if context else {}
    for plugin, command in site.registry.commands:
        if command.name in ours and command.name not in JOINED:
            hook, message = "register_commands", f"{command.name!r} is already registered by core"
            raise PluginError(plugin, f"{hook}: {message}", hook, site.plugins.place_of(plugin, hook))


pass_instance = click.make_pass_decorator(Instance)
