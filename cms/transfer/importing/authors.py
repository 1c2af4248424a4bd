"""Authors of an export on their way into the table of accounts; nobody can sign in to them yet."""

from __future__ import annotations

import re
import unicodedata
from functools import partial

from cms.db.reader import Columns
from cms.db.stores import KnownAccount
from cms.rendering.addresses import clean_web_address
from cms.rendering.plain import clean_line, sort_key
from cms.rendering.sanitising import sanitize_description
from cms.rendering.slugs import imported_slug
from cms.resources.accounts import LOGIN_CHARACTERS, MAX_LOGIN_LENGTH, is_email
from cms.resources.users.rules import full_name, wanted_slug
from cms.transfer.importing.cleaning import clean_markup, imported_line
from cms.transfer.importing.context import ImportContext
from cms.transfer.importing.meta import meta_column
from cms.transfer.wxr.extension import moment_of, text_of
from cms.transfer.wxr.records import AuthorRecord

#: Fits no password.
UNUSABLE = "!"
#: The mark of an account that items alone have named, and that of an author without a number.
NAMED, LISTED = "named", "listed"
ROLES = '["author"]'
#: What a number behind a login leaves of it.
STEM = MAX_LOGIN_LENGTH - 6
_NOT_IN_LOGIN = re.compile(f"[^{LOGIN_CHARACTERS}]")


def write_author(importing: ImportContext, author: AuthorRecord) -> None:
    """Store an author as an account, unless the account is there: from before, or with the same login."""
    if not author.login:
        importing.report.leave_out("user", "the author has no login")
        return
    found = importing.store.find_account(importing.source, author.login)
    if found is None:
        id = _add(importing, author)
    else:
        id = found["id"]
        importing.report.recognise("user")
        _warn_of_namesake(importing, author, id)
        if author.listed and _is_named_only(importing, author, found):
            importing.store.change_account(
                id, {**_person(importing, author, author.login), **_origin(importing, author)}
            )
    importing.accounts.add(author.login, author.source_id, id)
    importing.accounts.records.setdefault(id, author)


def _warn_of_namesake(importing: ImportContext, author: AuthorRecord, id: int) -> None:
    """Tell what is lost of an author whose login another one of the file has, in whatever case."""
    first = importing.accounts.records.get(id)
    lost = [] if first is None else _differences(first, author)
    if first is not None and lost:
        notice = (
            f'the login "{author.login}" is that of "{first.login}" (line {first.line}): they are one account, '
            f"without {', '.join(lost)}"
        )
        importing.warn(author.line, notice)


def _differences(first: AuthorRecord, other: AuthorRecord) -> list[str]:
    lost = []
    for field in ("email", "display_name", "first_name", "last_name"):
        text = getattr(other, field)
        if text and text != getattr(first, field):
            lost.append(f'"{text}"')
    return lost


def _add(importing: ImportContext, author: AuthorRecord) -> int:
    if not author.listed:
        notice = f'the author "{author.login}" isn\'t in the list of authors; an account was made'
        importing.warn(author.line, notice)
    importing.report.count("user")
    columns = _columns(importing, author)
    number = author.source_id
    if number and importing.site.stores.ids.free("users", [number]):
        columns["id"] = number
    return importing.store.add_account(columns)


def _is_named_only(importing: ImportContext, author: AuthorRecord, found: KnownAccount) -> bool:
    """Tell whether an account was made of items that name it, and is as it was made."""
    is_of_source = (found["source_site"], found["source_id"]) == (importing.source, author.login)
    return is_of_source and found["source_mark"] == NAMED and found["version"] == 1


def _columns(importing: ImportContext, author: AuthorRecord) -> Columns:
    login = _free_login(importing, author)
    wanted = wanted_slug(imported_slug(text_of(author.more, "slug")), login)
    return {
        "login": login,
        "password_hash": UNUSABLE,
        "slug": importing.site.stores.slugs.free_account(wanted),
        "roles": ROLES,
        **_person(importing, author, login),
        **_origin(importing, author),
    }


def _origin(importing: ImportContext, author: AuthorRecord) -> Columns:
    """Return what the account is recognised by; comments name their authors by number."""
    mark = str(author.source_id or LISTED) if author.listed else NAMED
    return {"source_site": importing.source, "source_id": author.login, "source_mark": mark}


def _person(importing: ImportContext, author: AuthorRecord, login: str) -> Columns:
    line = partial(_line, importing, author)
    first = line("first_name", author.first_name)
    last = line("last_name", author.last_name)
    name = line("name", author.display_name) or line("name", full_name(first, last)) or login
    return {
        "email": _free_email(importing, author),
        "name": name,
        "sort_name": sort_key(name),
        "first_name": first,
        "last_name": last,
        **_profile(importing, author, login),
    }


def _line(importing: ImportContext, author: AuthorRecord, field: str, sent: str) -> str:
    """Return a name of an author as it is stored, with a warning where something goes."""
    warn, what = partial(importing.warn, author.line), f'the {field.replace("_", " ")} of "{author.login}"'
    found = imported_line(sent, what, warn)
    return importing.bounds.fit(("user", field), found, what, warn, clean_line)


def _profile(importing: ImportContext, author: AuthorRecord, login: str) -> dict[str, str]:
    """Return what only exports of this system have of an account; it never makes its rights."""
    extension, warn = author.more, partial(importing.warn, author.line)
    what, sent = f'the description of "{login}"', text_of(extension, "description")
    cleaned = clean_markup(importing.report, sent, sanitize_description, what, warn)
    fit, store = importing.bounds.fit, importing.site.own_files.store
    description = fit(("user", "description"), cleaned, what, warn, sanitize_description)
    return {
        "nickname": _line(importing, author, "nickname", text_of(extension, "nickname")) or login,
        "url": store(_url(importing, author, text_of(extension, "url"))),
        "description": store(description),
        "locale": _locale(importing, text_of(extension, "locale")),
        "meta": meta_column(importing, "user", extension, warn),
        "registered_gmt": moment_of(extension, "registered_gmt") or importing.now,
    }


def _url(importing: ImportContext, author: AuthorRecord, sent: str) -> str:
    url = importing.bounds.accept(("user", "url"), clean_web_address(sent))
    if sent and not url:
        importing.warn(
            author.line, f'"{sent[:80]}" can\'t be the address of "{author.login}"; it has none now'
        )
    return url or ""


def _locale(importing: ImportContext, sent: str) -> str:
    locales = importing.site.content_registry.locales.values()
    if any(locale.code == sent for locale in locales):
        return sent
    return ""


def _clean_login(sent: str) -> str:
    """Return a login reduced to the letters and signs that one may have."""
    decomposed = unicodedata.normalize("NFKD", sent)
    plain = "".join(sign for sign in decomposed if not unicodedata.combining(sign))
    return " ".join(_NOT_IN_LOGIN.sub("", plain).split())[:MAX_LOGIN_LENGTH].strip()


def _free_login(importing: ImportContext, author: AuthorRecord) -> str:
    """Return a login that no account has; one that only looks the same after cleaning gets a number."""
    users = importing.site.stores.users
    wanted = _clean_login(author.login) or "author"
    login, number = wanted, 2
    while users.is_taken("login", login):
        login, number = f"{wanted[:STEM]}-{number}", number + 1
    if login != author.login:
        importing.warn(author.line, f'the login "{author.login}" became "{login}"')
    return login


def _free_email(importing: ImportContext, author: AuthorRecord) -> str:
    """Return the author's address, empty where it isn't one or another account has it."""
    if not author.email:
        return ""
    if not is_email(author.email):
        notice = f'"{author.email}" isn\'t an e-mail address; "{author.login}" has none now'
        importing.warn(author.line, notice)
        return ""
    if importing.site.stores.users.is_taken("email", author.email):
        notice = f'another account has the address "{author.email}"; "{author.login}" has none now'
        importing.warn(author.line, notice)
        return ""
    return author.email
