"""What plugins may import, pinned: nothing else inside `cms` is promised to stay.

`docs/plugins/api.md` lists every name with what it is for; `tests/plugins/test_api.py` holds names and signatures.
"""

from typing import TYPE_CHECKING

from cms.access.actions import Action, SignIn
from cms.access.authentication import SignInRequest
from cms.access.capabilities import VERBS, Capability, Principal
from cms.access.tokens import ALL as ALL_SCOPES
from cms.access.tokens import MAX_NAME_LENGTH, SCOPES, ListedToken
from cms.background.deliveries import DELIVERY_STATUSES, Deliveries
from cms.background.events import Delivery, Event
from cms.background.retries import RETRY_DELAYS, DeliveryFailed
from cms.call import Call
from cms.config import Config, ConfigError, link_patterns
from cms.context import SiteContext
from cms.dates import format_seconds, in_days, in_seconds, sent_gmt, to_gmt, to_local
from cms.db import Bound, Database, Each, QueryPlan
from cms.db.expressions import effective_status, is_scheduled, scheduled
from cms.db.models import (
    Comment,
    CommentRow,
    Content,
    ContentRow,
    ContentTerm,
    DeliveryRow,
    OpenDeliveryRow,
    RevisionRow,
    Term,
    TermRow,
    User,
    UserRow,
)
from cms.db.search_terms import split_terms
from cms.db.sqlite import words
from cms.db.sqlite.item_index import IndexedItem
from cms.db.stores import ParentFault
from cms.errors import ApiError, InvalidParams, NotAllowed
from cms.hooks import PluginError
from cms.hooks.markers import API_VERSION, VERDICTS, hookimpl
from cms.i18n import LabelText, Text, _
from cms.media.storage import LocalStorage, Storage, Stored
from cms.media.uploads import OpenUpload
from cms.operations.crud import Operations
from cms.operations.results import Item, Listing, Row
from cms.operations.rules import Draft, ResourceRules, forbidden_context, trash_not_supported
from cms.operations.serialize import SerializationContext
from cms.operations.services import Services
from cms.plugin.commands import pass_any_site, pass_config, pass_site
from cms.plugin.later import import_later
from cms.plugin.output import json_option, print_json, print_table, progress_bar
from cms.rendering.addresses import clean_address
from cms.rendering.markup import strip_tags
from cms.rendering.plain import clean_line, make_slug, plain_line, sort_key
from cms.rendering.sanitising import sanitize_post, sanitize_title
from cms.resources.content.drafts import TERMS as ITEM_TERMS
from cms.resources.content.drafts import ContentDrafts
from cms.resources.content.permalinks import permalink
from cms.resources.content.plugin_visibility import hidden_items, visible_items
from cms.resources.content.rendered import rendered
from cms.resources.content.revision_schema import RevisionSchema
from cms.resources.content.revisions import keep_revision
from cms.resources.content.rules import ContentRules
from cms.resources.content.stored_html import load_stale
from cms.resources.content.terms import chosen_terms
from cms.resources.content.tree import nested_permalink
from cms.resources.content.types import item_fields, list_arguments, usual_resource
from cms.schema.answers import AnswerShape
from cms.schema.checks import FAULT, NOTE, WARNING, Check
from cms.schema.content_types import ContentRegistry, ContentType, Locale, Status, Taxonomy
from cms.schema.endpoint import (
    CHECKED_BY_HANDLER,
    CREATE,
    DELETE,
    GET,
    PUBLIC,
    UPDATE,
    Answer,
    Endpoint,
    Route,
)
from cms.schema.extension import is_readable
from cms.schema.field import ALWAYS, EDIT, EDIT_ONLY, EMBED, NEVER, VIEW, VIEW_EDIT, Field, FieldOptions
from cms.schema.fields import Boolean, DateTime, Ids, Integer, List, Object, Raw, String
from cms.schema.meta import load_meta
from cms.schema.numbers import Number
from cms.schema.page_editors import PageEditor
from cms.schema.resource import NAMESPACE, Arguments, Link, Resource, SerializedItems
from cms.schema.schemas import (
    PAGING,
    ArgumentSchema,
    ContextArgs,
    ForceArgs,
    ItemSchema,
    Serializer,
    arguments,
    compile_serializer,
    extend,
    fields_of,
    loader_of,
    writable,
)
from cms.site import Site
from cms.site_api import ResourceClient, Results

if TYPE_CHECKING:
    from cms.net.client import Client, Failed
    from cms.net.hosts import Refused
    from cms.transfer.importing.context import ImportContext
    from cms.transfer.importing.items import write_item
    from cms.transfer.importing.terms import find_term, term_slug
    from cms.transfer.wxr.reader import read_export
    from cms.transfer.wxr.records import ItemRecord, TermRecord

__all__ = [
    "ALL_SCOPES",
    "ALWAYS",
    "API_VERSION",
    "CHECKED_BY_HANDLER",
    "CREATE",
    "DELETE",
    "DELIVERY_STATUSES",
    "EDIT",
    "EDIT_ONLY",
    "EMBED",
    "FAULT",
    "GET",
    "ITEM_TERMS",
    "MAX_NAME_LENGTH",
    "NAMESPACE",
    "NEVER",
    "NOTE",
    "PAGING",
    "PUBLIC",
    "RETRY_DELAYS",
    "SCOPES",
    "UPDATE",
    "VERBS",
    "VERDICTS",
    "VIEW",
    "VIEW_EDIT",
    "WARNING",
    "Action",
    "Answer",
    "AnswerShape",
    "ApiError",
    "ArgumentSchema",
    "Arguments",
    "Boolean",
    "Bound",
    "Call",
    "Capability",
    "Check",
    "Client",
    "Comment",
    "CommentRow",
    "Config",
    "ConfigError",
    "Content",
    "ContentDrafts",
    "ContentRegistry",
    "ContentRow",
    "ContentRules",
    "ContentTerm",
    "ContentType",
    "ContextArgs",
    "Database",
    "DateTime",
    "Deliveries",
    "Delivery",
    "DeliveryFailed",
    "DeliveryRow",
    "Draft",
    "Each",
    "Endpoint",
    "Event",
    "Failed",
    "Field",
    "FieldOptions",
    "ForceArgs",
    "Ids",
    "ImportContext",
    "IndexedItem",
    "Integer",
    "InvalidParams",
    "Item",
    "ItemRecord",
    "ItemSchema",
    "LabelText",
    "Link",
    "List",
    "ListedToken",
    "Listing",
    "LocalStorage",
    "Locale",
    "NotAllowed",
    "Number",
    "Object",
    "OpenDeliveryRow",
    "OpenUpload",
    "Operations",
    "PageEditor",
    "ParentFault",
    "PluginError",
    "Principal",
    "QueryPlan",
    "Raw",
    "Refused",
    "Resource",
    "ResourceClient",
    "ResourceRules",
    "Results",
    "RevisionRow",
    "RevisionSchema",
    "Route",
    "Row",
    "SerializationContext",
    "SerializedItems",
    "Serializer",
    "Services",
    "SignIn",
    "SignInRequest",
    "Site",
    "SiteContext",
    "Status",
    "Storage",
    "Stored",
    "String",
    "Taxonomy",
    "Term",
    "TermRecord",
    "TermRow",
    "Text",
    "User",
    "UserRow",
    "_",
    "arguments",
    "chosen_terms",
    "clean_address",
    "clean_line",
    "compile_serializer",
    "effective_status",
    "extend",
    "fields_of",
    "find_term",
    "forbidden_context",
    "format_seconds",
    "hidden_items",
    "hookimpl",
    "in_days",
    "in_seconds",
    "is_readable",
    "is_scheduled",
    "item_fields",
    "json_option",
    "keep_revision",
    "link_patterns",
    "list_arguments",
    "load_meta",
    "load_stale",
    "loader_of",
    "make_slug",
    "nested_permalink",
    "pass_any_site",
    "pass_config",
    "pass_site",
    "permalink",
    "plain_line",
    "print_json",
    "print_table",
    "progress_bar",
    "read_export",
    "rendered",
    "sanitize_post",
    "sanitize_title",
    "scheduled",
    "sent_gmt",
    "sort_key",
    "split_terms",
    "strip_tags",
    "term_slug",
    "to_gmt",
    "to_local",
    "trash_not_supported",
    "usual_resource",
    "visible_items",
    "words",
    "writable",
    "write_item",
]

__getattr__ = import_later
