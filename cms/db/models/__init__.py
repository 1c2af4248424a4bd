"""Tables as peewee models, bound to no database: every query runs through the site's own."""

from cms.db.models.comments import Comment
from cms.db.models.content import Content
from cms.db.models.media import Media
from cms.db.models.options import Option
from cms.db.models.terms import ContentTerm, Term
from cms.db.models.tokens import Token
from cms.db.models.users import User

__all__ = ["Comment", "Content", "ContentTerm", "Media", "Option", "Term", "Token", "User"]
