"""The rules of accounts: who may see, make, change and delete them, and what a write stores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Literal

import orjson

from cms.access.capabilities import Principal
from cms.access.password_rules import password_fault
from cms.db import Bound, QueryPlan
from cms.db.expressions import (
    INHERIT,
    contains,
    contains_folded,
    folded_like,
    has_role,
    has_written,
    ignoring_case,
)
from cms.db.leads import authors
from cms.db.models import User, UserRow
from cms.db.peewee_types import Build, Expression
from cms.db.reader import Columns, ColumnValues
from cms.errors import ApiError, InvalidParams, NotAllowed
from cms.i18n import Text, _
from cms.operations.rules import Draft, ResourceRules, forbidden_context
from cms.rendering.addresses import clean_web_address
from cms.rendering.plain import clean_line, sort_key
from cms.rendering.sanitising import sanitize_description
from cms.rendering.slugs import clean_slug, cut_slug, resent_slug
from cms.resources.accounts import MAX_SLUG_LENGTH
from cms.resources.content.plugin_visibility import any_visible
from cms.schema.content_types import ContentType
from cms.schema.fields import EDIT
from cms.schema.resource import Arguments

LIST_CAPABILITY = "list_users"
LINES = ("name", "first_name", "last_name", "nickname")
#: The roles of an account that is given none.
DEFAULT_ROLES = '["subscriber"]'


class UserRules(ResourceRules[UserRow]):
    """The rules of accounts."""

    not_found = ("rest_user_invalid_id", _("There is no account with this id."))
    exists_code = "rest_user_exists"
    refusals = {
        "create": ("rest_cannot_create_user", _("You may not make accounts.")),
        "update": ("rest_cannot_edit", _("You may not change this account.")),
        "delete": ("rest_user_cannot_delete", _("You may not delete this account.")),
    }
    orders: Mapping[str, Expression] = {
        "id": User.id,
        "name": User.sort_name,
        "slug": User.slug,
        "email": ignoring_case(User.email),
        "url": User.url,
        "registered_date": User.registered_gmt,
    }

    # Permissions.

    def may_create(self, principal: Principal) -> bool:
        """Tell whether the principal may make accounts."""
        return principal.may("create_users")

    def may_update(self, principal: Principal, row: UserRow) -> bool:
        """Tell whether the principal may change this account: their own, or with the capability any."""
        return principal.may("edit_users") or row["id"] == principal.id

    def may_delete(self, principal: Principal, row: UserRow) -> bool:
        """Tell whether the principal may delete accounts."""
        return principal.may("delete_users")

    def check_update(self, row: UserRow, args: Arguments, principal: Principal) -> None:
        """Raise NotAllowed for roles to those who may not give them, then for changes of others' accounts."""
        if args.get("roles") is not None and not principal.may("promote_users"):
            raise NotAllowed(principal, "rest_cannot_edit_roles", _("You may not change roles."))
        super().check_update(row, args, principal)

    # Visibility.

    def check_list(self, args: Arguments, principal: Principal) -> None:
        """Raise NotAllowed for what would tell visitors more about accounts than authors' public names."""
        if principal.may(LIST_CAPABILITY):
            return
        if args.get("roles"):
            message = _("You may not filter accounts by role.")
            raise NotAllowed(principal, "rest_user_cannot_view", message)
        if args["context"] == EDIT:
            raise forbidden_context(principal)
        if args["orderby"] in ("email", "registered_date"):
            raise NotAllowed(principal, "rest_forbidden_orderby", _("You may not order accounts by this."))

    def check_read(self, row: UserRow, args: Arguments, principal: Principal) -> None:
        """Raise NotAllowed for accounts that finished nothing the principal may read, and others' editable form."""
        if self.may_read_editable(principal, row):
            return
        if args["context"] == EDIT or not self._seen_authors([row["id"]], principal):
            raise cannot_view(principal)

    def may_read_editable(self, principal: Principal, row: UserRow) -> bool:
        """Tell whether the account is the principal's own, or they may list all accounts."""
        return row["id"] == principal.id or principal.may(LIST_CAPABILITY)

    def unreadable(self, rows: Sequence[UserRow], principal: Principal) -> dict[int, ApiError]:
        """Return which accounts the principal may not see; who has written what is asked for all of them at once."""
        if principal.may(LIST_CAPABILITY):
            return {}
        others = [row["id"] for row in rows if row["id"] != principal.id]
        authors = self._seen_authors(others, principal)
        return {id: cannot_view(principal) for id in others if id not in authors}

    def _seen_authors(self, ids: Sequence[int], principal: Principal) -> set[int]:
        plan = QueryPlan()
        plan.values.update(now=self.site.now(), principal=principal.id)
        self._filter_authors(plan, principal)
        return self.site.stores.users.matching(ids, plan)

    def _filter_authors(self, plan: QueryPlan, principal: Principal) -> None:
        """Narrow a query to authors of something finished that the principal may read."""
        # Files are looked at last, and only of those who have some: what they are attached to takes long to find.
        types = sorted(self.services.visibility.public_types, key=lambda type: type.inherits)
        readable = [(type, *self._finished(type, principal)) for type in types]
        seen = [any_visible(self.services, [each], plan, principal) for each in readable]

        def build() -> Expression:
            return reduce(or_, [has_written(build_items()) for _key, build_items in seen])

        plan.where(("authors", *(key for key, _build in seen)), build)

    def _finished(self, type: ContentType, principal: Principal) -> tuple[str, Build]:
        """Return the condition of items that may be read and aren't still being written, with its key."""
        statuses = [*sorted(type.public_states), *sorted(type.private_states), INHERIT]
        return self.services.visibility.filter(type, principal, statuses)

    def filter_list(self, plan: QueryPlan, args: Arguments, principal: Principal) -> None:
        """Show those who may not list accounts authors alone; search only what the principal can see."""
        lists_all = principal.may(LIST_CAPABILITY)
        if not lists_all:
            plan.look_in("authors", authors)
            self._filter_authors(plan, principal)
        if args.get("search"):
            plan.where(("search", lists_all), lambda: _search(lists_all), search=folded_like(args["search"]))
        if args.get("roles"):
            plan.where("roles", has_role, roles=args["roles"])

    # Writing.

    def prepare(self, args: Arguments, row: UserRow | None, principal: Principal, file: object) -> Columns:
        """Return the columns of the description, sanitised, and of the password, as its hash."""
        columns: Columns = {}
        if args.get("description") is not None:
            columns["description"] = self.site.own_files.store(sanitize_description(args["description"]))
        if args.get("password") is not None and not self._password_fault(args, row):
            columns["password_hash"] = self.services.passwords.hash(args["password"])
        return columns

    def draft(
        self, args: Arguments, row: UserRow | None, principal: Principal, ready: Columns | None = None
    ) -> Draft:
        """Return the columns of a write; raises ApiError for what can't be stored."""
        columns, ignored = self._identity(args, row), {}
        columns |= self.prepare(args, row, principal, None) if ready is None else ready
        for name in LINES:
            if args.get(name) is not None:
                columns[name] = clean_line(args[name])
        if args.get("url") is not None:
            columns["url"] = self.site.own_files.store(clean_web_address(args["url"]))
            if args["url"] and not columns["url"]:
                ignored["url"] = [args["url"]]
        if args.get("locale") is not None:
            columns["locale"] = args["locale"]
        if args.get("roles") is not None:
            columns["roles"] = orjson.dumps(self._roles(args["roles"], row, principal)).decode()
        columns |= _filled_names(columns, row)
        if "name" in columns:
            columns["sort_name"] = sort_key(columns["name"])
        columns |= self._slug(args, row, columns)
        if args.get("password") is not None and (fault := self._password_fault(args, row)):
            raise InvalidParams({"password": fault})
        if row is not None:
            return Draft(columns, ignored=ignored)
        return Draft({"roles": DEFAULT_ROLES, **columns, "registered_gmt": self.site.now()}, ignored=ignored)

    def _identity(self, args: Arguments, row: UserRow | None) -> Columns:
        email, login = args.get("email"), args.get("username")
        if row is None:
            message = _("There is an account with this login.")
            self._refuse_taken("login", str(login), 0, "existing_user_login", message)
            message = _("There is an account with this address.")
            self._refuse_taken("email", str(email), 0, "existing_user_email", message)
            return {"login": login, "email": email}
        if email is not None:
            message = _("There is an account with this address.")
            self._refuse_taken("email", email, row["id"], "rest_user_invalid_email", message)
        if login is not None and login != row["login"]:
            raise ApiError("rest_user_invalid_argument", _("The login of an account can't be changed."))
        return {} if email is None else {"email": email}

    def _password_fault(self, args: Arguments, row: UserRow | None) -> Text | None:
        login = str(args.get("username")) if row is None else row["login"]
        email = str(args.get("email") or ("" if row is None else row["email"]))
        names = [login, email, email.partition("@")[0]]
        return password_fault(args["password"], self.site.config["password_length"], names)

    def _refuse_taken(
        self, column: Literal["login", "email", "slug"], value: str, id: int, code: str, message: Text
    ) -> None:
        if self.site.stores.users.is_taken(column, value, id):
            raise ApiError(code, message)

    def _slug(self, args: Arguments, row: UserRow | None, columns: ColumnValues) -> dict[str, str]:
        stored = "" if row is None else row["slug"]
        sent = resent_slug(args["slug"], stored) if args.get("slug") else ""
        if len(sent) > MAX_SLUG_LENGTH:
            message = _("A slug has %(most)s characters at most.", most=MAX_SLUG_LENGTH)
            raise ApiError("user_nicename_too_long", message)
        if row is None:
            return {"slug": self.site.stores.slugs.free_account(wanted_slug(sent, columns["login"]))}
        if not sent:
            return {}
        message = _("Another account has this slug.")
        self._refuse_taken("slug", sent, row["id"], "rest_user_invalid_slug", message)
        return {"slug": sent}

    def _roles(self, sent: list[str], row: UserRow | None, principal: Principal) -> list[str]:
        unknown = ", ".join(role for role in sent if role not in self.site.roles)
        if unknown:
            raise ApiError("rest_user_invalid_role", _("There is no role %(names)s.", names=unknown))
        roles = list(dict.fromkeys(sent))
        was_administrator = row is not None and "administrator" in orjson.loads(row["roles"])
        if row is not None and was_administrator and "administrator" not in roles:
            if row["id"] == principal.id:
                message = _("You can't take away your own right to manage accounts.")
                raise ApiError("rest_user_invalid_role", message, 403)
            self._require_other_administrator(row["id"], "rest_user_invalid_role")
        return roles

    def _require_other_administrator(self, id: int, code: str) -> None:
        if not self.site.stores.users.has_other_administrator(id):
            message = _("This is the last administrator. Make another account one first.")
            raise ApiError(code, message, 403)

    def delete(self, row: UserRow, args: Arguments, principal: Principal) -> None:
        """Delete an account; all that it wrote goes to the account that takes over.

        Raises ApiError where there is no such account, and for the last administrator.
        """
        heir = args["reassign"]
        if heir == row["id"] or not self.site.stores.users.exists(heir):
            message = _("There is no other account with the id %(id)s.", id=heir)
            raise ApiError("rest_user_invalid_reassign", message)
        self._require_other_administrator(row["id"], "rest_user_cannot_delete")
        self.site.stores.content.reassign(row["id"], heir)
        self.site.stores.comments.release(row["id"])
        super().delete(row, args, principal)


def wanted_slug(sent: str, login: str) -> str:
    """Return the slug that an account would have if no other had it: the sent one, else one of its login."""
    return cut_slug(sent or clean_slug(login) or "user", MAX_SLUG_LENGTH)


def full_name(first: str, last: str) -> str:
    """Return first and last name as one, empty where there is neither."""
    return f"{first} {last}".strip()


def cannot_view(principal: Principal) -> NotAllowed:
    """Build the refusal of an account."""
    return NotAllowed(principal, "rest_user_cannot_view", _("You may not see this account."))


def _filled_names(columns: ColumnValues, row: UserRow | None) -> dict[str, str]:
    """Return names for those that are empty: what is shown falls back to first and last name, then to the login."""
    login = columns["login"] if row is None else row["login"]
    missing = "" if row is None else None
    filled: dict[str, str] = {}
    if columns.get("nickname", missing) == "":
        filled["nickname"] = login
    if columns.get("name", missing) == "":
        filled["name"] = login
        if row is None:
            filled["name"] = full_name(columns.get("first_name", ""), columns.get("last_name", "")) or login
    return filled


def _search(lists_all: bool) -> Expression:
    """Build the search; logins and addresses are searched for those alone who see them."""
    place = Bound("search")
    found = contains(User.sort_name, place) | contains_folded(User.slug, place) | contains(User.url, place)
    if lists_all:
        found = found | contains(User.login, place) | contains(User.email, place)
    return found
