"""`cms doctor`: says what is wrong with a site and what to do, and repairs what is safe to repair."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import asdict

import click

from cms.cli.instance import Instance, pass_instance
from cms.doctor.examination import Examination, Finding, examine
from cms.doctor.rows import reindex as make_indexes
from cms.plugin.output import json_option, print_json, printable


@click.command()
@click.option("--fix", is_flag=True, help="Repair what is safe to repair.")
@click.option("--reindex", is_flag=True, help="Make the indexes for search anew first.")
@json_option
@pass_instance
def doctor(instance: Instance, fix: bool, reindex: bool, as_json: bool) -> None:
    """Look through the site's database, files, settings and machine, and say what is wrong and what to do.

    The site may be served meanwhile: looking keeps no writer waiting, repairing does. This ends with exit code 1 where
    there is a fault.
    """
    with instance.existing() as site:
        done = make_indexes(site.context) if reindex else ""
        found = examine(site.context, repair=fix)
    if done:
        found.repaired.setdefault("search-index", done)
    if as_json:
        findings = [asdict(finding) for finding in found.findings]
        print_json({"findings": findings, "repaired": found.repaired})
    else:
        _tell(found)
    if found.has_faults:
        sys.exit(1)


def _tell(found: Examination) -> None:
    for name, done in found.repaired.items():
        click.echo(printable(f"Repaired {name}: {done}"))
    print_findings(found.findings)
    if not found.findings:
        click.echo("Nothing is wrong with the site.")


def print_findings(findings: Iterable[Finding]) -> None:
    """Say what was found, each with what to do."""
    for finding in findings:
        click.echo(
            printable(f"{finding.level.capitalize()} {finding.check}: {finding.what} {finding.advice}")
        )
