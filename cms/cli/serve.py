"""`cms serve`: hands over to gunicorn."""

from __future__ import annotations

import os
import sys

import click

from cms.cli.instance import Instance, pass_instance
from cms.config import SETTINGS

DEFAULT_URL = next(setting.default for setting in SETTINGS if setting.name == "url")
APPLICATION = "cms:create_app()"
EVERYWHERE = ("0.0.0.0", "[::]", "")  # noqa: S104 (recognised, not bound to)


@click.command()
@click.option(
    "--bind",
    default="127.0.0.1:8000",
    show_default=True,
    metavar="HOST:PORT",
    help="Where to listen: an address with a port, or unix:PATH for a socket file.",
)
@pass_instance
def serve(instance: Instance, bind: str) -> None:
    """Serve the site until you press Ctrl-C.

    For a public site put a web server such as nginx in front, which speaks HTTPS, and set "url" in config.toml to
    the address that visitors use, and "trusted_proxies" to the proxy's own. WEB_CONCURRENCY sets the number of worker
    processes.
    """
    with instance.ready() as site:
        url = site.config["url"]
    environ = dict(instance.environ)
    if url == DEFAULT_URL:
        environ["CMS_URL"] = url_of(bind)
    sys.stdout.flush()
    os.execve(sys.executable, gunicorn(bind), environ)  # noqa: S606 (our own interpreter)


def gunicorn(bind: str) -> list[str]:
    """Return the command line that serves the site."""
    return [
        sys.executable,
        "-m",
        "gunicorn",
        "--config",
        "python:cms.cli.serving",
        "--bind",
        bind,
        APPLICATION,
    ]


def url_of(bind: str) -> str:
    """Return the address of a site that listens here, for one whose settings don't tell it."""
    host, colon, port = bind.rpartition(":")
    if not colon or not port.isdigit():
        return str(DEFAULT_URL)
    return f"http://{'127.0.0.1' if host in EVERYWHERE else host}:{port}"
