"""Where plugins come from: named in the configuration, installed packages, files in the instance folder."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import pkgutil
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

from cms.config import Config

GROUP = "cms.plugins"
#: The package of the bundled plugins; in a checkout its files lie in the folder `plugins`.
BUNDLED = "cms_plugins"
FOLDER = "plugins"
#: Bundled plugins that are loaded where the instance has the folder whose files they read.
BROUGHT_BY = {"declared_types": "types"}


@dataclass(frozen=True)
class Candidate:
    """A plugin that was found and isn't imported yet; `version` is its distribution's, where it has one."""

    name: str
    source: str
    location: str
    load: Callable[[], object]
    version: str = ""


def find_plugins(config: Config) -> list[Candidate]:
    """Return all plugins of a site, in the order in which they are loaded; a name may occur twice."""
    installed = list(_installed())
    known = {candidate.name for candidate in installed}
    named = [_named(name) for name in _names(config) if name not in known]
    return [*named, *installed, *_of_instance(config.instance / FOLDER)]


def _names(config: Config) -> list[str]:
    """Return the plugins that are named, after the bundled ones that something in the instance folder is for."""
    brought = [plugin for plugin, folder in BROUGHT_BY.items() if (config.instance / folder).is_dir()]
    return list(dict.fromkeys((*brought, *config["plugins"])))


def _named(name: str) -> Candidate:
    bundled = f"{BUNDLED}.{name}"
    if name.isidentifier() and _exists(bundled):
        return Candidate(name, "bundled", bundled, lambda: importlib.import_module(bundled))
    return Candidate(name, "module", name, lambda: importlib.import_module(name))


def _exists(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def _installed() -> Iterator[Candidate]:
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        package, version = (point.dist.name, point.dist.version) if point.dist else ("", "")
        yield Candidate(point.name, "installed", package, point.load, version)


def list_bundled() -> list[str]:
    """Return the names of the bundled plugins."""
    package = importlib.util.find_spec(BUNDLED)
    folders = package.submodule_search_locations if package else ()
    return sorted(module.name for module in pkgutil.iter_modules(folders))


def list_installed() -> list[str]:
    """Return the names of the installed plugins."""
    return [point.name for point in entry_points(group=GROUP)]


def list_misnamed(config: Config) -> Iterator[tuple[Path, str]]:
    """Yield what lies among the plugins of a site and looks like one, with what keeps it from being one."""
    folder = config.instance / FOLDER
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.name.startswith(("_", ".")):
            continue
        is_folder = path.is_dir() and any(path.glob("*.py"))
        if (path.suffix == ".py" or is_folder) and not path.stem.isidentifier():
            name = re.sub(r"\W", "_", path.stem)
            if not name.isidentifier():
                name = f"plugin_{name}"
            yield path, f"rename it to {name}{path.suffix}"
        elif is_folder and not (path / "__init__.py").exists():
            yield path, "it has no __init__.py"


def _of_instance(folder: Path) -> Iterator[Candidate]:
    """Find the modules and packages that lie in a site's own folder; names with a mark in front are left out."""
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        package = path / "__init__.py"
        if (
            path.stem.isidentifier()
            and not path.name.startswith("_")
            and (path.suffix == ".py" or package.exists())
        ):
            yield Candidate(path.stem, "instance", str(path), _loader(path))


def _loader(path: Path) -> Callable[[], ModuleType]:
    """Return what imports a file or package under a name that no other site's has, anew for each site."""
    digest = hashlib.blake2b(str(path.parent.resolve()).encode(), digest_size=6).hexdigest()
    name = f"cms_instance_{digest}_{path.stem}"
    is_package = path.is_dir()

    def load() -> ModuleType:
        for known in list(sys.modules):
            if known == name or known.startswith(f"{name}."):
                del sys.modules[known]
        spec = importlib.util.spec_from_file_location(
            name,
            path / "__init__.py" if is_package else path,
            submodule_search_locations=[str(path)] if is_package else None,
        )
        return _execute(spec)

    return load


def _execute(spec: ModuleSpec | None) -> ModuleType:
    if spec is None or spec.loader is None:
        raise ImportError("this file can't be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[spec.name]
        raise
    return module
