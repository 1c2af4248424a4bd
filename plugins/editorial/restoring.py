"""Restoring a revision: the item becomes what it was, and what it is now is kept first."""

from __future__ import annotations

from functools import partial
from typing import Any

import orjson
from marshmallow import missing

from cms import _
from cms.access.capabilities import Principal
from cms.call import Call
from cms.errors import ApiError
from cms.resources.content.revisions import keep_revision
from cms.schema.content_types import ContentType
from cms.schema.endpoint import CHECKED_BY_HANDLER, CREATE, Answer, Endpoint, Route
from cms.schema.fields import Integer
from cms.schema.resource import Resource
from cms.schema.schemas import fields_of
from cms.site import Site

from .items import editable, operations_of

ONE = "SELECT * FROM revisions WHERE id = ?"
TERMS = "SELECT id, taxonomy FROM terms WHERE id IN (SELECT value FROM json_each(?))"
TEXTS = ("title", "content", "excerpt")


def _restore(kind: ContentType, call: Call) -> Answer:
    operations = operations_of(call, kind)
    with call.site.database.write():
        row = editable(call, kind, call.path["parent"])
        revision = _revision(call, row)
        operations.check_version(row, call.versions)
        # By nobody: the present state isn't the work of the account that restores an earlier one.
        keep_revision(call.site, row, Principal(), whole=True)
        item = operations.update(
            row["id"], written(call.site, kind, operations.resource, revision), call.principal
        )
    return Answer(item.data, allow=CREATE, version=item.row["version"])


def _revision(call: Call, row: Any) -> Any:
    found = call.site.database.row(ONE, (call.path["id"],))
    if found is None:
        raise ApiError("rest_post_invalid_id", _("There is no revision with this id."), 404)
    if found["parent_id"] != row["id"]:
        raise ApiError("rest_revision_parent_id_mismatch", _("This revision is of another item."), 404)
    return found


def written(site: Site, kind: ContentType, resource: Resource, revision: Any) -> dict[str, Any]:
    """Return the arguments of the write that makes an item what it was at a revision.

    A term that is gone stays gone; a value that the revision doesn't have becomes the field's default.
    """
    fields, kept = fields_of(resource.schema), orjson.loads(revision["meta"])
    in_meta = {
        name: kept.get(name, None if field.load_default is missing else field.load_default)
        for name, field in fields.items()
        if field.in_meta
    }
    terms: dict[str, list[int]] = {}
    for term in site.database.rows(TERMS, (revision["terms"],)):
        terms.setdefault(term["taxonomy"], []).append(term["id"])
    grouped = {
        taxonomy.field: terms.get(taxonomy.name, [])
        for taxonomy in site.content_registry.taxonomies_of(kind.name)
    }
    return {**{name: revision[name] for name in TEXTS}, **grouped, **in_meta}


def _allowed(kind: ContentType, call: Call) -> tuple[str, ...]:
    _revision(call, editable(call, kind, call.path["parent"]))
    return CREATE


def restore_routes(kind: ContentType, resource: Resource) -> list[Route]:
    """Return the route that restores a revision of a type's items."""
    path = {
        "parent": Integer(_("Id of the item that the revision is of.")),
        "id": Integer(_("Id of the revision.")),
    }
    endpoint = Endpoint(CREATE, partial(_restore, kind), CHECKED_BY_HANDLER, None, path)
    return [
        Route(
            f"/{kind.base}/<digits:parent>/revisions/<digits:id>/restore",
            (endpoint,),
            kind.namespace,
            resource.schema,
            kind.name,
            partial(_allowed, kind),
        )
    ]
