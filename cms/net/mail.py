"""Mail out of the site, by the SMTP server of its settings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from cms.config import Config

if TYPE_CHECKING:
    from email.message import EmailMessage
    from smtplib import SMTP

#: Seconds for each step of a conversation with the server.
TIMEOUT = 10.0


class MailFailed(Exception):
    """A mail that the server didn't take; where it is `lasting`, another try would fail too.

    One that is `single` says nothing of mails to others.
    """

    def __init__(self, reason: str, lasting: bool = False, single: bool = False) -> None:
        super().__init__(reason)
        self.lasting, self.single = lasting, single


class Mailer:
    """Sends texts by the server that the settings name, one connection for each."""

    def __init__(self, config: Config) -> None:
        self._config = config

    @property
    def is_on(self) -> bool:
        """Whether the site has a server for its mail."""
        return bool(self._config["mail_host"])

    @property
    def sender(self) -> str:
        """Who mail is from."""
        return str(self._config["mail_from"]) or f"noreply@{self._host}"

    @property
    def _host(self) -> str:
        return urlsplit(self._config["url"]).hostname or "localhost"

    def send(self, address: str, subject: str, text: str) -> None:
        """Send a text to an address; raises MailFailed where the server doesn't take it."""
        # Imported where there is something to send.
        from smtplib import SMTPException

        try:
            with self._connected() as server:
                _deliver(server, self._message(address, subject, text))
        except ValueError as error:
            raise MailFailed(str(error), lasting=True) from None
        except (OSError, SMTPException) as error:
            raise MailFailed(str(error)) from None

    @contextmanager
    def _connected(self) -> Iterator[SMTP]:
        """Connect to the server, encrypted as the settings say, and sign in to it where they have a name for that."""
        import smtplib
        import ssl

        config = self._config
        # The host of the site, which says more than the name of this machine, and needs no asking.
        place = (config["mail_host"], config["mail_port"], self._host)
        # Without a certificate of this host's there is no connection: what follows opens accounts.
        context = ssl.create_default_context()
        if config["mail_security"] == "tls":
            server: SMTP = smtplib.SMTP_SSL(*place, timeout=TIMEOUT, context=context)
        else:
            server = smtplib.SMTP(*place, timeout=TIMEOUT)
        with server:
            if config["mail_security"] == "starttls":
                server.starttls(context=context)
            if config["mail_user"]:
                server.login(config["mail_user"], config["mail_password"])
            yield server

    def _message(self, address: str, subject: str, text: str) -> EmailMessage:
        """Return a text as a mail; raises ValueError for an address that can't be one."""
        from email.message import EmailMessage
        from email.utils import formatdate, make_msgid

        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self.sender, address, subject
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid(domain=self._host)
        # Programs that answer by themselves don't answer this.
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(text)
        return message


def _deliver(server: SMTP, message: EmailMessage) -> None:
    """Give a mail to a server; raises MailFailed for a single one that it refuses, and what else `smtplib` raises."""
    from smtplib import SMTPDataError, SMTPNotSupportedError, SMTPRecipientsRefused

    try:
        server.send_message(message)
    except SMTPRecipientsRefused as error:
        # Its text would have the address, which has no place in a log.
        codes = sorted({code for code, _answer in error.recipients.values()})
        reason = f"the recipient was refused ({codes[0]})"
        raise MailFailed(reason, lasting=codes[0] >= 500, single=True) from None
    except SMTPDataError as error:
        reason = f"the mail was refused ({error.smtp_code})"
        raise MailFailed(reason, lasting=error.smtp_code >= 500, single=True) from None
    except SMTPNotSupportedError as error:
        raise MailFailed(str(error), lasting=True, single=True) from None
