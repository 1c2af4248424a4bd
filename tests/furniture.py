"""Something of everything that a site can hold, made over HTTP."""

from __future__ import annotations

from typing import Any

from media.uploading import read, send_raw
from sites import Client

TEXT = "Ärger & <b>“Zitat”</b> ]]> \\ 'x'\r\n\r\n<!-- wp:paragraph -->\n\n[a] %d\t— 日本 עברית 👩‍👧 &amp; &lt; \u2028\x85 "
LONG = "x" * 195


def furnish(client: Client) -> None:
    """Fill a site that knows the template wide.html."""
    client.post("/settings", {"title": "A & “B” <c> 'd'", "description": "&amp;amp;", "language": "id_ID",
                              "timezone": "America/New_York"}, "administrator")
    add_accounts(client)
    posts = add_posts(client, **add_terms(client))
    add_pages(client)
    add_comments(client, posts)
    for name in ("trashed", "trashed draft"):
        client.send("DELETE", f"/posts/{posts[name]}", "editor")
    client.new("/posts", title="In its place", status="publish", slug=LONG)


def add_accounts(client: Client) -> None:
    """Add accounts, one with a value in every field."""
    client.new("/users", "administrator", username="some.one@x", email="some@example.org", password="secret words",
               name="N & n", first_name="F 'f'", last_name="L", nickname="Nick", slug="größe", locale="en_US",
               description="<em>x</em>\ny", url="http://example.org/?a=1&b=2", roles=["editor"])
    for role in ("editor", "author", "subscriber"):
        client.account(role)


def add_terms(client: Client) -> dict[str, int]:
    """Add categories, the first below those made later, and tags."""
    client.post("/categories/1", {"name": "General & <i>", "description": "For all else"})
    category = client.new("/categories", name="Below", slug="below", description=TEXT)["id"]
    above = client.new("/categories", name="Above & <b>", slug="größe")["id"]
    middle = client.new("/categories", name="Middle", parent=above)["id"]
    client.post(f"/categories/{category}", {"parent": middle})
    tag = client.new("/tags", name="T & 't'", slug="日本", description=" x ")["id"]
    client.new("/tags", name="Nowhere")
    return {"category": category, "tag": tag}


def add_posts(client: Client, category: int, tag: int) -> dict[str, int]:
    """Add posts in every state and return their ids; ids before them are free."""
    first = client.new("/posts", title="Gone for good", status="publish")
    client.send("DELETE", f"/posts/{first['id']}?force=true", "editor")
    picture = send_raw(client, "harbour.png", read("harbour.png")).json["id"]
    client.post(f"/media/{picture}", {"alt_text": "A & b", "caption": TEXT, "description": TEXT, "title": "P & q"})
    fields: dict[str, dict[str, Any]] = {
        "whole": {"title": TEXT, "content": TEXT, "excerpt": TEXT, "slug": "größe", "status": "publish",
                  "author": client.id_of("author"), "date_gmt": "2021-11-07T06:30:00", "sticky": True,
                  "format": "aside", "categories": [category, 1], "tags": [tag], "featured_media": picture},
        "locked": {"title": "L", "status": "publish", "password": " p w \n", "comment_status": "closed",
                   "ping_status": "closed", "template": "wide.html"},
        "bare": {"title": "No category", "status": "publish", "categories": []},
        "future": {"title": "F", "status": "future", "date_gmt": "2998-01-01T00:00:00"},
        "private": {"title": "Pr", "status": "private"},
        "pending": {"title": "Pe", "status": "pending", "slug": "pe"},
        "floating": {"content": "No title, no date"},
        "dated": {"title": "D", "date_gmt": "2020-11-01T06:30:00"},
        "trashed": {"title": "Tr", "status": "publish", "slug": LONG, "sticky": True},
        "trashed draft": {"title": "Td", "slug": "td"},
    }
    made = {name: client.new("/posts", **given)["id"] for name, given in fields.items()}
    send_raw(client, "report.pdf", read("report.pdf"), query=f"?post={made['whole']}", as_="editor")
    return made


def add_pages(client: Client) -> None:
    """Add pages of the same slug in several places, and one below a page that is made later."""
    top = client.new("/pages", title="Same", slug="same", status="publish", menu_order=-3)["id"]
    other = client.new("/pages", title="Other", status="publish")["id"]
    for parent in (top, other):
        client.new("/pages", title="Same", slug="same", status="publish", parent=parent, template="wide.html")
    client.new("/pages", title="Same", slug="same-2", status="publish")
    low = client.new("/pages", title="Low", parent=other)["id"]
    client.new("/pages", title="Draft", slug="draft", parent=low)
    above = client.new("/pages", title="Made last", status="publish")["id"]
    client.post(f"/pages/{top}", {"parent": above})


def add_comments(client: Client, posts: dict[str, int]) -> None:
    """Add comments in every state, with an answer that was made before what it answers."""
    about = {"author_name": "N & <n>", "author_email": "n@example.org"}

    def add(post: str, content: str, **fields: Any) -> int:
        return int(client.new("/comments", "administrator", post=posts[post], content=content, **about, **fields)["id"])

    first = add("whole", TEXT, author_url="http://example.org/?a=1&b=2", author_ip="10.0.0.1",
                author_user_agent="A <b>", date_gmt="2021-11-07T06:30:00")
    answer = add("whole", "Answer", parent=first, author=client.id_of("subscriber"), status="hold")
    late = add("whole", "Late", status="approved")
    client.post(f"/comments/{first}", {"parent": late}, "administrator")
    add("bare", "Spam", status="spam")
    add("trashed", "Stays with the post", status="hold")
    client.send("DELETE", f"/comments/{answer}", "administrator")
