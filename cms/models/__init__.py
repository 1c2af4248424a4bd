"""Tables as peewee models, bound to no database: every query runs through the site's own."""

from cms.models.comments import Comment
from cms.models.content import Content
from cms.models.media import Media
from cms.models.options import Option
from cms.models.terms import ContentTerm, Term
from cms.models.tokens import Token
from cms.models.users import User

__all__ = ["Comment", "Content", "ContentTerm", "Media", "Option", "Term", "Token", "User"]
