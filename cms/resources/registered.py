"""Read-only resources of what the site's registry has: who sees an entry, and its routes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from cms.access.capabilities import Principal
from cms.call import Call
from cms.errors import ApiError, NotAllowed
from cms.i18n import Text, _
from cms.operations.rules import forbidden_context
from cms.schema.answers import AnswerShape
from cms.schema.content_types import ContentRegistry, ContentType, Status, Taxonomy
from cms.schema.endpoint import CHECKED_BY_HANDLER, GET, Answer, Endpoint, Route
from cms.schema.fields import EDIT, Field, String
from cms.schema.resource import SerializedItem
from cms.schema.schemas import ContextArgs, ItemSchema, compile_serializer, extend

E = TypeVar("E", ContentType, Status, Taxonomy)
#: Tells whether a principal sees an entry of the registry.
Sees = Callable[[ContentRegistry, E, Principal], bool]


@dataclass(frozen=True)
class ReadOnlyResource(Generic[E]):
    """A resource of entries of the registry.

    `row` makes what the schema reads from an entry; `edits` tells who sees its editable form, `reads` who sees it at
    all, `lists` whether it is listed for a principal.
    """

    name: str
    base: str
    schema: type[ItemSchema]
    entries: Callable[[ContentRegistry], Mapping[str, E]]
    row: Callable[[ContentRegistry, E], SerializedItem]
    edits: Sees[E]
    reads: Sees[E]
    lists: Sees[E]
    unknown: tuple[str, Text]
    unreadable: tuple[str, Text]
    links: Callable[[Call, E], SerializedItem]
    list_args: type[ContextArgs] = ContextArgs

    def with_fields(self, added: Mapping[str, Mapping[str, Field]]) -> ReadOnlyResource[E]:
        """Return the resource with the fields that plugins add under its name."""
        return replace(self, schema=extend(self.schema, added.get(self.name, {})))

    def list(self, call: Call) -> Answer:
        """Answer with all entries that the principal may see, by name; raises NotAllowed where none may be edited."""
        registry = call.site.content_registry
        is_edited, type = call.args["context"] == EDIT, call.args.get("type")
        listed: SerializedItem = {}
        for entry in self.entries(registry).values():
            if type and type not in getattr(entry, "types", ()):
                continue
            is_editable = not is_edited or self.edits(registry, entry, call.principal)
            if is_editable and self.lists(registry, entry, call.principal):
                listed[entry.name] = self._serialize(call, entry)
        if is_edited and not listed:
            message = _("You may not see the editable form of these.")
            raise NotAllowed(call.principal, "rest_cannot_view", message)
        return Answer(listed, cacheable=True)

    def get(self, call: Call) -> Answer:
        """Answer with one entry; raises ApiError where there is none or the principal may not see it."""
        registry = call.site.content_registry
        entry = self.entries(registry).get(call.path[self.name])
        if entry is None:
            raise ApiError(*self.unknown, 404)
        if not self.reads(registry, entry, call.principal):
            raise NotAllowed(call.principal, *self.unreadable)
        if call.args["context"] == EDIT and not self.edits(registry, entry, call.principal):
            raise forbidden_context(call.principal)
        return Answer(self._serialize(call, entry), cacheable=True)

    def routes(self, help: Text) -> Iterable[Route]:
        """Return the routes of the list and of one entry."""
        by_name = AnswerShape("by name")
        get_list = Endpoint(GET, self.list, CHECKED_BY_HANDLER, self.list_args, answers=by_name)
        get_one = Endpoint(GET, self.get, CHECKED_BY_HANDLER, ContextArgs, {self.name: String(help)})
        yield Route(f"/{self.base}", (get_list,), schema=self.schema, title=self.name)
        yield Route(f"/{self.base}/<name:{self.name}>", (get_one,), schema=self.schema, title=self.name)

    def _serialize(self, call: Call, entry: E) -> SerializedItem:
        wanted = call.args.get("_fields")
        serializer = compile_serializer(self.schema, call.args["context"], wanted)
        row = {**self.row(call.site.content_registry, entry), "entry": entry}
        item = serializer.serialize(row, call)
        if wanted is None or "_links" in wanted:
            item["_links"] = self.links(call, entry)
        return item
