"""`cms types`: types of TypeScript, and commands of a plugin that join the group."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

FIELDS = '''
@hookimpl
def register_fields(content_registry):
    return {"post": {"mood": String(_("How it feels."), VIEW_EDIT, enum=("glad", "sad"), default="glad"),
                     "stars": Integer(_("How many stars."), VIEW_EDIT)}}
'''
GROUP = '''
import click

@click.group()
def types(): pass

@types.command()
def look():
    """Look at the types."""
    click.echo("looked")

@types.command()
def ts():
    click.echo("never")

@hookimpl
def register_commands():
    return [types]
'''


def test_types_have_the_fields_of_plugins(plugged: Callable[..., Any]) -> None:
    printed = plugged(moods=FIELDS).run("types", "ts").stdout
    post = printed.partition("export interface Post {")[2].partition("\n}\n")[0]
    created = printed.partition("export interface PostCreate {")[2].partition("\n}\n")[0]

    assert '  /** How it feels. */\n  mood: "glad" | "sad";' in post
    assert "  stars: number | null;" in post
    assert '  mood?: "glad" | "sad" | null;' in created
    assert "readonly id: number;" in post
    assert "id" not in created.split()
    assert "mood" not in printed.partition("export interface PostEmbed {")[2].partition("\n}\n")[0]


def test_types_go_into_a_file(plugged: Callable[..., Any], tmp_path: Any) -> None:
    site = plugged()
    assert site.run("types", "ts", "--output", str(tmp_path / "cms.d.ts")).stdout == ""

    assert (tmp_path / "cms.d.ts").read_text(encoding="utf-8") == site.run("types", "ts").stdout


def test_commands_of_a_plugin_join_the_group(plugged: Callable[..., Any]) -> None:
    site = plugged(looking=GROUP)
    listed = site.run("types", "--help").stdout

    assert "ts " in listed
    assert "look " in listed
    assert site.run("types", "look").stdout == "looked\n"
    assert "export interface Post " in site.run("types", "ts").stdout
    assert site.run("--help").stdout.count("\n  types ") == 1


def test_another_command_of_this_name_adds_nothing(plugged: Callable[..., Any]) -> None:
    site = plugged(looking=GROUP.replace("click.group()", "click.command()").replace("@types.command()", "@click.command()"))

    assert "look" not in site.run("types", "--help").stdout
    assert site.run("types", "look", code=2).stdout == ""
