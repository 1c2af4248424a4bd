"""A tour with the client that openapi-python-client makes of a site's document."""

from __future__ import annotations

import json
import os
from io import BytesIO
from pathlib import Path

from cms_client import AuthenticatedClient, Client
from cms_client.api.media import create_media
from cms_client.api.posts import (
    create_posts,
    delete_posts_by_id,
    get_posts_by_id,
    list_posts,
    update_posts_by_id,
)
from cms_client.api.settings import get_settings
from cms_client.models import (
    AttachmentCreate,
    AttachmentEdit,
    Error,
    Post,
    PostCreate,
    PostDeletion,
    PostEdit,
    PostUpdate,
)
from cms_client.types import File

HOME, TOKEN, FILES = os.environ["SITE_HOME"], os.environ["SITE_TOKEN"], Path(os.environ["FILES"])
visitor = Client(base_url=f"{HOME}/api")
cms = AuthenticatedClient(base_url=f"{HOME}/api", token=TOKEN)


def read() -> dict[str, object]:
    answer = list_posts.sync_detailed(client=visitor, per_page=2)
    assert isinstance(answer.parsed, list)
    links = [post.link for post in answer.parsed if isinstance(post, Post)]
    return {"count": int(answer.headers["X-WP-Total"]), "links": len(links)}


def walk() -> dict[str, int]:
    ids: list[int] = []
    cursor: str | None = "*"
    while cursor is not None:
        answer = list_posts.sync_detailed(client=visitor, per_page=100, cursor=cursor)
        assert isinstance(answer.parsed, list)
        ids += [post.id for post in answer.parsed if isinstance(post, Post)]
        cursor = answer.headers.get("X-CMS-Cursor")
    return {"items": len(ids), "different": len(set(ids))}


def write() -> dict[str, object]:
    made = create_posts.sync(client=cms, body=PostCreate(title="Tour", content="a"))
    assert isinstance(made, PostEdit), made
    tag = get_posts_by_id.sync_detailed(made.id, client=cms).headers["ETag"]
    changed = update_posts_by_id.sync(made.id, client=cms, body=PostUpdate(title="Changed"), if_match=tag)
    assert isinstance(changed, PostEdit)
    late = update_posts_by_id.sync_detailed(made.id, client=cms, body=PostUpdate(title="Late"), if_match=tag)
    assert isinstance(late.parsed, Error)
    gone = delete_posts_by_id.sync(made.id, client=cms, force=True)
    assert isinstance(gone, PostDeletion)
    return {"title": changed.title.raw, "late": [int(late.status_code), late.parsed.code]}


def upload() -> dict[str, object]:
    file = File(BytesIO((FILES / "harbour.png").read_bytes()), "harbour.png", "image/png")
    made = create_media.sync(client=cms, body=AttachmentCreate(file=file, alt_text="Harbour"))
    assert isinstance(made, AttachmentEdit)
    return {"alt": made.alt_text, "post": made.post}


def refusals() -> list[object]:
    stranger = AuthenticatedClient(base_url=f"{HOME}/api", token="nonsense")
    hidden = get_settings.sync_detailed(client=stranger)
    assert isinstance(hidden.parsed, Error)
    return [int(hidden.status_code), hidden.parsed.code, hidden.parsed.data.status]


if __name__ == "__main__":
    print(json.dumps({"read": read(), "walk": walk(), "write": write(), "upload": upload(), "refusals": refusals()}))
