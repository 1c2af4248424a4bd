"""Accounts, and `me`, the one that sends the request."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson
from marshmallow import ValidationError
from peewee import SQL, EnclosedNodeList, NodeList, fn

from cms.access.capabilities import Principal
from cms.db import Bound, Each, QueryPlan
from cms.db.models import Content, User
from cms.db.search import contains, like
from cms.errors import ApiError, NotAllowed
from cms.i18n import _
from cms.operations.crud import Operations
from cms.operations.slugs import clean_slug, free_slug, taken_slugs
from cms.rendering.plain import clean_line, encode_slug, sort_key
from cms.rendering.sanitising import sanitize_description
from cms.resources.content.operations import forbidden_context
from cms.resources.content.schema import slug_filter
from cms.schema.content_types import ContentRegistry
from cms.schema.fields import (
    ALWAYS,
    EDIT,
    EDIT_ONLY,
    NEVER,
    VIEW_EDIT,
    Boolean,
    DateTime,
    Ids,
    Integer,
    List,
    Object,
    String,
)
from cms.schema.resource import Arguments, Resource, SerializationContext
from cms.schema.schemas import PAGING, ArgumentSchema, ContextArgs, ItemSchema, extend, fields_of

EMAIL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")
LONGEST_LOGIN, LONGEST_SLUG, LONGEST_URL = 60, 50, 100


OTHER_ADMINISTRATOR = """
SELECT 1 FROM users WHERE id <> ? AND EXISTS (SELECT 1 FROM json_each(roles) WHERE value = 'administrator')
"""


class Email(String):
    """An e-mail address."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        text = str(super()._deserialize(value, attr, data, **kwargs))
        if not EMAIL.fullmatch(text) or len(text) > 100:
            raise ValidationError([_("This must be an e-mail address.")])
        return text


class Login(String):
    """The name that an account signs in with."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        text = str(super()._deserialize(value, attr, data, **kwargs))
        if not re.fullmatch(r"[A-Za-z0-9 _.@-]+", text, re.ASCII) or text != text.strip() or "  " in text:
            raise ValidationError(
                [_("This may hold Latin letters, digits, single spaces and the signs _ . - @.")]
            )
        return text


class Password(String):
    """A password to set; it is never shown."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        text = str(super()._deserialize(value, attr, data, **kwargs))
        if not text or "\\" in text:
            raise ValidationError([_("A password can't be empty or hold a backslash.")])
        return text


def avatars(name: str) -> dict[str, str]:
    """Return addresses of pictures by size, for whom or what goes by this name.

    The name isn't an e-mail address: a digest of one would let anybody test guesses of it.
    """
    address = f"https://secure.gravatar.com/avatar/{hashlib.sha256(name.encode()).hexdigest()}?d=identicon&s="
    return {str(size): f"{address}{size}" for size in (24, 48, 96)}


def _avatars(row: Any, page: SerializationContext) -> dict[str, str]:
    return avatars(f"{page.site.url}/users/{row['id']}")


class UserSchema(ItemSchema):
    """The fields of an account."""

    id = Integer(_("Number that identifies the account."), ALWAYS, readonly=True)
    username = Login(_("Name that the account signs in with."), EDIT_ONLY, required=True, column="login")
    name = String(_("Name that is shown."), ALWAYS)
    first_name = String(_("First name."), EDIT_ONLY)
    last_name = String(_("Last name."), EDIT_ONLY)
    email = Email(_("E-mail address of the account."), EDIT_ONLY, required=True)
    url = String(_("Address of the account's own site."), ALWAYS)
    description = String(_("What the person says about themselves; HTML."), ALWAYS)
    link = String(
        _("Where a front end lists what the person wrote."),
        ALWAYS,
        readonly=True,
        format="uri",
        columns=("slug",),
        read=lambda row, page: f"{page.site.url}/author/{encode_slug(row['slug'])}/",
    )
    locale = String(
        _("Language of the account."),
        EDIT_ONLY,
        columns=("locale",),
        read=lambda row, page: row["locale"] or page.site.settings["language"],
    )
    nickname = String(_("Nickname."), EDIT_ONLY)
    slug = String(
        _("Name of the account in addresses."),
        ALWAYS,
        columns=("slug",),
        read=lambda row, page: encode_slug(row["slug"]),
    )
    registered_date = DateTime(
        _("When the account was made."),
        EDIT_ONLY,
        readonly=True,
        columns=("registered_gmt",),
        read=lambda row, page: f"{row['registered_gmt']}+00:00",
    )
    roles = List(
        _("Roles of the account."),
        EDIT_ONLY,
        columns=("roles",),
        read=lambda row, page: orjson.loads(row["roles"]),
    )
    password = Password(_("Password of the account; it is never shown."), NEVER, required=True)
    avatar_urls = Object(
        _("Addresses of pictures for the account, by size in pixels."),
        ALWAYS,
        readonly=True,
        columns=("id",),
        read=_avatars,
    )
    meta = Object(
        _("Further values that plugins have declared."), VIEW_EDIT, columns=(), read=lambda row, page: {}
    )


def _with_roles() -> Any:
    return fn.EXISTS(
        NodeList(
            (
                SQL("SELECT 1 FROM json_each"),
                EnclosedNodeList([User.roles]),
                SQL("WHERE value IN"),
                Each("roles"),
            )
        )
    )


class UserListArgs(ArgumentSchema):
    """The arguments of the list of accounts."""

    context = ContextArgs._declared_fields["context"]
    page = PAGING["page"]
    per_page = PAGING["per_page"]
    search = String(_("Only accounts whose name, slug or address of a site hold this."))
    exclude = Ids(_("All accounts but these."), default=[], where=User.id.not_in)  # type: ignore[assignment]
    include = Ids(_("Only these accounts."), default=[], where=User.id.in_)
    offset = Integer(_("How many accounts of the whole list to skip."), minimum=0)
    order = String(_("Whether the list ascends or descends."), enum=("asc", "desc"), default="asc")
    orderby = String(
        _("What the list is ordered by."),
        default="name",
        enum=("id", "include", "name", "registered_date", "slug", "include_slugs", "email", "url"),
    )
    slug = slug_filter(User.slug.in_)
    roles = List(_("Only accounts with one of these roles: a list, or a text with commas."))


class UserDeleteArgs(ArgumentSchema):
    """The arguments of deleting an account."""

    force = Boolean(_("Must be true: accounts have no trash."), default=False)
    reassign = Integer(
        _("Id of the account that takes over what the deleted one wrote."), required=True, minimum=1
    )


def published_author(types: Sequence[str]) -> Any:
    """Build the condition that an account has written something of these types that everybody can see."""
    written = Content.select(SQL("1")).where(
        Content.author_id == User.id,
        Content.type.in_(list(types)),
        Content.status == "publish",
        Content.date_gmt <= Bound("now"),
    )
    return fn.EXISTS(written)


class UserOperations(Operations):
    """The operations on accounts."""

    not_found = ("rest_user_invalid_id", _("There is no account with this id."))
    exists_code = "rest_user_exists"
    refusals = {
        "create": ("rest_cannot_create_user", _("You may not make accounts.")),
        "update": ("rest_cannot_edit", _("You may not change this account.")),
        "delete": ("rest_user_cannot_delete", _("You may not delete this account.")),
    }
    orders: Mapping[str, Callable[[], Any]] = {
        "id": lambda: User.id,
        "name": lambda: User.sort_name,
        "slug": lambda: User.slug,
        "email": lambda: User.email.collate("NOCASE"),
        "url": lambda: User.url,
        "registered_date": lambda: User.registered_gmt,
    }

    def may_create(self, principal: Principal) -> bool:
        """Tell whether the principal may make accounts."""
        return principal.may("create_users")

    def may_update(self, principal: Principal, row: Any) -> bool:
        """Tell whether the principal may change this account: their own, or with the right any."""
        return principal.may("edit_users") or row["id"] == principal.id

    def may_delete(self, principal: Principal, row: Any) -> bool:
        """Tell whether the principal may delete accounts."""
        return principal.may("delete_users")

    def check_update(self, row: Any, args: Arguments, principal: Principal) -> None:
        """Refuse roles to those who may not give them, then changes of others' accounts."""
        if args.get("roles") is not None and not principal.may("promote_users"):
            raise NotAllowed(principal, "rest_cannot_edit_roles", _("You may not change roles."))
        super().check_update(row, args, principal)

    def check_list(self, args: Arguments, principal: Principal) -> None:
        """Refuse what would tell visitors more about accounts than authors' public names."""
        if principal.may("list_users"):
            return
        if args.get("roles"):
            raise NotAllowed(principal, "rest_user_cannot_view", _("You may not filter accounts by role."))
        if args["context"] == EDIT:
            raise forbidden_context(principal)
        if args["orderby"] in ("email", "registered_date"):
            raise NotAllowed(principal, "rest_forbidden_orderby", _("You may not order accounts by this."))

    def check_read(self, row: Any, args: Arguments, principal: Principal) -> None:
        """Refuse accounts that haven't published anything, and the editable form of others' accounts."""
        if row["id"] == principal.id or principal.may("list_users"):
            return
        if args["context"] == EDIT or not self._is_author(row["id"]):
            raise NotAllowed(principal, "rest_user_cannot_view", _("You may not see this account."))

    def _is_author(self, id: int) -> bool:
        row = self.site.statements.row(
            "published author",
            lambda: User.select(User.id).where(User.id == Bound("id"), self._published()),
            id=id,
            now=self.site.now(),
        )
        return row is not None

    def _published(self) -> Any:
        return published_author(self.site.content_registry.public_types)

    def refused(self, rows: Sequence[Any], principal: Principal) -> dict[int, ApiError]:
        """Return which accounts the principal may not see; who has published is asked for all of them at once."""
        if principal.may("list_users"):
            return {}
        ids = [row["id"] for row in rows if row["id"] != principal.id]
        authors = {
            row["id"]
            for row in self.site.statements.rows(
                "published authors",
                lambda: User.select(User.id).where(User.id.in_(Each("ids")), self._published()),
                ids=ids,
                now=self.site.now(),
            )
        }
        message = _("You may not see this account.")
        return {
            id: NotAllowed(principal, "rest_user_cannot_view", message) for id in ids if id not in authors
        }

    def restrict(self, plan: QueryPlan, args: Arguments, principal: Principal) -> None:
        """Show authors alone to those who may not list accounts; search only what the principal can see."""
        lists_all = principal.may("list_users")
        if not lists_all:
            plan.where("authors", self._published)
        if args.get("search"):
            plan.where(("search", lists_all), lambda: _search(lists_all), search=like(args["search"]))
        if args.get("roles"):
            plan.where("roles", _with_roles, roles=args["roles"])

    # Writing.

    def values(self, args: dict[str, Any], row: Any, principal: Principal) -> dict[str, Any]:
        """Return the columns of a write."""
        values = self._identity(args, row)
        values |= {
            name: clean_line(args[name])
            for name in ("name", "first_name", "last_name", "nickname")
            if args.get(name) is not None
        }
        if args.get("description") is not None:
            values["description"] = sanitize_description(args["description"])
        if args.get("url") is not None:
            values["url"] = clean_url(args["url"])
            if len(values["url"]) > LONGEST_URL:
                raise ApiError(
                    "user_url_too_long", _("An address has %(most)s characters at most.", most=LONGEST_URL)
                )
        if args.get("locale") is not None:
            values["locale"] = args["locale"]
        if args.get("roles") is not None:
            values["roles"] = orjson.dumps(self._roles(args["roles"], row, principal)).decode()
        values |= self._names(values, row)
        if "name" in values:
            values["sort_name"] = sort_key(values["name"])
        values |= self._slug(args, row, values)
        if args.get("password") is not None:
            values["password_hash"] = self.site.authentication.passwords.hash(args["password"])
        return (
            values
            if row is not None
            else {"roles": '["subscriber"]', **values, "registered_gmt": self.site.now()}
        )

    def _identity(self, args: dict[str, Any], row: Any) -> dict[str, Any]:
        email, login = args.get("email"), args.get("username")
        if row is None:
            if len(login or "") > LONGEST_LOGIN:
                raise ApiError(
                    "user_login_too_long", _("A login has %(most)s characters at most.", most=LONGEST_LOGIN)
                )
            self._refuse_known(
                "login", login, 0, "existing_user_login", _("There is an account with this login.")
            )
            self._refuse_known(
                "email", email, 0, "existing_user_email", _("There is an account with this address.")
            )
            return {"login": login, "email": email}
        if email is not None:
            self._refuse_known(
                "email",
                email,
                row["id"],
                "rest_user_invalid_email",
                _("There is an account with this address."),
            )
        if login is not None and login != row["login"]:
            raise ApiError("rest_user_invalid_argument", _("The login of an account can't be changed."))
        return {} if email is None else {"email": email}

    def _refuse_known(self, column: str, value: Any, id: int, code: str, message: Any) -> None:
        sql = f"SELECT 1 FROM users WHERE {column} = ? AND id <> ?"  # noqa: S608 (our own names)
        if self.site.database.row(sql, (value, id)) is not None:
            raise ApiError(code, message)

    def _names(self, values: dict[str, Any], row: Any) -> dict[str, Any]:
        """Fill names that are empty: what is shown falls back to first and last name, then to the login."""
        login = row["login"] if row is not None else values["login"]
        filled: dict[str, Any] = {}
        if values.get("nickname", "" if row is None else None) == "":
            filled["nickname"] = login
        if values.get("name", "" if row is None else None) == "":
            full = (
                f"{values.get('first_name', '')} {values.get('last_name', '')}".strip() if row is None else ""
            )
            filled["name"] = full or login
        return filled

    def _slug(self, args: dict[str, Any], row: Any, values: dict[str, Any]) -> dict[str, Any]:
        sent = clean_slug(args["slug"]) if args.get("slug") else ""
        if len(sent) > LONGEST_SLUG:
            raise ApiError(
                "user_nicename_too_long", _("A slug has %(most)s characters at most.", most=LONGEST_SLUG)
            )
        if row is not None:
            if sent:
                self._refuse_known(
                    "slug", sent, row["id"], "rest_user_invalid_slug", _("Another account has this slug.")
                )
            return {"slug": sent} if sent else {}
        wanted = (sent or clean_slug(values["login"]) or "user")[:LONGEST_SLUG]
        return {"slug": free_slug(wanted, taken_slugs(self.site.database, "users", wanted, "1", ()))}

    def _roles(self, sent: list[str], row: Any, principal: Principal) -> list[str]:
        unknown = [role for role in sent if role not in self.site.roles]
        if unknown:
            raise ApiError(
                "rest_user_invalid_role", _("There is no role %(names)s.", names=", ".join(unknown))
            )
        roles = list(dict.fromkeys(sent))
        if row is not None and "administrator" in orjson.loads(row["roles"]) and "administrator" not in roles:
            if row["id"] == principal.id:
                message = _("You can't take away your own right to manage accounts.")
                raise ApiError("rest_user_invalid_role", message, 403)
            self._keep_an_administrator(row["id"], "rest_user_invalid_role")
        return roles

    def _keep_an_administrator(self, id: int, code: str) -> None:
        if self.site.database.row(OTHER_ADMINISTRATOR, (id,)) is None:
            raise ApiError(code, _("This is the last administrator. Make another account one first."), 403)

    def remove(self, row: Any, args: Arguments, principal: Principal) -> None:
        """Delete an account; all that it wrote goes to the account that takes over."""
        heir = args["reassign"]
        if heir == row["id"] or self.site.database.row("SELECT 1 FROM users WHERE id = ?", (heir,)) is None:
            raise ApiError(
                "rest_user_invalid_reassign", _("There is no other account with the id %(id)s.", id=heir)
            )
        self._keep_an_administrator(row["id"], "rest_user_cannot_delete")
        self.site.database.run(Content.update(author_id=heir).where(Content.author_id == row["id"]))
        self.site.database.execute(
            "UPDATE revisions SET author_id = ? WHERE author_id = ?", (heir, row["id"])
        )
        self.site.database.execute("UPDATE comments SET author_id = 0 WHERE author_id = ?", (row["id"],))
        super().remove(row, args, principal)


def _search(lists_all: bool) -> Any:
    place = Bound("search")
    found = contains(User.name, place) | contains(User.slug, place) | contains(User.url, place)
    return found | contains(User.login, place) | contains(User.email, place) if lists_all else found


def clean_url(sent: str) -> str:
    """Return an address of http or https, or nothing where it isn't one."""
    text = re.sub(r"[\s<>\"'`\\]", "", sent)
    if text and not re.match(r"[a-z][a-z0-9+.-]*:", text, re.IGNORECASE):
        text = f"http://{text.lstrip('/')}"
    return text if re.match(r"https?://.", text, re.IGNORECASE) else ""


def user(content_registry: ContentRegistry) -> Resource:
    """Return the resource of accounts; they choose among the languages of the site, or none for its own."""
    languages = ("", *(locale.code for locale in content_registry.locales.values()))
    schema = extend(UserSchema, {"locale": fields_of(UserSchema)["locale"].copy(enum=languages)})
    return Resource(
        "user", "users", User, schema, UserListArgs, UserOperations, _("Users"), delete_args=UserDeleteArgs
    )
