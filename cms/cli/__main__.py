"""Lets `python -m cms.cli` stand for `cms`."""

from __future__ import annotations

from cms.cli import main

main(prog_name="cms")
