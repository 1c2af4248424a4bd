"""What few plugins use and takes long to import: it is imported when somebody asks `cms.plugin` for it."""

from importlib import import_module

#: The names by the module that each is taken from.
LATER = {
    "cms.net.client": ("Client", "Failed"),
    "cms.net.hosts": ("Refused",),
    "cms.transfer.importing.context": ("ImportContext",),
    "cms.transfer.importing.items": ("write_item",),
    "cms.transfer.importing.terms": ("find_term", "term_slug"),
    "cms.transfer.wxr.reader": ("read_export",),
    "cms.transfer.wxr.records": ("ItemRecord", "TermRecord"),
}


def import_later(name: str) -> object:
    """Return what a name stands for; raises AttributeError where it is none of these."""
    for module, names in LATER.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module 'cms.plugin' has no attribute {name!r}")
