"""Restoring a revision: the item becomes what it was; what it is now is stored as a revision first."""

from __future__ import annotations

from functools import partial
from typing import Any

import orjson
from marshmallow import missing

from cms import _
from cms.plugin import (
    CHECKED_BY_HANDLER,
    CREATE,
    Answer,
    ApiError,
    Call,
    ContentRow,
    ContentType,
    Endpoint,
    Integer,
    Principal,
    Resource,
    RevisionRow,
    Route,
    Site,
    fields_of,
    keep_revision,
)

from .items import find_editable
from .store import terms_by_taxonomy


def restore_routes(content_type: ContentType, resource: Resource) -> list[Route]:
    """Return the route that restores a revision of a type's items."""
    path = {
        "parent": Integer(_("Id of the item that the revision is of.")),
        "id": Integer(_("Id of the revision.")),
    }
    endpoint = Endpoint(CREATE, partial(_restore, content_type), CHECKED_BY_HANDLER, None, path)
    return [
        Route(
            f"/{content_type.base}/<digits:parent>/revisions/<digits:id>/restore",
            (endpoint,),
            content_type.namespace,
            resource.schema,
            content_type.name,
            partial(_allowed, content_type),
        )
    ]


def _restore(content_type: ContentType, call: Call) -> Answer:
    operations = call.site.operations[content_type.name]
    row = find_editable(call, content_type, call.path["parent"])
    revision = _find_revision(call, row)
    args = arguments_of(call.site, content_type, operations.resource, revision)

    def store_present(present: ContentRow) -> None:
        # By nobody: the present state isn't the work of the account that restores an earlier one.
        keep_revision(call.site.context, present, Principal(), whole=True)

    item = operations.update(row["id"], args, call.principal, call.versions, store_present)
    return Answer(item.data, allow=CREATE, version=item.row["version"])


def _allowed(content_type: ContentType, call: Call) -> tuple[str, ...]:
    _find_revision(call, find_editable(call, content_type, call.path["parent"]))
    return CREATE


def _find_revision(call: Call, row: ContentRow) -> RevisionRow:
    found = call.site.stores.revisions.find(call.path["id"])
    if found is None:
        raise ApiError("rest_post_invalid_id", _("There is no revision with this id."), 404)
    if found["parent_id"] != row["id"]:
        raise ApiError("rest_revision_parent_id_mismatch", _("This revision is of another item."), 404)
    return found


def arguments_of(
    site: Site, content_type: ContentType, resource: Resource, revision: RevisionRow
) -> dict[str, Any]:
    """Return the arguments of the write that makes an item what it was at a revision, by name.

    A term that is gone stays gone; a value that the revision doesn't have becomes the field's default.
    """
    show = site.own_files.show
    args: dict[str, Any] = {
        "title": revision["title"],
        "content": show(revision["content"]),
        "excerpt": show(revision["excerpt"]),
    }
    terms = terms_by_taxonomy(site.database, orjson.loads(revision["terms"]))
    for taxonomy in site.content_registry.taxonomies_of(content_type.name):
        args[taxonomy.field] = terms.get(taxonomy.name, [])
    meta = orjson.loads(show(revision["meta"]))
    for name, field in fields_of(resource.schema).items():
        if field.in_meta:
            default = None if field.load_default is missing else field.load_default
            args[name] = meta.get(field.stored_as or name, default)
    return args
