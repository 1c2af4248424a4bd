"""A second factor: codes that are good for once, recovery codes, and no way around it by the password alone."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, unquote, urlsplit

import pyotp
import pytest
from defusedxml import ElementTree
from sites import Client, Clock, basic

from admin.pages import Browser
from cms.testing.client import PASSWORD


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(make_client: Callable[..., Client], clock: Clock) -> Client:
    client = make_client(admin=True)
    client.site.context.runtime.now = clock
    return client


class Phone:
    """An authenticator app, at the site's own time."""

    def __init__(self, secret: str, clock: Clock) -> None:
        self._totp, self._clock = pyotp.TOTP(secret), clock

    def code(self, steps: int = 0) -> str:
        """Return the code of a step, counted from now."""
        return str(self._totp.at(int(self._clock.now), counter_offset=steps))


def turned_on(client: Client, clock: Clock) -> tuple[Browser, Phone, list[str]]:
    """Return an editor's browser, and phone and recovery codes of the second factor that it has turned on."""
    browser = Browser(client)
    browser.sign_in()
    made = browser.send("POST", "two-factor", {"password": PASSWORD}).json
    phone = Phone(made["secret"], clock)
    codes = browser.send("PUT", "two-factor", {"code": phone.code()}).json["recovery_codes"]
    clock.now += 90
    return browser, phone, codes


def test_the_app_gets_the_secret_as_an_address_too(client: Client) -> None:
    browser = Browser(client)
    browser.sign_in()
    made = browser.send("POST", "two-factor", {"password": PASSWORD}).json

    uri = urlsplit(made["uri"])
    assert (uri.scheme, uri.netloc, parse_qs(uri.query)) == ("otpauth", "totp", {"secret": [made["secret"]], "issuer": ["A new site"]})
    assert uri.path.endswith(":editor")
    assert browser.send("GET", "session").json["two_factor"] is False
    assert Browser(client).sign_in().status_code == 200


def test_the_app_gets_it_as_a_picture_that_holds_no_more_than_that(client: Client) -> None:
    browser = Browser(client)
    browser.sign_in()
    made = browser.send("POST", "two-factor", {"password": PASSWORD}).json

    kind, _comma, text = unquote(made["picture"]).partition(",")
    assert kind.startswith("data:image/svg+xml")
    picture = ElementTree.fromstring(text)
    assert picture.get("width") == picture.get("height")
    assert {each.tag.rpartition("}")[2] for each in picture.iter()} == {"svg", "g", "path"}


def test_signing_in_takes_a_code(client: Client, clock: Clock) -> None:
    browser, phone, codes = turned_on(client, clock)

    assert browser.send("GET", "session").json["two_factor"] is True
    assert len(set(codes)) == 10
    asked = Browser(client).sign_in()
    assert (asked.status_code, asked.json["code"], "Set-Cookie" in asked.headers) == (401, "cms_second_factor_required", False)
    assert Browser(client).sign_in(code=phone.code()).status_code == 200


@pytest.mark.parametrize(("steps", "fits"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_a_code_may_be_a_step_early_or_late(client: Client, clock: Clock, steps: int, fits: bool) -> None:
    phone = turned_on(client, clock)[1]

    assert (Browser(client).sign_in(code=phone.code(steps)).status_code == 200) is fits


def test_a_code_is_good_for_once(client: Client, clock: Clock) -> None:
    phone = turned_on(client, clock)[1]
    code = f"{phone.code()[:3]} {phone.code()[3:]}"

    statuses = [Browser(client).sign_in(code=code).status_code for _time in range(2)]
    clock.now += 30
    again = Browser(client).sign_in(code=code)

    assert statuses == [200, 401]
    assert again.json["code"] == "cms_second_factor_wrong"


def test_the_code_that_turned_it_on_signs_nobody_in(client: Client, clock: Clock) -> None:
    phone = turned_on(client, clock)[1]
    clock.now -= 90

    assert Browser(client).sign_in(code=phone.code()).status_code == 401


def test_a_recovery_code_is_good_for_once(client: Client, clock: Clock) -> None:
    codes = turned_on(client, clock)[2]

    assert [Browser(client).sign_in(code=code).status_code for code in (codes[0], codes[0], codes[1].upper().replace("-", " "))] == [200, 401, 200]


def test_neither_secret_nor_recovery_codes_are_stored_readably(client: Client, clock: Clock) -> None:
    browser = Browser(client)
    browser.sign_in()
    secret = browser.send("POST", "two-factor", {"password": PASSWORD}).json["secret"]
    codes = browser.send("PUT", "two-factor", {"code": Phone(secret, clock).code()}).json["recovery_codes"]

    stored = repr(client.site.database.tuples("SELECT * FROM second_factors"))
    assert secret not in stored
    assert not [code for code in codes if code in stored or code.replace("-", "") in stored]


def test_the_password_alone_doesnt_pass_it_by(client: Client, clock: Clock) -> None:
    turned_on(client, clock)
    headers = {"Authorization": basic("editor", PASSWORD)}

    for _remembered in range(2):
        answer = client.http.get("/api/cms/v2/users/me", headers=headers)
        assert (answer.status_code, answer.json["code"]) == (401, "cms_second_factor_required")
    assert client.http.get("/api/cms/v2/users/me", headers={"Authorization": basic("editor@example.org", PASSWORD)}).status_code == 401


def test_a_wrong_password_isnt_told_of_the_second_factor(client: Client, clock: Clock) -> None:
    turned_on(client, clock)
    answer = client.http.get("/api/cms/v2/users/me", headers={"Authorization": basic("editor", "wrong")})

    assert answer.json["code"] == "rest_invalid_credentials"
    assert Browser(client).sign_in(password="wrong", code="123456").json["code"] == "rest_invalid_credentials"


def test_tokens_sign_in_without_it(client: Client, clock: Clock) -> None:
    turned_on(client, clock)
    _id, token = client.site.tokens.create(client.id_of("editor"), "Program", "all", None)

    assert client.http.get("/api/cms/v2/users/me", headers={"Authorization": f"Bearer {token}"}).status_code == 200
    assert client.http.get("/api/cms/v2/users/me", headers={"Authorization": basic("editor", token)}).status_code == 200


def test_guesses_of_codes_are_counted(make_client: Callable[..., Client], clock: Clock) -> None:
    client = make_client(admin=True, sign_in_failures=3)
    client.site.context.runtime.now = clock
    phone = turned_on(client, clock)[1]

    statuses = [Browser(client).sign_in(code="000000").status_code for _time in range(4)]
    assert statuses == [401, 401, 401, 429]
    assert Browser(client).sign_in(code=phone.code()).status_code == 429


def test_guesses_of_codes_are_counted_wherever_they_come_from(make_client: Callable[..., Client], clock: Clock) -> None:
    client = make_client(admin=True, sign_in_failures=3)
    client.site.context.runtime.now = clock
    browser, phone, codes = turned_on(client, clock)

    statuses = [Browser(client, f"2001:db8:{number:x}::1").sign_in(code="000000").status_code for number in range(5)]
    assert statuses == [401, 401, 401, 429, 429]
    assert [Browser(client, "192.0.2.7").sign_in(code=code).status_code for code in (phone.code(), codes[0])] == [429, 429]
    assert browser.send("GET", "sessions").status_code == 200

    clock.now += 601
    assert Browser(client, "192.0.2.7").sign_in(code=phone.code()).status_code == 200
    assert Browser(client, "192.0.2.7").sign_in(code=codes[0]).status_code == 200


def test_a_wrong_first_code_turns_nothing_on(client: Client) -> None:
    browser = Browser(client)
    browser.sign_in()
    assert browser.send("PUT", "two-factor", {"code": "123456"}).json["code"] == "cms_second_factor_absent"
    browser.send("POST", "two-factor", {"password": PASSWORD})
    assert (browser.send("PUT", "two-factor", {"code": "12345"}).status_code, Browser(client).sign_in().status_code) == (400, 200)


def test_turning_it_on_ends_the_sessions_that_began_without_it(client: Client, clock: Clock) -> None:
    former = Browser(client)
    former.sign_in()
    browser = turned_on(client, clock)[0]

    assert former.send("GET", "session").json["signed_in"] is False
    assert browser.send("GET", "session").json["signed_in"] is True


@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_changing_it_takes_the_password(client: Client, method: str) -> None:
    browser = Browser(client)
    browser.sign_in()

    wrong = browser.send(method, "two-factor", {"password": "wrong"})
    assert (wrong.status_code, list(wrong.json["data"]["params"])) == (400, ["password"])
    assert browser.send(method, "two-factor", {}).status_code == 400
    assert Browser(client).send(method, "two-factor", {"password": PASSWORD}).status_code == 401


def test_it_is_turned_off_and_on_anew(client: Client, clock: Clock) -> None:
    browser = turned_on(client, clock)[0]
    assert browser.send("POST", "two-factor", {"password": PASSWORD}).json["code"] == "cms_second_factor_on"

    assert browser.send("DELETE", "two-factor", {"password": PASSWORD}).json == {"deleted": True}
    assert browser.send("DELETE", "two-factor", {"password": PASSWORD}).json == {"deleted": False}
    assert Browser(client).sign_in().status_code == 200
    assert browser.send("POST", "two-factor", {"password": PASSWORD}).json["secret"]


def test_plugins_hear_of_it(extended: Callable[..., Client], clock: Clock) -> None:
    client = extended('''
@hookimpl
def after_action(action, site):
    seen.append((action.name, action.title, action.principal.login, action.principal.sign_in))

@hookimpl
def after_sign_in(sign_in, site):
    seen.append((sign_in.kind, sign_in.succeeded))
''', admin=True)
    client.site.context.runtime.now = clock
    browser = turned_on(client, clock)[0]
    Browser(client).sign_in(code="000000")
    browser.send("DELETE", "two-factor", {"password": PASSWORD})

    import plugin_one

    assert plugin_one.seen == [
        ("password", True), ("second_factor.on", "editor", "editor", "session"), ("second_factor", False),
        ("second_factor.off", "editor", "editor", "session")]


def test_a_deleted_account_takes_it_along(client: Client, clock: Clock) -> None:
    turned_on(client, clock)
    client.delete(f"/users/{client.id_of('editor')}?force=true&reassign=1", "administrator")

    assert not client.site.database.exists("SELECT 1 FROM second_factors")
