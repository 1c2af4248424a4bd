"""`cms url`: leads addresses in texts to where what they name lies now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cms.cli.instance import Instance, pass_instance
from cms.plugin.output import json_option, print_json, print_table, progress_bar

if TYPE_CHECKING:
    from cms.resources.addresses import AddressRewriter


@click.command()
@click.argument("old")
@click.argument("new")
@click.option("--dry-run", is_flag=True, help="Say what would change, and change nothing.")
@json_option
@pass_instance
def url(instance: Instance, old: str, new: str, dry_run: bool, as_json: bool) -> None:
    """Rewrite addresses in texts that begin with OLD so that they begin with NEW.

    Both are addresses of sites, or of folders in them: cms url http://localhost:8000 https://example.org
    They are found in contents, excerpts, comments, descriptions, menus, values of plugins and revisions, by http,
    by https and without a scheme (//localhost:8000). Copy the database first.
    """
    from cms.resources.addresses import rewrite_addresses

    rewriter = _make_rewriter(old, new)
    with instance.ready() as site, progress_bar() as progress:
        changed = rewrite_addresses(site, rewriter, dry_run, progress)
    if as_json:
        print_json({"changed": changed, "addresses": rewriter.count, "dry_run": dry_run})
        return
    print_table(("Where", "Rows"), changed.items())
    outcome = "changed"
    if dry_run:
        outcome = "would change"
    click.echo(f"{rewriter.count} address(es) {outcome}.")


def _make_rewriter(old: str, new: str) -> AddressRewriter:
    from cms.resources.addresses import AddressRewriter, NoAddress

    try:
        return AddressRewriter(old, new)
    except NoAddress as error:
        raise click.UsageError(
            f"{str(error)!r} isn't an address such as https://example.org or https://example.org/blog."
        ) from error
