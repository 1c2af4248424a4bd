"""`cms types`: look at the files of types, delete what no file declares any more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from cms.plugin import (
    Config,
    Site,
    json_option,
    pass_any_site,
    pass_config,
    pass_site,
    print_json,
    print_table,
    progress_bar,
)

from .declarations import Declarations
from .files import differences, read_texts
from .reading import FOLDER, read_folder
from .source import Fault
from .store import remembered_files
from .undeclared import count_misfits, delete_values, find_undeclared


@click.group()
def types() -> None:
    """Look at the files of types, rename what they declare, make files of an export."""


@types.command()
@json_option
@pass_config
def check(config: Config, as_json: bool) -> None:
    """Look through the files of types: name all faults, and how many stored values their fields wouldn't take.

    The exit code is 1 where a file has a fault, 0 otherwise.
    """
    declarations = read_folder(config.instance)
    misfits: list[dict[str, Any]] = []
    if not declarations.faults and declarations.fields_by_resource() and config.database.exists():
        misfits = click.get_current_context().invoke(_misfits, declarations)
    numbers = {"types": len(declarations.types), "taxonomies": len(declarations.taxonomies)}
    if as_json:
        print_json({**numbers, "faults": list(map(_as_dict, declarations.faults)), "misfits": misfits})
    else:
        _print_check(declarations, misfits)
    if declarations.faults:
        raise click.exceptions.Exit(1)


@pass_any_site
def _misfits(site: Site, declarations: Declarations) -> list[dict[str, Any]]:
    found = []
    with progress_bar() as progress:
        for resource in declarations.fields_by_resource():
            for field, number in count_misfits(site, resource, progress).items():
                found.append({"type": resource, "field": field, "values": number})
    return found


def _as_dict(fault: Fault) -> dict[str, object]:
    return {"file": str(fault.path), "line": fault.line, "fault": fault.text}


def _print_check(declarations: Declarations, misfits: list[dict[str, Any]]) -> None:
    for fault in declarations.faults:
        click.echo(str(fault))
    for each in misfits:
        click.echo(
            f"{each['values']} value(s) of {each['type']}.{each['field']} aren't what the field takes. They stay and "
            "are shown as they are until somebody writes them anew."
        )
    if not declarations.faults:
        click.echo(
            f"{len(declarations.types)} type(s), {len(declarations.taxonomies)} taxonomy(s): no faults."
        )


@types.command()
@json_option
@pass_site
def diff(site: Site, as_json: bool) -> None:
    """Show how the files of types differ from those that the site was served with last."""
    found = differences(remembered_files(site.database), read_texts(site.config.instance))
    if as_json:
        print_json(found)
        return
    for lines in found.values():
        for line in lines:
            click.echo(line)
    if not found:
        click.echo("The files are those that the site was served with last.")


@types.command()
@click.option("--force", is_flag=True, help="Replace files that differ.")
@json_option
@pass_site
def pull(site: Site, force: bool, as_json: bool) -> None:
    """Write the files of types that the database remembers: those that the site was served with last."""
    folder, present = site.config.instance / FOLDER, read_texts(site.config.instance)
    changed = {}
    for name, text in remembered_files(site.database).items():
        if present.get(name) != text:
            changed[name] = text
    written, left = _write_files(folder, changed, force)
    if as_json:
        print_json({"written": written, "left": left})
        return
    for name in written:
        click.echo(f"Wrote {folder / name}")
    for name in left:
        click.echo(f"{name} differs and stays as it is; --force replaces it.")


@types.command()
@click.argument("chosen", metavar="[TYPE.KEY]...", nargs=-1)
@click.option("--yes", is_flag=True, help="Delete without asking.")
@json_option
@pass_site
def prune(site: Site, chosen: tuple[str, ...], yes: bool, as_json: bool) -> None:
    """Delete values that no field declares any more, from items and their revisions; nothing else deletes any.

    Without names it lists them all and asks; values of plugins that are off are among them.
    """
    resources = read_folder(site.config.instance).fields_by_resource()
    found = find_undeclared(site, [name for name in resources if name in site.registry.resources])
    wanted = _choose(found, chosen)
    if wanted and not as_json:
        rows = [(resource, key, found[resource, key]) for resource, key in wanted]
        print_table(("Type", "Value", "Items"), rows)
    if wanted and not yes:
        click.confirm("Delete these values for good?", abort=True, err=as_json)
    with site.database.write():
        for resource, key in wanted:
            delete_values(site, resource, key)
    if as_json:
        print_json([_as_value(each, found[each]) for each in wanted])
    else:
        click.echo(f"Deleted: {len(wanted)} value(s).")


def _as_value(value: tuple[str, str], number: int) -> dict[str, object]:
    return {"type": value[0], "value": value[1], "items": number}


def _choose(found: Iterable[tuple[str, str]], chosen: tuple[str, ...]) -> list[tuple[str, str]]:
    named = {f"{resource}.{key}": (resource, key) for resource, key in found}
    if not chosen:
        return sorted(named.values())
    for name in chosen:
        if name not in named:
            there = ", ".join(sorted(named)) or "none"
            raise click.ClickException(f"No item has an undeclared value {name}. Undeclared values: {there}.")
    return [named[name] for name in chosen]


@types.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Replace files that are there.")
@click.option("--print", "only_print", is_flag=True, help="Print the drafts, and write nothing.")
@json_option
@pass_any_site
def suggest(site: Site, file: Path, force: bool, only_print: bool, as_json: bool) -> None:
    """Write drafts of files for the types, taxonomies and values of an export that the site doesn't have.

    Look through them, run "cms migrate", then import the export: its items come in with their values.
    """
    from cms.plugin import read_export  # with all that imports need, which no other command does

    from .drafting import draft_files
    from .surveying import survey

    seen = survey(read_export(file))
    drafts = draft_files(seen, site)
    if only_print:
        _print_drafts(drafts, as_json)
        return
    folder = site.config.instance / FOLDER
    written, left = _write_files(folder, drafts, force)
    if as_json:
        print_json({"written": written, "left": left})
    else:
        _print_suggested(folder, written, left)


def _write_files(folder: Path, files: Mapping[str, str], force: bool) -> tuple[list[str], list[str]]:
    """Write files into a folder; return the names of those, and of those that are there and were left."""
    written, left = [], []
    for name, text in files.items():
        if (folder / name).exists() and not force:
            left.append(name)
            continue
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
        written.append(name)
    return written, left


def _print_drafts(drafts: Mapping[str, str], as_json: bool) -> None:
    if as_json:
        print_json(drafts)
        return
    for name, text in drafts.items():
        click.echo(f"# {name}\n{text}")


def _print_suggested(folder: Path, written: list[str], left: list[str]) -> None:
    for name in written:
        click.echo(f"Wrote {folder / name}")
    for name in left:
        click.echo(f"{name} is there already and stays as it is; --force replaces it.")
    if written:
        click.echo('Look through them, then run "cms types check", "cms migrate" and the import.')
    elif not left:
        click.echo("The export has nothing that the site lacks.")
