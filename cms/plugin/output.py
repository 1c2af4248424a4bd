"""What commands print: tables for people, JSON for programs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click
import orjson

#: Wide enough that nothing is cut where no terminal sets a width.
UNBOUNDED = 10_000

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")


def print_json(value: object, *, err: bool = False) -> None:
    """Print a value as JSON, on standard error where standard output carries something else."""
    click.echo(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode(), err=err)


@contextmanager
def progress_bar() -> Iterator[Callable[[str, int, int | None], None] | None]:
    """Give a function that shows stages as bars on standard error; None where nobody watches.

    It is told a stage, what is done of it and, where that is known, how much there is in all.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, Any] = {}

        def advance(stage: str, done: int, total: int | None) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage.capitalize(), total=total)
            bars.update(tasks[stage], completed=done, total=total)

        yield advance


def printable(text: str) -> str:
    """Return a text without the characters that would command a terminal."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str | None = None, err: bool = False
) -> None:
    """Print rows under headings, on standard error where asked to; columns of numbers stand to the right."""
    # A site that is served prints none, and would have the library loaded all the same.
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    found = [[cell if isinstance(cell, int) else str(cell) for cell in row] for row in rows]
    table = Table(box=SIMPLE_HEAD, title=title, title_justify="left", pad_edge=False)
    for index, heading in enumerate(columns):
        numbers = bool(found) and all(isinstance(row[index], int) for row in found)
        table.add_column(heading, justify="right" if numbers else "left", overflow="fold")
    for row in found:
        table.add_row(*(Text(printable(str(cell))) for cell in row))
    console = Console(highlight=False, stderr=err)
    if not (sys.stderr if err else sys.stdout).isatty():
        console.width = UNBOUNDED
    console.print(table)
