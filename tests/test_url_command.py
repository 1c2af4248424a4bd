"""`cms url`: addresses in texts are led to where what they name lies now."""

from __future__ import annotations

from pathlib import Path

import pytest
from sites import Client
from test_cli import Terminal

from cms.resources.addresses import AddressRewriter, NoAddress, rewrite_addresses

OLD, NEW = "http://localhost:8000", "https://example.org"


@pytest.mark.parametrize(("text", "wanted"), [
    (f'<img src="{OLD}/uploads/x.jpg">', f'<img src="{NEW}/uploads/x.jpg">'),
    (f"see {OLD}. Then", f"see {NEW}. Then"),
    (f"{OLD}?p=1#x", f"{NEW}?p=1#x"),
    ("https://localhost:8000/a", f"{NEW}/a"),
    ("HTTP://LocalHost:8000/a", f"{NEW}/a"),
    (r'{"url":"http:\/\/localhost:8000\/a"}', r'{"url":"https:\/\/example.org\/a"}'),
    (f"{OLD}1/a", f"{OLD}1/a"),
    (f"{OLD}.evil.example/", f"{OLD}.evil.example/"),
    (f"{OLD}@evil.example/", f"{OLD}@evil.example/"),
    ("http://other.localhost:8000/", "http://other.localhost:8000/"),
    ("localhost:8000", "localhost:8000"),
    ('<img src="//localhost:8000/a">', '<img src="//example.org/a">'),
    (r'{"url":"\/\/localhost:8000\/a"}', r'{"url":"\/\/example.org\/a"}'),
    (r'{"json":"http:\\/\\/localhost:8000\\/a"}', r'{"json":"https:\\/\\/example.org\\/a"}'),
    ("ftp://localhost:8000/a", "ftp://localhost:8000/a"),
    ("https://archive.example//localhost:8000/a", "https://archive.example//localhost:8000/a"),
    (f"https://archive.example/{OLD}/a", f"https://archive.example/{OLD}/a"),
    (f"{NEW}/a", f"{NEW}/a"),
    ("", ""),
])
def test_addresses_are_rewritten_and_nothing_else(text: str, wanted: str) -> None:
    rewriter = AddressRewriter(OLD, f"{NEW}/")
    assert rewriter.rewrite(text) == wanted
    assert rewriter.count == (text != wanted)


def test_folders_of_sites_have_addresses_too() -> None:
    rewriter = AddressRewriter("https://example.org/blog/", "https://blog.example.org")
    assert rewriter.rewrite("https://example.org/blog/a https://example.org/blogs https://example.org/shop") == (
        "https://blog.example.org/a https://example.org/blogs https://example.org/shop")


@pytest.mark.parametrize("address", ["", "example.org", "ftp://example.org", "https://", "https://a b", 'https://a"b', "http://["])
def test_other_things_than_addresses_are_refused(address: str) -> None:
    for pair in ((address, NEW), (NEW, address)):
        with pytest.raises(NoAddress):
            AddressRewriter(*pair)


def test_all_texts_of_a_site_are_rewritten(client: Client) -> None:
    post = client.new("/posts", "administrator", title="Post", status="publish", content=f'<a href="{OLD}/a">x</a>',
                      excerpt=f"{OLD}/b")
    client.post(f"/posts/{post['id']}", {"title": "Changed"}, "administrator")
    comment = client.new("/comments", "administrator", post=post["id"], content=f"{OLD}/c")
    category = client.new("/categories", "administrator", name="C", description=f'<a href="{OLD}/d">x</a>')
    author = client.id_of("author")
    client.post(f"/users/{author}", {"url": f"{OLD}/e"}, "administrator")

    def shown() -> str:
        paths = (f"/posts/{post['id']}", f"/posts/{post['id']}/revisions", f"/comments/{comment['id']}", f"/categories/{category['id']}", f"/users/{author}")
        answers = [client.get(f"{path}?context=edit&_fields=content,excerpt,description,url", "administrator").json
                   for path in paths]
        return str(answers)

    before, version = shown(), client.site.stores.content.find(post["id"])["version"]  # type: ignore[index]
    rewriter = AddressRewriter(OLD, NEW)
    dry = rewrite_addresses(client.site, rewriter, dry=True)
    assert shown() == before

    told: list[tuple[str, int, int | None]] = []
    changed = rewrite_addresses(client.site, AddressRewriter(OLD, NEW), False, lambda *stage: told.append(stage))

    assert changed == dry == {"content": 1, "comments": 1, "terms": 1, "users": 1, "revisions": 1}
    assert rewriter.count == 7
    assert shown() == before.replace(OLD, NEW)
    assert told[-1] == ("rewriting", 5, 5)
    row = client.site.stores.content.find(post["id"])
    assert row is not None
    assert row["version"] == version + 1
    assert rewrite_addresses(client.site, AddressRewriter(OLD, NEW), False) == {}


def test_the_command_tells_and_changes(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "instance")
    terminal.run("init", "--password-stdin", "--demo", input="first password\n")

    dry = terminal.json("url", OLD, NEW, "--dry-run")
    assert dry["dry_run"] is True
    done = terminal.json("url", OLD, NEW)
    assert (done["changed"], done["addresses"]) == (dry["changed"], dry["addresses"])
    refused = terminal.run("url", "nowhere", NEW, code=2)
    assert "isn't an address" in refused.output
