"""`cms serve`: makes the application once and runs gunicorn with it in this same process."""

from __future__ import annotations

import errno
import gc
import os
import re
import socket
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from gunicorn.app.wsgiapp import WSGIApplication

from cms.app import create_app
from cms.assembly import without_collecting
from cms.cli.faults import WrongUse
from cms.cli.instance import Instance, check_commands, pass_instance
from cms.config import SETTINGS

DEFAULT_URL = next(setting.default for setting in SETTINGS if setting.name == "url")
#: What each kind of worker serves, as gunicorn and its processes are named for it.
ASGI = "asgi"
APPLICATIONS = {"gthread": "cms:create_app()", ASGI: "cms.asgi.entry:app"}
#: The classes of both kinds, which are made of gunicorn's own.
CLASSES = {"gthread": "cms.cli.threads.ThreadWorker", ASGI: "cms.asgi.worker.Worker"}
EVERYWHERE = ("0.0.0.0", "[::]", "")  # noqa: S104 (recognised, not bound to)


@click.command()
@click.option(
    "--bind",
    default="127.0.0.1:8000",
    show_default=True,
    metavar="HOST:PORT",
    help="Where to listen: an address with a port, or unix:PATH for a socket file.",
)
@click.option(
    "--worker",
    type=click.Choice(list(APPLICATIONS)),
    help="The kind of gunicorn's worker, in place of the setting.",
)
@pass_instance
def serve(instance: Instance, bind: str, worker: str | None) -> None:
    """Serve the site until you press Ctrl-C.

    For a public site put a web server such as nginx in front, which speaks HTTPS, and set "url" in config.toml to
    the address that visitors use, and "trusted_proxies" to the proxy's own. WEB_CONCURRENCY sets the number of worker
    processes, the setting "threads" how many requests each works on at once.
    """
    instance.require_site()
    config = instance.config()
    check_bind(bind)
    environ = dict(instance.environ)
    if config["url"] == DEFAULT_URL:
        environ["CMS_URL"] = url_of(bind)
    environ["CMS_THREADS"] = str(config["threads"])
    run_gunicorn(bind, worker or config["worker"], environ)


def run_gunicorn(bind: str, worker: str, environ: Mapping[str, str]) -> None:
    """Serve the site that an environment names until gunicorn ends the process.

    Raises ConfigError, PluginError or PendingMigrations where it can't be served.
    """
    os.environ.update(environ)
    with without_collecting():
        application = build_application(worker)
        # Nearly all of it stays as long as the process does: no look for garbage need go through it.
        gc.freeze()
    sys.stdout.flush()
    # What gunicorn starts when it is told to replace itself (USR2): this command as it was called.
    sys.argv = sys.orig_argv[1:]
    Server(application, bind, worker).run()


def build_application(worker: str) -> Any:
    """Make what a kind of worker serves; raises ConfigError, PluginError or PendingMigrations."""
    application = create_app()
    check_commands(application.extensions["cms"])
    if worker != ASGI:
        return application
    from cms.asgi.bridge import Bridge
    from cms.asgi.cached_answers import cached_answers_of

    return Bridge(application, cached_answers_of(application))


class Server(WSGIApplication):  # type: ignore[misc]  # gunicorn has no types
    """Gunicorn with an application that is made already."""

    def __init__(self, application: Any, bind: str, worker: str) -> None:
        self._application = application
        name = CLASSES[worker]
        settings = ["--config", "python:cms.cli.serving", "--bind", bind, "--worker-class", name]
        self._arguments = ["gunicorn", *settings, APPLICATIONS[worker]]
        super().__init__("%(prog)s [OPTIONS]", prog="gunicorn")

    def load_config(self) -> None:
        """Read the settings as if gunicorn had been called with them, at the start and when it reloads."""
        called, sys.argv = sys.argv, self._arguments
        try:
            super().load_config()
        finally:
            sys.argv = called

    def load_wsgiapp(self) -> Any:
        """Return the application."""
        return self._application


def check_bind(bind: str) -> None:
    """Refuse what nothing can listen at, and what another program listens at."""
    if "GUNICORN_FD" in os.environ:
        return  # the process that this one replaces listens there, and hands its socket on
    if bind.startswith("unix:"):
        if not Path(bind.removeprefix("unix:")).parent.is_dir():
            raise click.ClickException(
                f"There is no folder for the socket file {bind.removeprefix('unix:')}."
            )
        return
    host, colon, port = bind.rpartition(":")
    if not colon or not re.fullmatch(r"\d{1,5}", port, re.ASCII) or not 0 < int(port) < 65_536:
        raise WrongUse(
            f"--bind can't be {bind!r}. It takes HOST:PORT with a port from 1 to 65535, or unix:PATH."
        )
    host = host.strip("[]") or "0.0.0.0"  # noqa: S104 (as gunicorn has it)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, int(port)))
    except OSError as error:
        raise click.ClickException(_cant_listen(bind, int(port), error)) from None


def _cant_listen(bind: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        other = f"{bind.rpartition(':')[0]}:{port + 1}" if port < 65_535 else "127.0.0.1:8001"
        return f"Another program listens at {bind}. Stop it, or choose another port, such as --bind {other}"
    if error.errno == errno.EACCES:
        return f"You may not listen at {bind}. Ports below 1024 are the system's: choose a higher one with --bind."
    return f"Nothing can listen at {bind}: {error.strerror}. Choose an address of this host with --bind."


def url_of(bind: str) -> str:
    """Return the address of a site that listens here, for one whose settings don't tell it."""
    host, colon, port = bind.rpartition(":")
    if not colon or not port.isdigit():
        return str(DEFAULT_URL)
    return f"http://{'127.0.0.1' if host in EVERYWHERE else host}:{port}"
