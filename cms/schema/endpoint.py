"""Routes: addresses with their methods and arguments, and what an answer is below HTTP."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from marshmallow import Schema

from cms.access.capabilities import Principal
from cms.errors import NotAllowed
from cms.i18n import _
from cms.schema.answers import AnswerShape, usual_answers
from cms.schema.resource import NAMESPACE
from cms.schema.schemas import ArgumentSchema, Loader, loader_of

GET = ("GET",)
CREATE = ("POST",)
UPDATE = ("POST", "PUT", "PATCH")
DELETE = ("DELETE",)

#: Say that everybody may call an endpoint.
PUBLIC = "public"
#: Say that the endpoint's own code asks what the principal may do.
CHECKED_BY_HANDLER = "checked"

PATTERNS = {"digits": r"[\d]+", "name": r"[\w-]+"}


@dataclass(frozen=True)
class Answer:
    """What an endpoint answers; `total` and `pages` belong to lists, `allow` says what the principal may do here.

    With a `content_type` the body isn't JSON: it is bytes, which are sent as they are.
    """

    body: Any
    status: int = 200
    allow: tuple[str, ...] | None = GET
    total: int | None = None
    pages: int | None = None
    page: int = 1
    has_next: bool = False
    location: str = ""
    alternate: str = ""
    version: int | None = None
    #: Whether no cache may keep the answer, though no account asked for it.
    no_store: bool = False
    content_type: str = ""
    #: Whether it follows from the stored data, the arguments and who asks alone, so that it may be kept for others.
    cacheable: bool = False
    #: What of a written item was dropped, as `categories=9999`.
    ignored: tuple[str, ...] = ()
    #: What the next items of a list are asked for with.
    cursor: str = ""


#: Codes of refusals by status.
Codes = Mapping[int, tuple[str, ...]]
#: Answers a call (`cms.call.Call`).
Run = Callable[[Any], Answer]


@dataclass(frozen=True)
class Endpoint:
    """Methods of a route that do one thing; `permission` is PUBLIC, CHECKED_BY_HANDLER or a capability."""

    methods: tuple[str, ...]
    run: Run
    permission: str
    args: type[ArgumentSchema] | None = None
    #: Path values that the arguments list too, with their descriptions.
    path_args: Mapping[str, Any] = field(default_factory=dict)
    #: The capability of those who may send a file here; empty where none is taken.
    upload_capability: str = ""
    #: What its answers are like; left out, that follows from its methods and arguments.
    answers: AnswerShape | None = None
    #: Whether it answers with lists that take a cursor (`cms.api.cursors`).
    takes_cursor: bool = False
    #: The codes of its own that it refuses with; those of the core are described of each endpoint.
    codes: Codes = field(default_factory=dict)

    @cached_property
    def loader(self) -> Loader:
        """What checks this endpoint's arguments."""
        return loader_of(self.args or ArgumentSchema)

    def described(self) -> dict[str, Any]:
        """Return all arguments as the discovery document lists them."""
        described: dict[str, Any] = {}
        for name, declared in {**self.path_args, **self.loader.fields}.items():
            if not declared.hidden:
                described[name] = declared.describe()
        return described

    def answer_shape(self, schema: type[Schema] | None) -> AnswerShape:
        """Return what the endpoint's answers are like on a route with this schema."""
        if self.answers is not None:
            return self.answers
        return usual_answers(self.methods, self.loader.fields, schema is not None)

    def require(self, principal: Principal) -> None:
        """Refuse principals who lack the capability that the endpoint asks for."""
        if self.permission not in (PUBLIC, CHECKED_BY_HANDLER) and not principal.may(self.permission):
            raise NotAllowed(principal, "rest_forbidden", _("You may not do this."))


@dataclass(frozen=True)
class Route:
    """An address below the API root, as a Flask rule with the converters `digits` and `name`."""

    path: str
    endpoints: tuple[Endpoint, ...]
    namespace: str = NAMESPACE
    schema: type[Schema] | None = None
    title: str = ""
    #: Says which methods a principal may use here; left out: those whose endpoints' permission the principal has.
    allowed: Callable[[Any], tuple[str, ...]] | None = None

    @property
    def rule(self) -> str:
        """The rule with its namespace in front."""
        return f"/{self.namespace}{self.path}" if self.namespace else self.path

    @property
    def pattern(self) -> str:
        """The address as the discovery document writes it, with named groups."""
        return re.sub(r"<(\w+):(\w+)>", lambda m: f"(?P<{m[2]}>{PATTERNS[m[1]]})", self.rule)

    @property
    def methods(self) -> list[str]:
        """All methods, in the order of the endpoints."""
        return list(dict.fromkeys(method for endpoint in self.endpoints for method in endpoint.methods))
