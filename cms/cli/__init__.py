"""The `cms` command: one module per subject, put together here."""

from __future__ import annotations

from pathlib import Path

import click

from cms.cli.addresses import url
from cms.cli.events import events
from cms.cli.exports import export_file
from cms.cli.extension import SiteCommands
from cms.cli.imports import import_file
from cms.cli.init import init
from cms.cli.instance import Instance
from cms.cli.media import media
from cms.cli.migrate import migrate
from cms.cli.plugin import plugin
from cms.cli.plugins import plugins
from cms.cli.routes import routes
from cms.cli.serve import serve
from cms.cli.token import token
from cms.cli.users import user
from cms.cli.work import work
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
    context.obj = Instance(instance.absolute())


for command in (
    init,
    serve,
    migrate,
    user,
    token,
    import_file,
    export_file,
    media,
    url,
    routes,
    plugins,
    plugin,
    events,
    work,
):
    main.add_command(command)

__all__ = ["main"]
