"""`cms plugin`: begins a plugin."""

from __future__ import annotations

import re
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from string import Template

import click

from cms.cli.faults import Commands
from cms.hooks import CORE
from cms.hooks.markers import API_VERSION
from cms.hooks.sources import list_bundled, list_installed
from cms.plugin.output import json_option, print_json
from cms.version import __version__

#: Files of a new plugin, by the template that they are made from.
MADE = {
    "pyproject.toml.txt": "pyproject.toml",
    "README.md.txt": "README.md",
    "plugin.py.txt": "cms_$name/__init__.py",
    "id_ID.po.txt": "cms_$name/locales/id_ID/LC_MESSAGES/cms.po",
    "test_plugin.py.txt": "tests/test_$name.py",
}


@click.group(cls=Commands)
def plugin() -> None:
    """Begin a plugin of your own."""


@plugin.command()
@click.argument("name")
@click.option(
    "--into",
    type=click.Path(file_okay=False, path_type=Path),
    default=".",
    metavar="DIR",
    help="The folder that the plugin's own folder is made in. Default: the present one.",
)
@json_option
def new(name: str, into: Path, as_json: bool) -> None:
    """Write a package that is a plugin called NAME: hooks, texts, tests, README; its tests pass as it is.

    NAME has lower-case letters, digits and underscores, such as reading_time.
    """
    folder = _choose_folder(name, into)
    written = _write(folder, name)
    if as_json:
        print_json({"folder": str(folder), "files": written})
        return
    click.echo(f"Wrote {len(written)} files into {folder}. To try it:")
    click.echo(f"  cd {folder} && pip install -e '.[dev]' && pytest")
    click.echo('Installed beside a site, it is loaded by itself; "cms plugins" lists it.')


def _choose_folder(name: str, into: Path) -> Path:
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or len(name) > 40:
        raise click.ClickException(
            f"{name!r} can't be a plugin's name: take lower-case letters, digits and _."
        )
    if name in (CORE, *list_bundled(), *list_installed()) or find_spec(f"cms_{name}"):
        raise click.ClickException(
            f"There is a plugin or package called {name} already. Choose another name."
        )
    folder = into / f"cms-{name.replace('_', '-')}"
    if folder.exists():
        raise click.ClickException(
            f"{folder} is there already. Choose another name, or another folder with --into."
        )
    return folder


def _write(folder: Path, name: str) -> list[str]:
    words = {
        "name": name,
        "dashed": name.replace("_", "-"),
        "title": name.replace("_", " ").capitalize(),
        "version": __version__,
        "api": str(API_VERSION),
    }
    templates = files("cms.cli") / "scaffold"
    for template, target in MADE.items():
        path = folder / Template(target).substitute(words)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = (templates / template).read_text(encoding="utf-8")
        path.write_text(Template(text).substitute(words), encoding="utf-8")
    return [Template(target).substitute(words) for target in MADE.values()]
