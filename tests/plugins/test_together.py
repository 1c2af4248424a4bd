"""All bundled plugins on one site."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sites import Client

FOLDER = Path(__file__).parents[2] / "plugins"
NAMES = sorted(path.stem for path in FOLDER.iterdir()
               if not path.name.startswith("_") and (path.suffix == ".py" or (path / "__init__.py").exists()))


def test_all_bundled_plugins_work_side_by_side(bundled: Callable[..., Client]) -> None:
    client = bundled(*NAMES)
    post = client.new("/posts", title="First", content="x")
    menu = client.new("/menus", name="Main")["id"]
    client.new("/menu-items", type="post_type", object_id=post["id"], menus=menu)
    token = client.new(f"/posts/{post['id']}/preview-link")["token"]

    assert set(NAMES) >= {"application_passwords", "editorial", "menus", "seo", "wp_compat"}
    assert client.http.get(f"/wp-json/wp/v2/posts/{post['id']}?preview={token}").json["title"]["rendered"] == "First"
    assert client.http.get("/wp-json/wp/v2/menu-items").json == []
    client.post(f"/posts/{post['id']}", {"status": "publish"})
    shown = client.http.get("/wp-json/wp/v2/menu-items").json
    assert [item["title"]["rendered"] for item in shown] == ["First"]
    assert "/wp-json/wp/v2/posts/" in shown[0]["_links"]["https://api.w.org/menu-item-object"][0]["href"]
    described = client.http.get("/wp-json/").json["routes"]
    assert {"/wp/v2/menu-locations", r"/wp/v2/users/(?P<user_id>[\w-]+)/application-passwords"} <= described.keys()
