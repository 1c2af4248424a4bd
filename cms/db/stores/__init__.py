"""Every statement on the site's tables, by subject; rows come back as the TypedDicts of `cms.db.models`."""

from __future__ import annotations

from dataclasses import dataclass

from cms.db.connection import Database
from cms.db.statements import Statements
from cms.db.stores.addresses import AddressStore
from cms.db.stores.awaited import AwaitedStore, FoundReference, NewReference
from cms.db.stores.comments import CommentStore
from cms.db.stores.content import ContentStore
from cms.db.stores.deliveries import DeliveryStore
from cms.db.stores.events import EventStore, Outcome, PublicationStore
from cms.db.stores.exports import ExportedComment, ExportedItem, ExportedTerm, ExportStore
from cms.db.stores.hierarchy import HierarchyStore, ParentFault
from cms.db.stores.ids import IdStore, ReservedIds
from cms.db.stores.imports import ImportStore, KnownAccount, KnownComment, KnownItem
from cms.db.stores.items import ItemStore
from cms.db.stores.media import MediaStore
from cms.db.stores.revisions import RevisionStore
from cms.db.stores.search import SearchStore
from cms.db.stores.second_factors import SecondFactorStore
from cms.db.stores.slugs import SlugStore
from cms.db.stores.terms import TermStore
from cms.db.stores.tokens import AccountOfToken, TokenStore, TokenWithLogin
from cms.db.stores.users import SigningInRow, UserStore

__all__ = [
    "AccountOfToken",
    "AddressStore",
    "AwaitedStore",
    "CommentStore",
    "ContentStore",
    "DeliveryStore",
    "EventStore",
    "ExportStore",
    "ExportedComment",
    "ExportedItem",
    "ExportedTerm",
    "FoundReference",
    "HierarchyStore",
    "IdStore",
    "ImportStore",
    "ItemStore",
    "KnownAccount",
    "KnownComment",
    "KnownItem",
    "MediaStore",
    "NewReference",
    "Outcome",
    "ParentFault",
    "PublicationStore",
    "ReservedIds",
    "RevisionStore",
    "SearchStore",
    "SecondFactorStore",
    "SigningInRow",
    "SlugStore",
    "Stores",
    "TermStore",
    "TokenStore",
    "TokenWithLogin",
    "UserStore",
    "open_stores",
]


@dataclass(frozen=True)
class Stores:
    """The stores of one site."""

    addresses: AddressStore
    awaited: AwaitedStore
    comments: CommentStore
    content: ContentStore
    deliveries: DeliveryStore
    events: EventStore
    hierarchy: HierarchyStore
    ids: IdStore
    imports: ImportStore
    items: ItemStore
    media: MediaStore
    publications: PublicationStore
    revisions: RevisionStore
    search: SearchStore
    second_factors: SecondFactorStore
    slugs: SlugStore
    terms: TermStore
    tokens: TokenStore
    users: UserStore


def open_stores(database: Database, statements: Statements) -> Stores:
    """Return the stores that work on a database."""
    items = ItemStore(database)
    return Stores(
        addresses=AddressStore(database),
        awaited=AwaitedStore(database),
        comments=CommentStore(database, items),
        content=ContentStore(database, items),
        deliveries=DeliveryStore(database),
        events=EventStore(database),
        hierarchy=HierarchyStore(database),
        ids=IdStore(database),
        imports=ImportStore(database, items),
        items=items,
        media=MediaStore(database, items),
        publications=PublicationStore(database),
        revisions=RevisionStore(database),
        search=SearchStore(database),
        second_factors=SecondFactorStore(database),
        slugs=SlugStore(database),
        terms=TermStore(database, items),
        tokens=TokenStore(database),
        users=UserStore(database, statements),
    )
