"""What shows an item × status × role × own or another's × language × alias: seen where the oracle says so, else told nowhere."""

from __future__ import annotations

from itertools import cycle

import pytest

from cms.testing import Client
from fuzzing.test_writes import ROLES, _targets, client
from fuzzing.write_oracle import Target, may_change, may_read

__all__ = ["client"]

#: Each is asked in turn, so that over roles and items every route is asked below every one.
HOMES = ("//api/cms/v2", "//id/api/cms/v2", "//wp-json/wp/v2", "//id/wp-json/wp/v2", "//?rest_route=/wp/v2")
#: Routes that show an item, and whether they take the right to edit it.
SHOWING = (("/{type}/{id}", False), ("/{type}/{id}?context=embed", False), ("/{type}?include={id}", False), ("/{type}/{id}?context=edit", True),
           ("/{type}/{id}/revisions", True), ("/{type}/{id}/autosaves", True))


@pytest.mark.parametrize("collection", ["posts", "pages", "events"])
def test_items_are_seen_by_whom_the_oracle_says(client: Client, collection: str) -> None:
    wrong, cells, homes = [], 0, cycle(HOMES)
    for role in ROLES:
        for target in _targets(client, collection, role):
            for route, is_editing in SHOWING:
                home = next(homes)
                path = home + route.format(type=collection, id=target.id).replace("?", "&" if "?" in home else "?")
                is_seen = may_change(role, target) if is_editing else may_read(role, target)
                if "include" in route:
                    is_seen = target.status == "publish"  # the usual list is of these
                cells += 1
                if _is_shown(client, path, role, target) != is_seen:
                    wrong.append((role, target, path))
    print(cells, "cells")
    assert wrong == []


def _is_shown(client: Client, path: str, role: str | None, target: Target) -> bool:
    answer = client.get(path, role)
    assert client.send("HEAD", path, role).status_code == answer.status_code
    return answer.status_code == 200 and ("autosaves" in path or answer.json != [])


@pytest.mark.parametrize("collection", ["posts", "pages", "events"])
def test_a_text_behind_a_password_is_seen_by_whom_the_oracle_says(client: Client, collection: str) -> None:
    wrong, cells, homes = [], 0, cycle(HOMES)
    for role in ROLES:
        for target in _targets(client, collection, role):
            if target.status != "publish":
                continue
            client.send("POST", f"/{collection}/{target.id}", "administrator", json={"password": "pw", "content": "zqxlocked"})
            for query in ("_embed", "password=pw", "context=edit"):
                home = next(homes)
                path = f"{home}/{collection}/{target.id}" + ("&" if "?" in home else "?") + query
                is_seen = query == "password=pw" or (query == "context=edit" and may_change(role, target))
                cells += 1
                if ("zqxlocked" in client.get(path, role).text) != is_seen:
                    wrong.append((role, target, path))
    print(cells, "cells")
    assert wrong == []
