"""Examining a site: all checks in their order, and the repairs of what they find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cms.context import SiteContext
from cms.db.errors import DATABASE_ERRORS
from cms.doctor import database, files, machine, rows, settings
from cms.doctor.checks import CHECKS, FAULT, FILE, MACHINE, ROWS, Check
from cms.doctor.server import ABOUT_FILES, SERVER_CHECKS, UNREACHABLE

#: Their modules add the checks when they are imported.
SOURCES = (machine, settings, files, database, rows)
UNREADABLE = (*DATABASE_ERRORS, OSError)


@dataclass(frozen=True)
class Finding:
    """Something that is wrong: which check found it, how bad it is, what it is and what to do."""

    check: str
    level: str
    what: str
    advice: str


@dataclass(frozen=True)
class Examination:
    """What was found, and what was repaired of it, in sentences by check; what is repaired isn't found any more."""

    findings: list[Finding]
    repaired: dict[str, str]

    @property
    def has_faults(self) -> bool:
        """Whether there is anything that keeps the site from working or loses something."""
        return any(finding.level == FAULT for finding in self.findings)


def examine(
    site: SiteContext, *, repair: bool = False, parts: Sequence[str] = (MACHINE, FILE, ROWS)
) -> Examination:
    """Run all checks on a site, those of plugins last, and, where asked to, the repairs that are safe; then look again.

    `parts` leaves checks out by what they need. Nothing is raised for what a check can't read: that is a finding.
    """
    findings: list[Finding] = []
    repaired: dict[str, str] = {}
    for needs in parts:
        if needs == ROWS and _is_hopeless(findings):
            break
        for each in checks_of(site):
            if each.needs == needs:
                findings += _run(each, site, repaired if repair else None, UNREADABLE)
            if findings and findings[-1].check == UNREACHABLE:
                return Examination(findings, repaired)
    if not _is_hopeless(findings):
        for each in site.registry.checks:
            findings += _run(each, site, repaired if repair else None, Exception)
    return Examination(findings, repaired)


def checks_of(site: SiteContext) -> list[Check]:
    """Return the core's checks for a site: on a server, the server's in the place of those of a file."""
    if not site.config.server:
        return list(CHECKS.values())
    found = {name: each for name, each in CHECKS.items() if name not in ABOUT_FILES}
    return list({**SERVER_CHECKS, **found, **SERVER_CHECKS}.values())


def _is_hopeless(findings: list[Finding]) -> bool:
    """Tell whether the database itself has faults, so that its rows can't be judged."""
    return any(finding.level == FAULT and _needs(finding.check) == FILE for finding in findings)


def _needs(name: str) -> str:
    return (CHECKS.get(name) or SERVER_CHECKS[name]).needs


def _run(
    check: Check,
    site: SiteContext,
    repaired: dict[str, str] | None,
    unreadable: type[Exception] | tuple[type[Exception], ...],
) -> list[Finding]:
    """Look, and repair where `repaired` is given; `unreadable` is what may be raised where it can't be looked at."""
    try:
        found = list(check.look(site))
        if found and check.repair and repaired is not None:
            repaired[check.name] = check.repair(site)
            found = list(check.look(site))
    except unreadable as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        return [Finding(check.name, FAULT, f"This can't be looked at: {reason}.", check.advice)]
    return [Finding(check.name, check.level, what, check.advice) for what in found]
