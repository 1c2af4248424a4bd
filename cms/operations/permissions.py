"""What a principal may do with the items of a resource: its rules, then what plugins object to."""

from __future__ import annotations

from functools import cached_property

from cms.access.capabilities import Principal
from cms.errors import ApiError
from cms.operations.results import Row
from cms.operations.rules import AnyRules
from cms.operations.services import Services
from cms.schema.fields import EDIT
from cms.schema.resource import Arguments, Resource
from cms.schema.schemas import loader_of

LIST, READ, CREATE, UPDATE, DELETE = "list", "read", "create", "update", "delete"


class Permissions:
    """The permissions on the items of one resource."""

    def __init__(self, services: Services, resource: Resource, rules: AnyRules) -> None:
        self._hooks, self._resource, self._rules = services.hooks, resource, rules

    def check(self, action: str, row: Row, args: Arguments, principal: Principal) -> None:
        """Raise ApiError where the principal may not read, update or delete an item, as `action` says."""
        checks = {
            READ: self._rules.check_read,
            UPDATE: self._rules.check_update,
            DELETE: self._rules.check_delete,
        }
        checks[action](row, args, principal)
        self.check_plugins(action, principal, row)

    def check_create(self, args: Arguments, principal: Principal) -> None:
        """Raise ApiError where the principal may not create what the arguments ask for."""
        self._rules.check_create(args, principal)
        self.check_plugins(CREATE, principal)

    def check_plugins(self, action: str, principal: Principal, row: Row | None = None) -> None:
        """Raise ApiError where a plugin objects; an item that a plugin hides can't be changed either."""
        if not self._hooks.checks_permissions:
            return
        if row is not None:
            for error in self._rules.hidden_by_plugins([row], principal).values():
                raise error
        if action != READ:
            self._hooks.check_permission(principal, action, self._resource.name, row)

    def allowed(self, principal: Principal, row: Row | None = None) -> tuple[str, ...]:
        """Return the methods that the principal may use on an item, or on the collection."""
        if row is None:
            may_create = self._rules.may_create(principal) and self._plugins_permit(CREATE, principal)
            return ("GET", "POST") if may_create else ("GET",)
        methods = ["GET"]
        if self._rules.may_update(principal, row) and self._plugins_permit(UPDATE, principal, row):
            methods += ("POST", "PUT", "PATCH")
        if self._rules.may_delete(principal, row) and self._plugins_permit(DELETE, principal, row):
            methods.append("DELETE")
        return tuple(methods)

    def allowed_after(self, principal: Principal, row: Row) -> tuple[str, ...]:
        """Return the methods after a change, whose answer is the editable form: GET where that may be read."""
        methods = self.allowed(principal, row)
        try:
            self.check(READ, row, {"context": EDIT}, principal)
        except ApiError:
            return methods[1:]
        return methods

    def may_list_editable(self, principal: Principal) -> bool:
        """Tell whether the principal may list items in their editable form."""
        if self._rules.list_capability:
            return principal.may(self._rules.list_capability)
        try:
            self._rules.check_list(self._editable_list, principal)
            self.check_plugins(LIST, principal)
        except ApiError:
            return False
        return True

    @cached_property
    def _editable_list(self) -> Arguments:
        return loader_of(self._resource.list_args).load({"context": EDIT})

    def _plugins_permit(self, action: str, principal: Principal, row: Row | None = None) -> bool:
        try:
            self.check_plugins(action, principal, row)
        except ApiError:
            return False
        return True
