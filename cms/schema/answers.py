"""What endpoints declare of the answers that they give: the form, the items in it, the status."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from marshmallow import Schema

from cms.schema.field import CONTEXTS, EDIT, VIEW

#: The form of an answer: one item of the route's schema, a list of them, an object that has them by their names, what a
#: deletion has removed, that or the item that it has moved to the trash, any JSON, bytes of a named content type.
Form = Literal["item", "list", "by name", "deletion", "trashing", "any", "file"]


@dataclass(frozen=True)
class AnswerShape:
    """What an endpoint answers with where it succeeds, for the OpenAPI document.

    `contexts` are those that items are in; left out, those that the argument `context` takes, else the editable one
    after a write. `schema` and `title` replace those of the route. `once` names fields that are in no context but in
    this answer. A list with `is_counted` says how long the whole of it is in headers.
    """

    form: Form = "item"
    status: int = 200
    contexts: tuple[str, ...] = ()
    schema: type[Schema] | None = None
    title: str = ""
    once: tuple[str, ...] = ()
    is_counted: bool = True
    content_type: str = "application/json"


def usual_answers(methods: Collection[str], arguments: Collection[str], has_schema: bool) -> AnswerShape:
    """Return the shape that an endpoint's answers have where it doesn't say: by its methods and arguments."""
    if not has_schema:
        return AnswerShape("any")
    if "DELETE" in methods:
        return AnswerShape("deletion")
    if "GET" in methods and "per_page" in arguments:
        return AnswerShape("list")
    return AnswerShape("item")


def contexts_of(shape: AnswerShape, methods: Collection[str], arguments: Collection[str]) -> tuple[str, ...]:
    """Return the contexts that items in an endpoint's answers may be in."""
    if shape.contexts:
        return shape.contexts
    if "context" in arguments and "GET" in methods:
        return CONTEXTS
    if "GET" in methods:
        return (VIEW,)
    return (EDIT,)
