"""What was done beside the writes of items, as plugins are told: sign-ins, tokens, imports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cms.access.capabilities import VISITOR, Principal


@dataclass(frozen=True)
class Action:
    """Something that was done by no write of an item, such as `token.created`; `data` holds no secrets."""

    name: str
    resource: str
    item_id: int = 0
    title: str = ""
    principal: Principal = VISITOR
    data: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class SignIn:
    """Credentials that were checked: whose they are, 0 where there is no such account, and whether they fit.

    `kind` is `password`, `second_factor` or `token`.
    """

    user_id: int
    login: str
    address: str
    kind: str
    succeeded: bool
