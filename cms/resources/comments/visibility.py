"""Who may read a comment: it is seen with what it is on, and held ones by those who moderate."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import reduce
from operator import or_

from peewee import SQL, fn

from cms.access.capabilities import Principal
from cms.access.conditions import Condition
from cms.db import Bound, Each, QueryPlan
from cms.db.expressions import INHERIT, of_type
from cms.db.models import Comment, CommentRow, Content
from cms.db.peewee_types import Build, Expression
from cms.db.stores.content import ContentWithParent
from cms.operations.services import Services
from cms.resources.comments.moderation import CAPABILITY
from cms.resources.comments.statuses import APPROVED
from cms.resources.comments.types import PUBLIC_TYPES
from cms.resources.content.plugin_visibility import any_visible, hidden_items
from cms.resources.content.unlocking import try_password
from cms.schema.content_types import ContentType


class CommentVisibility:
    """The visibility of comments on one site."""

    def __init__(self, services: Services) -> None:
        self._services, self._content = services, services.visibility

    def posts(self, ids: Iterable[int]) -> dict[int, ContentWithParent]:
        """Return the items that comments are on, by id."""
        return self._services.site.stores.content.with_parents(ids)

    def may_moderate(self, principal: Principal, post: ContentWithParent) -> bool:
        """Tell whether the principal may change and approve the comments on an item."""
        return principal.may(CAPABILITY) or self._content.may_edit(principal, post)

    def may_read_post(self, principal: Principal, post: ContentWithParent, password: str | None) -> bool:
        """Tell whether the principal may read an item and what its password protects.

        Raises ApiError with status 429 after too many wrong passwords.
        """
        if hidden_items(self._services, [post], principal):
            return False
        if self._content.may_edit(principal, post):
            return True
        if not self._content.may_read(principal, post, self._services.site.now()):
            return False
        return not post["password"] or try_password(self._services.site, post, password, principal)

    def may_read(
        self, principal: Principal, row: CommentRow, post: ContentWithParent, password: str | None
    ) -> bool:
        """Tell whether the principal may read a comment."""
        if self.may_moderate(principal, post):
            return True
        is_own = principal.id != 0 and row["author_id"] == principal.id
        is_seen = (is_own or row["status"] == APPROVED) and row["type"] in PUBLIC_TYPES
        return is_seen and self.may_read_post(principal, post, password)

    def filter(
        self, plan: QueryPlan, principal: Principal, unlocked: Sequence[int], with_trashed: bool
    ) -> None:
        """Narrow a list to comments that the principal may read; `unlocked` are items whose password was sent."""
        types = self._content.public_types
        registry = self._services.site.content_registry
        statuses = [*registry.writable, INHERIT, *(["trash"] if with_trashed else [])]
        readable = [self._unlocked_posts(type, principal, statuses) for type in types]
        key, build_posts = any_visible(self._services, readable, plan, principal)

        def build_visible() -> Expression:
            return _is_on(build_posts())

        plan.where(("posts", key), build_visible, unlocked=list(unlocked))
        if not principal.may(CAPABILITY):
            self._filter_unapproved(plan, types, principal)

    def _unlocked_posts(
        self, type: ContentType, principal: Principal, statuses: Sequence[str]
    ) -> tuple[ContentType, Hashable, Build]:
        """Return a type, with the key of the condition of items whose comments are seen, and what builds it."""
        key, build_readable = self._content.filter(type, principal, statuses)
        editable = type.policy.editable(principal)
        return (
            type,
            (key, editable.key, principal.id != 0),
            lambda: build_readable() & _unlocked(principal, editable),
        )

    def _filter_unapproved(self, plan: QueryPlan, types: Sequence[ContentType], principal: Principal) -> None:
        """Leave out comments that aren't approved, but for one's own and those that one moderates."""
        if not principal.id:
            plan.where("approved", lambda: (Comment.status == APPROVED) & Comment.type.in_(PUBLIC_TYPES))
            return
        editable, keys = [], []
        for type in types:
            condition = type.policy.editable(principal)
            editable.append((type.name, condition))
            keys.append((type.name, condition.key))

        def build() -> Expression:
            moderated = reduce(or_, [of_type(name) & condition.sql() for name, condition in editable])
            is_own = Comment.author_id == Bound("principal")
            is_public = Comment.type.in_(PUBLIC_TYPES)
            return (is_public & ((Comment.status == APPROVED) | is_own)) | _is_on(moderated)

        plan.where(("approved or own", *keys), build)


def _is_on(condition: Expression) -> Expression:
    """Build the condition that the item of a comment fulfils another one: looked up for each comment."""
    item = Content.select(SQL("1")).where((Content.id == Comment.post_id) & condition)
    return fn.EXISTS(item)


def _unlocked(principal: Principal, editable: Condition) -> Expression:
    """Build the condition that no password keeps an item's comments from the principal."""
    unlocked = (Content.password == "") | Content.id.in_(Each("unlocked"))
    return unlocked | editable.sql() if principal.id else unlocked
