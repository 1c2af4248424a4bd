"""`cms events`: what plugins are still to be told."""

from __future__ import annotations

from collections.abc import Callable

import click

from cms.background.outbox import Outbox
from cms.cli.faults import Commands
from cms.cli.instance import Instance, pass_instance
from cms.plugin.output import json_option, print_json, print_table

COLUMNS = ("Event", "What", "Item", "Plugin", "State", "Tries", "Next try", "Last error")
every_option = click.option("--all", "every", is_flag=True, help="All of them.")
plugin_option = click.option("--plugin", help="Only those for this plugin.")
ids_argument = click.argument("ids", type=int, nargs=-1)


@click.group(cls=Commands, invoke_without_command=True)
@json_option
@click.pass_context
def events(context: click.Context, as_json: bool) -> None:
    """List the events that plugins haven't taken yet.

    An event waits for its first try, has failed and waits for its next one, or was set aside after the last. One that
    all plugins have taken isn't kept. Dates are in GMT.
    """
    if context.invoked_subcommand is not None:
        return
    with context.ensure_object(Instance).ready() as site:
        found = site.outbox.waiting()
    if as_json:
        print_json(found)
        return
    print_table(
        COLUMNS,
        [
            (
                f["event"],
                f["name"],
                f["item"],
                f["plugin"],
                f["state"],
                f["tries"],
                f["due_gmt"] or "-",
                f["error"] or "-",
            )
            for f in found
        ],
    )


@events.command()
@ids_argument
@every_option
@plugin_option
@json_option
@pass_instance
def retry(instance: Instance, ids: tuple[int, ...], every: bool, plugin: str | None, as_json: bool) -> None:
    """Have the events with these IDS tried again at once, whether they wait or were set aside."""
    _change(instance, ids, every, as_json, "retried", lambda outbox: outbox.retry(ids, plugin))


@events.command()
@ids_argument
@every_option
@plugin_option
@json_option
@pass_instance
def drop(instance: Instance, ids: tuple[int, ...], every: bool, plugin: str | None, as_json: bool) -> None:
    """Remove the events with these IDS; plugins that haven't taken them never will."""
    _change(instance, ids, every, as_json, "dropped", lambda outbox: outbox.drop(ids, plugin))


def _change(
    instance: Instance,
    ids: tuple[int, ...],
    every: bool,
    as_json: bool,
    done: str,
    change: Callable[[Outbox], int],
) -> None:
    if bool(ids) == every:
        raise click.UsageError("Name events by their numbers, or all of them with --all.")
    with instance.ready() as site:
        number = change(site.outbox)
    if ids and not number:
        raise click.ClickException('There are no such events. "cms events" shows all of them.')
    if as_json:
        print_json({done: number})
        return
    click.echo(f"{done.capitalize()}: {number} event(s).")
