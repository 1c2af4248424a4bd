"""Trying a mutant: a forked process imports it in place of its module and runs the tests; no file is changed."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util
import os
import signal
import sys
import time
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pytest
from mutants_made import Mutant
from mutants_subjects import Subject

#: What tests and product import of others, so that each process needn't.
PRELOADED = (
    "flask",
    "marshmallow",
    "peewee",
    "pluggy",
    "PIL.Image",
    "nh3",
    "argon2",
    "babel",
    "gunicorn",
    "yaml",
    "defusedxml",
    "rich",
    "zxcvbn",
)
KILLED, SURVIVED, TIMED_OUT = "killed", "survived", "timed out"


class Replaced(importlib.abc.MetaPathFinder, importlib.abc.SourceLoader):
    """Finds and loads one module from a text; no bytecode of it is written."""

    def __init__(self, root: Path, mutant: Mutant) -> None:
        self._path, self._source = str(root / mutant.module), mutant.source
        self._name = mutant.module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find this module alone."""
        if fullname != self._name:
            return None
        return importlib.util.spec_from_file_location(fullname, self._path, loader=self)

    def get_filename(self, fullname: str) -> str:
        """Return where the module stands."""
        return self._path

    def get_data(self, path: str | bytes | os.PathLike[str]) -> bytes:
        """Return the text."""
        return self._source.encode()


def preload() -> None:
    """Import what all the processes need."""
    for name in PRELOADED:
        importlib.import_module(name)


def run(root: Path, subject: Subject, mutant: Mutant | None, seconds: float) -> str:
    """Run the tests of a subject; return whether they killed the mutant. Without one they have to pass."""
    child = os.fork()
    if not child:
        _run_tests(root, subject, mutant)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return SURVIVED if os.waitstatus_to_exitcode(status) == 0 else KILLED
        time.sleep(0.1)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return TIMED_OUT


def _run_tests(root: Path, subject: Subject, mutant: Mutant | None) -> None:
    """Become the process that runs the tests; what they write is of interest where they fail without a mutant."""
    os.setsid()
    os.dup2(2, 1)
    if mutant:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        sys.meta_path.insert(0, Replaced(root, mutant))
    os.chdir(root)
    # In place of bench/, whose transfer.py would be imported for the folder tests/transfer.
    sys.path[0] = str(root)
    options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "addopts=", "--assert=plain"]
    chosen = ["-m", "not long and not npm", "-k", subject.chosen]
    code = 1
    try:
        code = pytest.main([*options, *chosen, *subject.tests])
    finally:
        sys.stdout.flush()
        os._exit(int(code))
