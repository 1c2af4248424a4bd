"""A forgotten password: a mail with a link for whoever has an account, and the same answer to all who ask."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from sites import Client, Clock

from admin.pages import Browser

FORGOTTEN = {"accepted": True}


class Postman:
    """Takes mail, or answers what it is set to."""

    def __init__(self) -> None:
        self.answer, self.mails, self.signed_in = "250 OK", list[EmailMessage](), list[bytes]()
        self.busy, self.refuses_at = "", "RCPT"

    async def handle_RCPT(self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]) -> str:  # noqa: N802
        if address == self.busy and self.refuses_at == "RCPT":
            return "450 Mailbox busy"
        envelope.rcpt_tos.append(address)
        return self.answer

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        mail = message_from_bytes(envelope.original_content or b"", policy=policy.default)
        assert isinstance(mail, EmailMessage)
        assert mail["To"] == ", ".join(envelope.rcpt_tos)
        if mail["To"] == self.busy:
            return "452 Mailbox full"
        self.mails.append(mail)
        return "250 OK"

    def authenticate(self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: object) -> AuthResult:
        assert isinstance(data, LoginPassword)
        self.signed_in += [data.login, data.password]
        return AuthResult(success=data.password == b"a secret")


class AnyPort(Controller):
    """A server at a port that the system chooses."""

    def _trigger_server(self) -> None:
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[Postman, int]]:
    """A server for mail on this machine, with its port."""
    postman = Postman()
    controller = AnyPort(postman, "127.0.0.1", 0, auth_require_tls=False, authenticator=postman.authenticate)
    controller.start()
    yield postman, controller.port
    controller.stop()


@pytest.fixture
def postman(server: tuple[Postman, int]) -> Postman:
    server[0].__init__()  # type: ignore[misc]
    return server[0]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def make_mailing(make_client: Callable[..., Client], server: tuple[Postman, int], postman: Postman, clock: Clock) -> Callable[..., Client]:
    """Make a site that sends its mail to that server."""

    def make(**settings: Any) -> Client:
        client = make_client(**{"admin": True, "mail_host": "127.0.0.1", "mail_port": server[1], "mail_security": "none", **settings})
        client.site.context.runtime.now = clock
        client.account("editor")
        return client

    return make


@pytest.fixture
def client(make_mailing: Callable[..., Client]) -> Client:
    return make_mailing()


def ask(client: Client, name: str, address: str = "192.0.2.1") -> Any:
    return Browser(client, address).send("POST", "forgot", {"username": name})


def work(client: Client) -> None:
    assert "password mails" in (client.site.worker.run_due() or [])


def token_in(mail: EmailMessage) -> str:
    found = re.search(r"^https?://cms\.example/admin/#/reset/([\w-]{40,})$", mail.get_content().replace("\r\n", "\n"), re.MULTILINE)
    assert found
    return found[1]


@pytest.mark.parametrize("name", ["editor", "EDITOR@example.org"])
def test_the_mail_has_a_link_that_sets_a_password_once(client: Client, postman: Postman, name: str) -> None:
    asked = ask(client, name)
    assert (asked.status_code, asked.json, postman.mails) == (202, FORGOTTEN, [])
    work(client)

    [mail] = postman.mails
    assert (mail["To"], mail["From"], mail["Subject"]) == ("editor@example.org", "noreply@cms.example", "A new password for A new site")
    body = {"token": token_in(mail), "password": "a-much-better-one"}
    assert [Browser(client).send("POST", "reset", body).status_code for _time in range(2)] == [200, 410]
    work(client)
    assert len(postman.mails) == 1


def compared(headers: Any) -> dict[str, str]:
    return {name: value for name, value in headers if name not in ("Date", "X-Request-Id")}


@pytest.mark.parametrize("name", ["nobody@example.org", "a\r\nTo: b@example.org"])
def test_names_that_no_account_has_get_the_same_answer_and_no_mail(client: Client, postman: Postman, name: str) -> None:
    known, unknown = ask(client, "editor"), ask(client, name, "192.0.2.2")
    assert (unknown.status_code, unknown.data) == (known.status_code, known.data)
    assert compared(unknown.headers) == compared(known.headers)
    work(client)

    assert [mail["To"] for mail in postman.mails] == ["editor@example.org"]


def test_it_is_written_in_the_language_of_the_account(client: Client, postman: Postman) -> None:
    client.post(f"/users/{client.id_of('editor')}", {"locale": "id_ID"}, "administrator")
    ask(client, "editor")
    work(client)

    assert postman.mails[0]["Subject"] == "Kata sandi baru untuk A new site"


def test_an_account_gets_three_mails_an_hour_and_an_address_asks_ten_times(client: Client, postman: Postman, clock: Clock) -> None:
    answers = [ask(client, "editor").status_code for _time in range(10)]
    assert [*answers, ask(client, "editor").status_code, ask(client, "nobody").status_code] == [202] * 10 + [429] * 2
    work(client)
    assert len(postman.mails) == 3

    clock.now += 3601
    assert ask(client, "editor").status_code == 202
    work(client)
    assert len(postman.mails) == 4


def test_a_server_that_fails_gets_it_later(client: Client, postman: Postman, clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    postman.answer = "451 Not now"
    ask(client, "editor")
    work(client)
    assert "couldn't be sent: the recipient was refused (451)" in caplog.text
    assert "example.org" not in caplog.text
    postman.answer = "250 OK"
    work(client)
    assert postman.mails == []

    clock.now += 61
    work(client)
    assert len(postman.mails) == 1


@pytest.mark.parametrize("step", ["RCPT", "DATA"])
def test_a_mailbox_that_is_busy_holds_up_nobody_elses_mail(client: Client, postman: Postman, clock: Clock, step: str) -> None:
    client.account("author")
    postman.busy, postman.refuses_at = "author@example.org", step
    ask(client, "author")
    ask(client, "editor")
    work(client)
    work(client)
    assert [mail["To"] for mail in postman.mails] == ["editor@example.org"]

    postman.busy = ""
    clock.now += 61
    work(client)
    assert [mail["To"] for mail in postman.mails] == ["editor@example.org", "author@example.org"]


def test_it_isnt_tried_again_where_that_is_in_vain(client: Client, postman: Postman, clock: Clock) -> None:
    postman.answer = "550 No such mailbox"
    ask(client, "editor")
    work(client)
    postman.answer = "250 OK"
    clock.now += 61
    work(client)

    assert postman.mails == []


def test_the_site_signs_in_to_its_server(make_mailing: Callable[..., Client], postman: Postman) -> None:
    client = make_mailing(mail_user="site", mail_password="a secret", mail_from="The Harbour <site@example.org>")
    ask(client, "editor")
    work(client)

    assert postman.signed_in == [b"site", b"a secret"]
    assert postman.mails[0]["From"] == "The Harbour <site@example.org>"


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_nothing_is_sent_in_the_clear_where_it_is_to_be_encrypted(
    make_mailing: Callable[..., Client], postman: Postman, security: str, caplog: pytest.LogCaptureFixture
) -> None:
    client = make_mailing(mail_security=security, mail_user="site", mail_password="a secret")
    ask(client, "editor")
    work(client)

    assert "couldn't be sent" in caplog.text
    assert (postman.mails, postman.signed_in) == ([], [])


def test_a_page_of_another_site_asks_for_nothing(client: Client, postman: Postman) -> None:
    answer = Browser(client).send("POST", "forgot", {"username": "editor"}, Origin="https://evil.example")
    ask(client, "nobody")
    work(client)

    assert (answer.status_code, postman.mails) == (403, [])


def test_it_is_offered_where_there_is_a_server_alone(client: Client, make_client: Callable[..., Client]) -> None:
    assert Browser(client).send("GET", "session").json["sends_mail"] is True
    without = make_client(admin=True)

    assert Browser(without).send("GET", "session").json["sends_mail"] is False
    refused = ask(without, "editor")
    assert (refused.status_code, refused.json["code"]) == (501, "cms_no_mail")
    assert "password mails" not in (without.site.worker.run_due() or [])
