"""The `cms` command: one module per subject, put together here."""

from __future__ import annotations

from pathlib import Path

import click

from cms.cli.extension import Own, SiteCommands
from cms.version import __version__


@click.group(
    cls=SiteCommands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="cms")
@click.option(
    "--instance",
    type=click.Path(file_okay=False, path_type=Path),
    default="instance",
    show_default=True,
    metavar="DIR",
    is_eager=True,
    envvar="CMS_INSTANCE",
    show_envvar=True,
    help="The folder with the site's database and its settings in config.toml.",
)
@click.option("--debug", is_flag=True, help="Show the whole traceback of what goes wrong.")
@click.pass_context
def main(context: click.Context, instance: Path, debug: bool) -> None:
    """Set up a site, serve it, and look after its content and accounts.

    A site lives in one folder. Start with "cms init", which makes its database and an administrator, then
    "cms serve". Every command explains itself with --help.
    """
    from cms.cli.instance import Instance

    context.obj = Instance(instance.absolute())


SiteCommands.own = {
    "init": Own("init", "init", "Make a new site: its folder, its database and an administrator."),
    "serve": Own("serve", "serve", "Serve the site until you press Ctrl-C."),
    "migrate": Own(
        "migrate", "migrate", "Bring the database up to date with the installed version and its plugins."
    ),
    "user": Own("users", "user", "Add and list accounts, set their passwords and roles."),
    "token": Own(
        "token", "token", "Make, list and revoke tokens, which programs sign in with instead of a password."
    ),
    "backup": Own(
        "backup", "backup", "Back the site up, list backups, verify one; the site may be served meanwhile."
    ),
    "restore": Own("restore", "restore", "Give the site the state of a backup, also while it is served."),
    "upgrade": Own(
        "upgrade", "upgrade", "Bring the site to the installed version: backup, migration of a copy, check."
    ),
    "doctor": Own("doctor", "doctor", "Look through the site, say what is wrong, and repair what is safe."),
    "import": Own("imports", "import_file", "Bring in an export of another site in the WordPress format."),
    "export": Own("exports", "export_file", "Write the site to a file in the WordPress format."),
    "copy": Own("copy", "copy", "Bring the whole site into another database: PostgreSQL, or a file."),
    "media": Own(
        "media", "media", "Make renditions anew, move files to another storage, remove what nothing needs."
    ),
    "search": Own("search", "search", "Make the indexes for search anew."),
    "url": Own("addresses", "url", "Rewrite addresses in texts, when a site has moved."),
    "types": Own(
        "types",
        "types",
        "Print what the site declares as types, for programs; plugins add commands of their own.",
    ),
    "routes": Own("routes", "routes", "List the site's routes: methods, addresses, who may call them."),
    "plugins": Own("plugins", "plugins", "List the plugins that are loaded, and what is wrong with others."),
    "plugin": Own("plugin", "plugin", "Begin a plugin of your own."),
    "events": Own("events", "events", "List the events that plugins haven't taken yet."),
    "unit": Own("deploy", "unit", "Print a systemd service for the site."),
    "nginx": Own("deploy", "nginx", "Print a server block for nginx."),
    "work": Own("work", "work", "Do what a site does by the clock."),
}

__all__ = ["main"]
