"""The routes of a resource: its five operations as endpoints of a collection and of an item."""

from __future__ import annotations

from cms.call import Call
from cms.errors import ApiError
from cms.i18n import _
from cms.operations.crud import Operations
from cms.operations.permissions import READ
from cms.schema.answers import AnswerShape
from cms.schema.endpoint import (
    CHECKED_BY_HANDLER,
    CREATE,
    DELETE,
    GET,
    UPDATE,
    Answer,
    Codes,
    Endpoint,
    Route,
)
from cms.schema.resource import Resource
from cms.schema.schemas import fields_of, writable


class ResourceEndpoints:
    """The five operations of one resource as functions of a call."""

    def __init__(self, resource: Resource) -> None:
        self.resource = resource

    def _operations(self, call: Call) -> Operations:
        return call.site.operations[self.resource.name]

    def _is_cacheable(self, call: Call) -> bool:
        return self.resource.name not in call.site.registry.uncached_resources

    def list(self, call: Call) -> Answer:
        """Answer with a page of the list."""
        operations = self._operations(call)
        listing = operations.list(call.args, call.principal)
        return Answer(
            listing.items,
            total=listing.total if listing.is_counted else None,
            pages=listing.pages,
            page=listing.page,
            has_next=listing.has_next,
            cursor=listing.cursor,
            allow=operations.permissions.allowed(call.principal),
            cacheable=self._is_cacheable(call),
        )

    def get(self, call: Call) -> Answer:
        """Answer with one item."""
        operations = self._operations(call)
        item = operations.get(int(call.path["id"]), call.args, call.principal)
        return Answer(
            item.data,
            allow=operations.permissions.allowed(call.principal, item.row),
            version=item.row["version"],
            alternate=operations.serializer.front_url(item.row, call.principal),
            no_store=item.granted_by_plugin,
            cacheable=self._is_cacheable(call),
        )

    def create(self, call: Call) -> Answer:
        """Store a new item; raises ApiError for an id, which is the database's to give."""
        operations = self._operations(call)
        exists_code = operations.rules.exists_code
        if exists_code and call.raw_arguments.get("id") is not None:
            raise ApiError(exists_code, _("A new item can't have an id. Update it at its own address."))
        item = operations.create(call.args, call.principal, call.open_upload)
        readable = GET if operations.permissions.may_list_editable(call.principal) else ()
        location = operations.serializer.item_url(item.row["id"])
        return Answer(item.data, 201, allow=(*readable, *CREATE), location=location, ignored=item.ignored)

    def update(self, call: Call) -> Answer:
        """Change an item."""
        operations = self._operations(call)
        item = operations.update(int(call.path["id"]), call.args, call.principal, call.versions)
        return Answer(
            item.data,
            allow=operations.permissions.allowed_after(call.principal, item.row),
            version=item.row["version"],
            ignored=item.ignored,
        )

    def delete(self, call: Call) -> Answer:
        """Move an item to the trash or delete it for good."""
        operations = self._operations(call)
        item = operations.delete(int(call.path["id"]), call.args, call.principal, call.versions)
        allow = operations.permissions.allowed_after(call.principal, item.row) if item.row else None
        return Answer(item.data, allow=allow)

    def collection_allowed(self, call: Call) -> tuple[str, ...]:
        """Return the methods that the principal may use on the collection."""
        return self._operations(call).permissions.allowed(call.principal)

    def item_allowed(self, call: Call) -> tuple[str, ...]:
        """Return the methods that the principal may use on an item; raises ApiError where it can't be read."""
        operations = self._operations(call)
        args = operations.get_loader.load({})
        row = operations.find_permitted(int(call.path["id"]), READ, args, call.principal)
        return operations.permissions.allowed(call.principal, row)


def resource_routes(resource: Resource) -> list[Route]:
    """Return the routes of the collection and of one item."""
    run = ResourceEndpoints(resource)
    id = {"id": fields_of(resource.schema)["id"]}
    deletion = AnswerShape("trashing" if resource.has_trash else "deletion")
    update_args, missing = writable(resource.schema, creating=False), _only(resource, 404)
    item = (
        Endpoint(GET, run.get, CHECKED_BY_HANDLER, resource.get_args, id, codes=missing),
        Endpoint(UPDATE, run.update, CHECKED_BY_HANDLER, update_args, id, codes=resource.codes),
        Endpoint(
            DELETE, run.delete, CHECKED_BY_HANDLER, resource.delete_args, id, answers=deletion, codes=missing
        ),
    )
    declared = (resource.namespace, resource.schema, resource.name)
    return [
        Route(f"/{resource.base}", _collection(resource, run), *declared, run.collection_allowed),
        Route(f"/{resource.base}/<digits:id>", item, *declared, run.item_allowed),
    ]


def _only(resource: Resource, *statuses: int) -> Codes:
    """Return the codes of a resource that stand for some statuses."""
    found = {}
    for status, codes in resource.codes.items():
        if status in statuses:
            found[status] = codes
    return found


def _collection(resource: Resource, run: ResourceEndpoints) -> tuple[Endpoint, ...]:
    return (
        Endpoint(
            GET,
            run.list,
            CHECKED_BY_HANDLER,
            resource.list_args,
            answers=AnswerShape("list"),
            takes_cursor=True,
        ),
        Endpoint(
            CREATE,
            run.create,
            CHECKED_BY_HANDLER,
            writable(resource.schema, creating=True),
            upload_capability=resource.upload_capability,
            answers=AnswerShape(status=201, contexts=resource.created_contexts, once=resource.once),
            codes=_only(resource, *(set(resource.codes) - {404})),
        ),
    )
