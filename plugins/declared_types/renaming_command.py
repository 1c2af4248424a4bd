"""`cms types rename`: another name for a type, a taxonomy or a field, without losing what is stored."""

from __future__ import annotations

from pathlib import Path

import click

from cms.plugin import Config, json_option, pass_config, print_json

from .declarations import Declarations, TypeDeclaration
from .files import read_texts, rename_field
from .reading import Named, read_folder
from .renaming import rename_in_files
from .source import read_file

WHAT = "TYPE[.FIELD]"


@click.command()
@click.argument("what", metavar=WHAT)
@click.argument("name")
@json_option
@pass_config
def rename(config: Config, what: str, name: str, as_json: bool) -> None:
    """Give a type, a taxonomy or a field another NAME in the files; nothing that is stored is lost.

    The key keeps the old name. Values of a field stay where they are and show under the new name; items and terms are
    moved when the site is started anew, with what leads to them. Going back loses nothing either.
    \f
    Raises ClickException, with the files as they were, where the name can't be.
    """
    declarations = read_folder(config.instance)
    if declarations.faults:
        raise click.ClickException(str(declarations.faults[0]))
    own: list[Named] = [*declarations.own_types(), *declarations.taxonomies]
    for each in own:
        if each.name == what:
            _rename_all(config, each, name, as_json)
            return
    path, index, key = _find_field(declarations, what)
    _rename(config, path, index, key, name)
    _print_renamed(str(path), key, name, as_json)


def _find_field(declarations: Declarations, what: str) -> tuple[Path, int, str]:
    """Return the file of a field, its place there and its key; raises ClickException where there is none."""
    type_name, _dot, name = what.partition(".")
    everything: list[Named] = [*declarations.types, *declarations.taxonomies]
    for declared in everything:
        resource = declared.resource if isinstance(declared, TypeDeclaration) else declared.name
        for index, field in enumerate(declared.fields):
            if (resource, field.name) == (type_name, name):
                return declared.path, index, field.key
    if name:
        raise click.ClickException(
            f'There is no field "{what}". Name it as TYPE.FIELD, such as recipe.serves.'
        )
    raise click.ClickException(
        f'No file declares "{what}". Name a type, a taxonomy, or a field as TYPE.FIELD.'
    )


def _rename_all(config: Config, declared: Named, name: str, as_json: bool) -> None:
    """Rename a type or taxonomy; raises ClickException, with all files as they were, where the name can't be."""
    before = read_texts(config.instance)
    changed = rename_in_files(config.instance, declared, name)
    faults = read_folder(config.instance).faults
    if faults:
        for path in changed:
            path.write_text(before[path.name], encoding="utf-8")
        raise click.ClickException(f"The files stay as they were: {faults[0].text}")
    if as_json:
        print_json({"files": list(map(str, changed)), "name": name, "key": declared.key})
        return
    for path in changed:
        click.echo(str(path))
    click.echo(f"{declared.name} is called {name} now. Start the site anew: that moves what is stored.")


def _rename(config: Config, path: Path, index: int, key: str, name: str) -> None:
    """Rename a field in its file; raises ClickException, with the file as it was, where the name can't be."""
    text = path.read_text(encoding="utf-8")
    rename_field(read_file(path), index, key, name)
    faults = read_folder(config.instance).faults
    if faults:
        path.write_text(text, encoding="utf-8")
        raise click.ClickException(f"The file stays as it was: {faults[0].text}")


def _print_renamed(path: str, key: str, name: str, as_json: bool) -> None:
    if as_json:
        print_json({"file": path, "name": name, "key": key})
    else:
        click.echo(f'{path}: the field is called {name} now; its values lie under "{key}" as before.')
