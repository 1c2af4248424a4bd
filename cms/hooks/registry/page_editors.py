"""The editors of plugins for the editing page, one for each type at most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from cms.hooks.registry.names import NameRegistry, listed, registration_error
from cms.schema.content_types import ContentType
from cms.schema.page_editors import PageEditor

HOOK = "register_editors"
#: What the name of a module ends in.
MODULE = ".js"
#: What stands for all types among the names of types.
ALL = "all types"


def collect_editors(names: NameRegistry, types: Mapping[str, ContentType]) -> dict[str, PageEditor]:
    """Return the editor of each type that has one; raises PluginError for what can't be used."""
    chosen: dict[str, PageEditor] = {}
    for plugin, editor in listed(names.plugins, HOOK, PageEditor):
        found = replace(editor, folder=_folder_of(plugin, editor), plugin=plugin)
        for name in editor.types or (ALL,):
            if name not in types and name != ALL:
                message = f"there is no type {name!r}. Types: {', '.join(types)}"
                raise registration_error(plugin, HOOK, message)
            names.claim(plugin, HOOK, "editors", name)
            chosen[name] = found
    usual = chosen.pop(ALL, None)
    if usual is not None:
        for name in types:
            chosen.setdefault(name, usual)
    return chosen


def _folder_of(plugin: str, editor: PageEditor) -> Path:
    """Return the folder of an editor; raises PluginError where it has no such module."""
    if not isinstance(editor.folder, (str, Path)) or not Path(editor.folder).is_dir():
        raise registration_error(plugin, HOOK, f"there is no folder {str(editor.folder)!r}")
    if isinstance(editor.types, str):
        raise registration_error(plugin, HOOK, f"types is {editor.types!r} instead of a list of names")
    folder = Path(editor.folder)
    module = folder / str(editor.module)
    is_inside = module.resolve().is_relative_to(folder.resolve())
    if module.suffix != MODULE or not is_inside or not module.is_file():
        message = f"there is no module {editor.module!r} in {folder}, whose name ends in {MODULE}"
        raise registration_error(plugin, HOOK, message)
    return folder
