"""Tables as peewee models, bound to no database: every query runs through the site's own.

Beside each model stands the TypedDict of its rows; `tests/test_models.py` holds the two, and the schema, together.
"""

from cms.db.models.comments import Comment, CommentRow
from cms.db.models.content import Content, ContentRow, OldSlug
from cms.db.models.counts import ContentCount, TermItem
from cms.db.models.events import (
    Delivery,
    DeliveryRow,
    Event,
    EventRow,
    OpenDeliveryRow,
    PausedTarget,
    Scheduled,
    ScheduledRow,
)
from cms.db.models.imports import Awaited, AwaitedRow, IdRange, IndexedAhead
from cms.db.models.media import Media, MediaRow, UnusedFile
from cms.db.models.options import Option, OptionRow
from cms.db.models.revisions import Revision, RevisionRow
from cms.db.models.second_factors import SecondFactor, SecondFactorRow
from cms.db.models.terms import ContentTerm, ContentTermRow, Term, TermRow
from cms.db.models.tokens import Token, TokenRow
from cms.db.models.users import User, UserRow

__all__ = [
    "Awaited",
    "AwaitedRow",
    "Comment",
    "CommentRow",
    "Content",
    "ContentCount",
    "ContentRow",
    "ContentTerm",
    "ContentTermRow",
    "Delivery",
    "DeliveryRow",
    "Event",
    "EventRow",
    "IdRange",
    "IndexedAhead",
    "Media",
    "MediaRow",
    "OldSlug",
    "OpenDeliveryRow",
    "Option",
    "OptionRow",
    "PausedTarget",
    "Revision",
    "RevisionRow",
    "Scheduled",
    "ScheduledRow",
    "SecondFactor",
    "SecondFactorRow",
    "Term",
    "TermItem",
    "TermRow",
    "Token",
    "TokenRow",
    "UnusedFile",
    "User",
    "UserRow",
]
