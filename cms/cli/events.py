"""`cms events`: what plugins are still to be told."""

from __future__ import annotations

from collections.abc import Mapping

import click

from cms.cli.faults import Commands
from cms.cli.instance import Instance, pass_instance
from cms.plugin.output import json_option, print_json, print_table

COLUMNS = ("Event", "What", "Item", "Plugin", "Target", "State", "Tries", "Next try", "Last error")
every_option = click.option("--all", "every", is_flag=True, help="All of them.")
plugin_option = click.option("--plugin", help="Only those for this plugin.")
ids_argument = click.argument("ids", type=int, nargs=-1)


@click.group(cls=Commands, invoke_without_command=True)
@json_option
@click.pass_context
def events(context: click.Context, as_json: bool) -> None:
    """List the events that plugins haven't taken yet.

    An event waits for its first try, has failed and waits for its next one, or was set aside after the last. What a
    plugin delivers to targets is listed for each target that hasn't taken it. What was taken isn't listed. Dates are
    in GMT.
    """
    if context.invoked_subcommand is not None:
        return
    with context.ensure_object(Instance).ready() as site:
        found = site.outbox.waiting()
    if as_json:
        print_json(found)
        return
    print_table(COLUMNS, map(_cells, found))


@events.command()
@ids_argument
@every_option
@plugin_option
@json_option
@pass_instance
def retry(instance: Instance, ids: tuple[int, ...], every: bool, plugin: str | None, as_json: bool) -> None:
    """Have the events with these IDS tried again at once, whether they wait or were set aside."""
    _require_choice(ids, every)
    with instance.ready() as site:
        number = site.outbox.retry(ids, plugin)
    _report("retried", number, ids, as_json)


@events.command()
@ids_argument
@every_option
@plugin_option
@json_option
@pass_instance
def drop(instance: Instance, ids: tuple[int, ...], every: bool, plugin: str | None, as_json: bool) -> None:
    """Remove the events with these IDS; plugins that haven't taken them never will."""
    _require_choice(ids, every)
    with instance.ready() as site:
        number = site.outbox.drop(ids, plugin)
    _report("dropped", number, ids, as_json)


def _require_choice(ids: tuple[int, ...], every: bool) -> None:
    if bool(ids) == every:
        raise click.UsageError("Name events by their numbers, or all of them with --all.")


def _report(done: str, number: int, ids: tuple[int, ...], as_json: bool) -> None:
    if ids and not number:
        raise click.ClickException('There are no such events. "cms events" shows all of them.')
    if as_json:
        print_json({done: number})
        return
    click.echo(f"{done.capitalize()}: {number} event(s).")


def _cells(found: Mapping[str, object]) -> tuple[object, ...]:
    return (
        found["event"],
        found["name"],
        found["item"],
        found["plugin"],
        found["target"] or "-",
        found["state"],
        found["tries"],
        found["due_gmt"] or "-",
        found["error"] or "-",
    )
