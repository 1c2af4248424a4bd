"""Authors of an export on their way into the table of accounts; nobody can sign in to them yet."""

from __future__ import annotations

import re
import unicodedata

from cms.rendering.plain import clean_line, sort_key
from cms.rendering.sanitising import sanitize_description
from cms.rendering.slugs import clean_slug
from cms.resources.accounts import EMAIL, MAX_LOGIN_LENGTH, MAX_SLUG_LENGTH, MAX_URL_LENGTH, clean_url
from cms.transfer.importing.context import ImportContext
from cms.transfer.importing.meta import kept_meta
from cms.transfer.wxr.extension import moment_of, text_of
from cms.transfer.wxr.records import AuthorRecord

#: Fits no password.
UNUSABLE = "!"
LONGEST_EMAIL = 100
_NOT_IN_LOGIN = re.compile(r"[^A-Za-z0-9 _.@-]")


def write_author(importing: ImportContext, author: AuthorRecord) -> None:
    """Store an author as an account, unless the account is there: from before, or with the same login."""
    if not author.login:
        importing.report.leave_out("user", "the author has no login")
        return
    known = _find(importing, author.login)
    if known is not None:
        _remember(importing, author, known)
        importing.report.recognise("user")
        return
    if not author.listed:
        importing.tell(
            author.line, f'the author "{author.login}" isn\'t in the list of authors; an account was made'
        )
    _remember(importing, author, importing.insert("users", _columns(importing, author)))
    importing.report.count("user")


def _remember(importing: ImportContext, author: AuthorRecord, id: int) -> None:
    importing.users[author.login] = id
    if author.source_id is not None:
        importing.accounts[author.source_id] = id


def _find(importing: ImportContext, login: str) -> int | None:
    row = importing.site.database.row(
        "SELECT id FROM users WHERE (source_site = ? AND source_id = ?) OR login = ? ORDER BY login = ? LIMIT 1",
        (importing.source, login, login, login),
    )
    return int(row["id"]) if row else None


def _columns(importing: ImportContext, author: AuthorRecord) -> dict[str, str]:
    login = _free_login(importing, author)
    first, last = clean_line(author.first_name), clean_line(author.last_name)
    name = clean_line(author.display_name) or f"{first} {last}".strip() or login
    wanted = (clean_slug(text_of(author.more, "slug")) or clean_slug(login) or "user")[:MAX_SLUG_LENGTH]
    return {
        "login": login,
        "email": _free_email(importing, author),
        "password_hash": UNUSABLE,
        "name": name,
        "sort_name": sort_key(name),
        "first_name": first,
        "last_name": last,
        "slug": importing.site.stores.slugs.free_account(wanted),
        "roles": '["author"]',
        "source_site": importing.source,
        "source_id": author.login,
        **_profile(importing, author, login),
    }


def _profile(importing: ImportContext, author: AuthorRecord, login: str) -> dict[str, str]:
    """Return what only exports of this system tell of an account; it never makes its rights."""
    more = author.more
    url, locale = clean_url(text_of(more, "url")), text_of(more, "locale")
    languages = {locale.code for locale in importing.site.content_registry.locales.values()}
    return {
        "nickname": clean_line(text_of(more, "nickname")) or login,
        "url": url if len(url) <= MAX_URL_LENGTH else "",
        "description": sanitize_description(text_of(more, "description")),
        "locale": locale if locale in languages else "",
        "meta": kept_meta(importing.site, "user", more, lambda told: importing.tell(author.line, told)),
        "registered_gmt": moment_of(more, "registered_gmt") or importing.now,
    }


def clean_login(given: str) -> str:
    """Return a login reduced to the letters and signs that one may have."""
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", given) if not unicodedata.combining(sign))
    return " ".join(_NOT_IN_LOGIN.sub("", plain).split())[:MAX_LOGIN_LENGTH].strip()


def _free_login(importing: ImportContext, author: AuthorRecord) -> str:
    """Return a login that no account has; one that only looks the same after cleaning gets a number."""
    wanted = clean_login(author.login) or "author"
    login, number = wanted, 2
    while importing.site.database.row("SELECT 1 FROM users WHERE login = ?", (login,)) is not None:
        login, number = f"{wanted[: MAX_LOGIN_LENGTH - 6]}-{number}", number + 1
    if login != author.login:
        importing.tell(author.line, f'the login "{author.login}" became "{login}"')
    return login


def _free_email(importing: ImportContext, author: AuthorRecord) -> str:
    if not author.email:
        return ""
    if not EMAIL.fullmatch(author.email) or len(author.email) > LONGEST_EMAIL:
        importing.tell(
            author.line, f'"{author.email}" isn\'t an e-mail address; "{author.login}" has none now'
        )
        return ""
    if importing.site.database.row("SELECT 1 FROM users WHERE email = ?", (author.email,)) is not None:
        importing.tell(
            author.line, f'another account has the address "{author.email}"; "{author.login}" has none now'
        )
        return ""
    return author.email
