"""What the tests of the screens do again and again: signing in, saving, and asking the API beside the page."""

from __future__ import annotations

import io
import re
from typing import Any

import requests
from clients.served import Served
from PIL import Image
from playwright.sync_api import FilePayload, Locator, Page, Response, expect


class Api:
    """Asks the API of a served site as its administrator."""

    def __init__(self, served: Served, login: str = "", password: str = "") -> None:
        self.root = f"{served.home}/api/cms/v2"
        self.auth = (login or served.login, password or served.password)

    def get(self, path: str, **query: object) -> Any:
        return self._answered(requests.get(self.root + path, params=query, auth=self.auth, timeout=20))  # type: ignore[arg-type]

    def post(self, path: str, body: dict[str, object]) -> Any:
        return self._answered(requests.post(self.root + path, json=body, auth=self.auth, timeout=20))

    def fields(self, path: str) -> Any:
        return self._answered(requests.options(self.root + path, auth=self.auth, timeout=20))

    def _answered(self, answer: requests.Response) -> Any:
        assert answer.ok, answer.text
        return answer.json()


def sign_in(page: Page, login: str, password: str, address: str = "/admin/") -> None:
    """Sign in on the page and wait for the overview."""
    page.goto(address)
    page.get_by_label("Username or e-mail address").fill(login)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="Overview").wait_for()


def show(page: Page, address: str, heading: str | re.Pattern[str]) -> None:
    """Open a screen and wait for its heading."""
    page.goto(f"/admin/#/{address}")
    page.get_by_role("heading", name=heading, level=1).wait_for()


def save_and_wait(page: Page, button: str, message: str) -> None:
    """Press a button that saves, and wait for the answer and until the page says that it was done.

    The words alone may still stand there from the save before.
    """
    with page.expect_response(is_answer_to_a_save) as saved:
        page.get_by_role("button", name=button, exact=True).click()
    assert saved.value.ok, saved.value.text()
    expect(page.get_by_text(message, exact=True).first).to_be_visible()


def is_answer_to_a_save(answer: Response) -> bool:
    return answer.request.method != "GET" and "/api/cms/" in answer.url and "/autosaves" not in answer.url


def write_text(page: Page, text: str) -> None:
    """Type into the editor of texts."""
    page.locator(".editor-text").click()
    page.keyboard.type(text)


def pictures(number: int) -> list[FilePayload]:
    """Return files of pictures with names that tell them apart."""
    made: list[FilePayload] = []
    for index in range(number):
        file = io.BytesIO()
        Image.new("RGB", (320, 200), (index * 10 % 255, 90, 120)).save(file, "PNG")
        made.append({"name": f"picture-{index}.png", "mimeType": "image/png", "buffer": file.getvalue()})
    return made


def press(page: Page, button: Locator) -> None:
    """Reach a button and press it, by keys."""
    reach(page, button)
    page.keyboard.press("Enter")


def reach(page: Page, target: Locator, key: str = "Tab") -> None:
    """Go on from the present place by a key until a control has the focus."""
    target.wait_for()
    for _step in range(150):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{target} isn't reached")
