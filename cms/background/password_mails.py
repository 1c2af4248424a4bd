"""Links to new passwords by mail: who asks is answered at once and alike; accounts are looked up by timed work."""

from __future__ import annotations

import html
import logging
from collections.abc import Callable
from functools import partial
from gettext import NullTranslations

from cms.access.password_links import SECONDS, PasswordLinks
from cms.access.rate_limit import Limit, Throttle, network, require_room
from cms.access.sessions import unavailable
from cms.context import SiteContext
from cms.db import mail_rows
from cms.db.mail_rows import Forgotten
from cms.db.models import UserRow
from cms.i18n import _, translate
from cms.net.mail import Mailer, MailFailed

#: How often an address may ask, and how many mails an account gets, in how many seconds.
ASKING, OF_ACCOUNT = Limit(10, 3600), Limit(3, 3600)
#: How many wishes wait at most; and after how many seconds a mail is tried again, times the number of tries.
MOST, PAUSE = 1000, 60

log = logging.getLogger("cms")


class PasswordMails:
    """The wishes for new passwords of one site, and the mails that answer them."""

    def __init__(
        self,
        site: SiteContext,
        links: PasswordLinks,
        translation: Callable[[str], NullTranslations],
    ) -> None:
        self._site, self._links, self._translation = site, links, translation
        self._mailer = Mailer(site.config)
        self._asking = Throttle(site.runtime, "forgotten passwords", ASKING)
        self._of_account = Throttle(site.runtime, "password mails", OF_ACCOUNT)

    @property
    def is_on(self) -> bool:
        """Whether people can ask for a mail: the site has an editing page, and a server for its mail."""
        return bool(self._site.config["admin"]) and self._mailer.is_on

    def ask(self, name: str, address: str) -> None:
        """Note that somebody wants a link for the account of this login or e-mail address, if there is one.

        Does the same whether there is or not. Raises ApiError where too many were asked for from an address, and
        where nothing can be noted.
        """
        require_room(self._asking.take(network(address)))
        if not self._site.runtime.write(partial(mail_rows.add, name=name, now=self._now(), most=MOST), False):
            raise unavailable()

    def send(self, is_stopping: Callable[[], bool]) -> None:
        """Deal with all wishes that are due; after one that fails the others wait too, unless it was refused alone."""
        runtime = self._site.runtime
        while not is_stopping():
            wish = runtime.read(partial(mail_rows.find_next, now=self._now()), None)
            if wish is None:
                return
            try:
                self._answer(wish)
            except MailFailed as error:
                log.warning("a mail with a link to a new password couldn't be sent: %s", error)
                if not error.lasting and wish.asked + SECONDS > self._now():
                    until = self._now() + PAUSE * (wish.tries + 1)
                    # Whoever has an account whose mailbox is always busy would hold up the mail of all.
                    postpone = mail_rows.postpone_one if error.single else mail_rows.postpone
                    runtime.write(partial(postpone, id=wish.id, until=until), None)
                    if error.single:
                        continue
                    return
            runtime.write(partial(mail_rows.delete, id=wish.id), None)

    def _answer(self, wish: Forgotten) -> None:
        """Send the mail of a wish, if it is for an account that may have one now; raises MailFailed."""
        found = self._site.stores.users.find_by_name(wish.name)
        account = None if found is None else self._site.stores.users.find(found["id"])
        if account is None or not account["email"]:
            return
        if wish.tries == 0 and self._of_account.take(str(account["id"])):
            return
        self._mailer.send(account["email"], *self._written(account, self._links.make(account)))

    def _written(self, account: UserRow, token: str) -> tuple[str, str]:
        """Return subject and text of a mail in the language of its account."""
        site = self._site
        title = " ".join(html.unescape(site.settings["title"] or site.url).split())
        subject = _("A new password for %(site)s", site=title)
        link = f"{site.url}{site.base}/admin/#/reset/{token}"
        asked = _("Somebody asked for a new password for the account %(login)s.", login=account["login"])
        parts = [
            asked,
            _("If it was you, choose one at this address within an hour. It can be used once."),
            link,
            _("If it wasn't you, there is nothing to do: your password stays as it is."),
            f"{title}\n{site.url}",
        ]
        translation = self._translation(account["locale"])
        return translate(subject, translation), "\n\n".join(translate(parts, translation)) + "\n"

    def _now(self) -> int:
        return int(self._site.runtime.now())
