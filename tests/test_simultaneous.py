"""Several clients that create the same thing at the same time."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from sites import Client, basic


@pytest.mark.parametrize(("path", "fields", "made"), [
    ("/posts", {"title": "Same", "status": "publish"}, 8),
    ("/pages", {"title": "Same", "status": "publish"}, 8),
    ("/categories", {"name": "Same"}, 1),
    ("/tags", {"name": "Same", "slug": "same"}, 1),
    ("/comments", {"post": 0, "content": "Same words"}, 1),
    ("/users", {"username": "same", "email": "same@example.org", "password": "pass-word"}, 1),
])
def test_names_stay_unique_and_nobody_gets_a_server_error(
        make_client: Callable[..., Client], path: str, fields: dict[str, Any], made: int) -> None:
    client = make_client()
    if "post" in fields:
        fields = {**fields, "post": client.new("/posts", title="Item", status="publish")["id"]}
    headers = {"Authorization": basic(*client.account("administrator"))}
    together = Barrier(8)

    def create(_: int) -> tuple[int, Any]:
        http = client.app.test_client()
        http.get("/api/cms/v2/users/me", headers=headers)  # signed in, with a connection of this thread's own
        together.wait()
        answer = http.post(f"/api/cms/v2{path}", json=fields, headers=headers)
        client.site.database.close()
        return answer.status_code, answer.json.get("slug", answer.json.get("id"))

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(create, range(8)))

    names = [name for status, name in answers if status == 201]
    assert len(names) == len(set(names)) == made, answers
    assert {status for status, _name in answers} <= {201, 400, 409}
