"""`cms work`: does the site's timed work."""

from __future__ import annotations

import signal

import click

from cms.cli.instance import Instance, pass_instance
from cms.plugin.output import json_option, print_json


@click.command()
@click.option("--once", is_flag=True, help="Do what is due and end, for cron.")
@json_option
@pass_instance
def work(instance: Instance, once: bool, as_json: bool) -> None:
    """Do what a site does by the clock: deliver events to plugins, tell of scheduled publications, plugins' own jobs.

    Processes that serve the site do this by themselves, one at a time, unless the setting "background" is false. This
    command takes its turn with them: while another process does the work it waits, or with --once does nothing.
    --json tells, with --once, which jobs were run.
    """
    with instance.ready() as site:
        site.start(background=False)
        if not once:

            def stop(*_details: object) -> None:
                site.worker.request_stop()

            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, stop)
            click.echo("Doing the timed work of this site. End with Ctrl-C.")
            site.worker.run()
            return
        done = site.worker.run_due()
        site.backups.wait()
    if as_json:
        print_json({"working": done is not None, "jobs": done or []})
    elif done is None:
        click.echo("Another process does the work of this site.")
    else:
        click.echo(f"Did {', '.join(done) or 'nothing: nothing was due'}.")
