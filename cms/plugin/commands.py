"""What the commands of plugins need: the site that they work on, or its settings."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

import click


def pass_site(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command of a plugin the site, open and migrated, as its first argument."""

    @click.pass_context
    def run(context: click.Context, *args: Any, **options: Any) -> Any:
        with context.obj.ready() as site:
            return context.invoke(function, site, *args, **options)

    return update_wrapper(run, function)


def pass_config(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command of a plugin the settings of the site as its first argument; the site needn't be able to start."""

    @click.pass_context
    def run(context: click.Context, *args: Any, **options: Any) -> Any:
        return context.invoke(function, context.obj.config(), *args, **options)

    return update_wrapper(run, function)


def pass_any_site(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command of a plugin the site as its first argument, whether or not its database is there and migrated."""

    @click.pass_context
    def run(context: click.Context, *args: Any, **options: Any) -> Any:
        with context.obj.new_or_old() as site:
            return context.invoke(function, site, *args, **options)

    return update_wrapper(run, function)
