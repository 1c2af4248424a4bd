"""German descriptions and messages, and nothing else: the example of a language."""

from __future__ import annotations

from pathlib import Path

from cms.plugin import Locale, hookimpl

__version__ = "1.0"
cms_api = 1

FOLDER = Path(__file__).parent / "locales"


@hookimpl
def register_locales() -> list[Locale]:
    """Speak German under `/de/api`, and wherever the site or an account chooses `de_DE`."""
    return [Locale("de_DE", "de", "Deutsch", str(FOLDER))]
