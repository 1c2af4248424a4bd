"""A served site in which every screen of the editing page has something to show, and the addresses of these screens."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import requests
from clients.served import Prepared, Served, serve_copy
from screens import Api, pictures

PLUGINS = "application_passwords,declared_types,editorial,events,menus,redirects,seo,webhooks"
RECIPE = """
[type]
name = "recipe"
base = "recipes"
label = "Recipes"

[[field]]
name = "serves"
kind = "integer"
minimum = 1
filterable = true

[[field]]
name = "course"
kind = "choice"
choices = { main = "Main dish", sweet = "Something sweet" }

[[field]]
name = "goes_with"
kind = "relation"
to = "recipe"

[[field]]
name = "ingredients"
kind = "repeat"

  [[field.field]]
  name = "what"
"""
#: Nothing listens there, so that what is sent to it fails.
DEAF = "127.0.0.1:9"
TEXT = "<!-- wp:heading -->\n<h2>High water</h2>\n<!-- /wp:heading -->\n\n<!-- wp:paragraph -->\n<p>At six, and again at half past six.</p>\n<!-- /wp:paragraph -->"


@contextmanager
def serve_furnished(prepared: Prepared, folder: Path) -> Iterator[Served]:
    """Serve a copy of the demo site with bundled plugins and a declared type."""
    before, after = folder / "before", folder / "after"
    shutil.copytree(prepared.folder, before)
    (before / "types").mkdir()
    (before / "types" / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    with (before / "config.toml").open("a", encoding="utf-8") as file:
        file.write(f'\n[webhooks]\nallow = ["{DEAF}"]\n')
    with serve_copy(replace(prepared, folder=before), after, CMS_PLUGINS=PLUGINS, CMS_BACKGROUND="true") as site:
        yield site


def furnish(served: Served) -> dict[str, str]:
    """Fill a site and return the address of every screen, by a name for it."""
    api = Api(served)
    post = api.post("/posts", {"title": "Tide tables", "content": TEXT, "status": "draft", "categories": [1]})
    api.post(f"/posts/{post['id']}", {"title": "Tide tables of the harbour", "content": TEXT.replace("six", "seven"), "status": "publish"})
    api.post(f"/posts/{post['id']}", {"excerpt": "When the water is high, and when it is low."})
    api.post("/posts", {"title": "Waits for review", "status": "pending"})
    api.post("/posts", {"title": "In the spring", "status": "publish", "date": "2040-03-01T09:00:00"})
    term = api.post("/categories", {"name": "Harbours"})
    api.post("/categories", {"name": "Small harbours", "parent": term["id"]})
    comment = api.post("/comments", {"post": post["id"], "content": "How high is it in spring?", "author_name": "Ann", "author_email": "ann@example.org"})
    api.post(f"/comments/{comment['id']}", {"status": "hold"})
    recipe = api.post("/recipes", {"title": "Broth", "status": "publish", "serves": 2, "course": "main", "ingredients": [{"what": "eggs"}]})
    media = [upload(api, file) for file in pictures(3)]
    api.post(f"/media/{media[0]['id']}", {"alt_text": "A jetty at low water"})
    menu = api.post("/menus", {"name": "Main"})
    first = api.post("/menu-items", {"menus": menu["id"], "title": "Home", "url": "https://example.org/", "type": "custom", "status": "publish", "menu_order": 1})
    api.post("/menu-items", {"menus": menu["id"], "title": "Tides", "url": "https://example.org/tides", "type": "custom", "status": "publish", "menu_order": 2, "parent": first["id"]})
    hook = api.post("/webhooks", {"url": f"http://{DEAF}/hook", "events": ["post.*"], "description": "The front end"})
    api.post(f"/webhooks/{hook['id']}/test", {})
    api.post("/users/me/application-passwords", {"name": "Publishing from the telephone"})
    return {
        "overview": "", "posts": "posts", "posts-draft": "posts?status=draft&search=a", "post-new": "posts/new", "post": f"posts/{post['id']}",
        "revisions": f"posts/{post['id']}/revisions", "pages": "pages", "categories": "categories", "category": f"categories/{term['id']}",
        "tags": "tags", "media": "media", "media-rows": "media?view=rows", "file": f"media/{media[0]['id']}", "comments": "comments",
        "comment": f"comments/{comment['id']}", "recipes": "recipes", "recipe": f"recipes/{recipe['id']}", "events": "events", "event-new": "events/new",
        "menus": "menus", "menu": f"menus/{menu['id']}", "menu-item": f"menus/items/{first['id']}", "accounts": "users", "account": "users/1",
        "account-new": "users/new", "profile": "profile", "settings": "settings", "plugins": "plugins", "webhooks": "webhooks",
        "webhook": f"webhooks/{hook['id']}", "waiting-events": "site/events", "backups": "site/backups", "state": "site/doctor",
    }


def upload(api: Api, file: Any) -> Any:
    """Upload a file to the library."""
    answer = requests.post(f"{api.root}/media", files={"file": (file["name"], file["buffer"], file["mimeType"])}, auth=api.auth, timeout=20)
    assert answer.ok, answer.text
    return answer.json()


def wait_for_failure(api: Api, hook: str) -> None:
    """Wait until a delivery of a webhook has been tried."""
    for _attempt in range(200):
        if any(delivery["tries"] for delivery in api.get(f"/{hook}/deliveries")):
            return
        time.sleep(0.1)
    raise AssertionError("no delivery is tried")
