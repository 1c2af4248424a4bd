"""Where in a plugin's code something is: its file and line, as messages tell them."""

from __future__ import annotations

import inspect
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from traceback import walk_tb

#: The folder of the core's own code, that of Python's, and those of installed packages, which may lie in the latter.
CORE = Path(__file__).parents[1]
PYTHON = Path(sysconfig.get_path("stdlib"))
PACKAGES = ("site-packages", "dist-packages")


def place_of(thing: object) -> str:
    """Return where a function or module is defined; empty where that can't be told."""
    function = inspect.unwrap(thing) if callable(thing) else thing
    code = getattr(function, "__code__", None)
    if code is not None:
        return describe_place(code.co_filename, code.co_firstlineno)
    file = getattr(thing, "__file__", None)
    return describe_place(file, 1) if file else ""


def place_of_error(error: BaseException) -> str:
    """Return the deepest line of a plugin's own code that an error passed through; empty where there is none.

    The plugin's code is the package of the first frame that isn't ours or Python's.
    """
    if isinstance(error, SyntaxError) and error.filename:
        return describe_place(error.filename, error.lineno or 1)
    found = ""
    package: Path | None = None
    for file, line in frames_of(error):
        if package is None and not _is_foreign(file):
            package = package_of(Path(file))
        if package is not None and Path(file).is_relative_to(package):
            found = describe_place(file, line)
    return found


def frames_of(error: BaseException) -> Iterator[tuple[str, int]]:
    """Yield the files and lines that an error passed through, the outermost first."""
    for frame, line in walk_tb(error.__traceback__):
        yield frame.f_code.co_filename, line


def package_of(file: Path) -> Path:
    """Return the folder of the whole package that a file is part of, or the file where it is a module by itself."""
    package = file
    while (package.parent / "__init__.py").exists():
        package = package.parent
    return package


def describe_place(file: str, line: int) -> str:
    """Return a place as messages have it."""
    return f"{file}, line {line}"


def _is_foreign(file: str) -> bool:
    path = Path(file)
    is_python = path.is_relative_to(PYTHON) and not any(name in path.parts for name in PACKAGES)
    return file.startswith("<") or path.is_relative_to(CORE) or is_python
