"""What the tests of media share: sending files, and looking at what lies in the folder of uploads."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

from sites import Client
from werkzeug.test import TestResponse

FILES = Path(__file__).parent / "files"


def send_raw(client: Client, name: str, data: bytes, as_: str = "author", query: str = "", **headers: str) -> TestResponse:
    """Send a file as the body of a request."""
    # Clients send names in UTF-8, which WSGI hands on as Latin-1.
    wire = name.encode().decode("latin-1")
    sent = {"Content-Type": "application/octet-stream", "Content-Disposition": f'attachment; filename="{wire}"', **headers}
    return client.send("POST", f"/media{query}", as_, data=data, headers=sent)


def send_form(client: Client, name: str, data: bytes, as_: str = "author", **fields: Any) -> TestResponse:
    """Send a file as a part of a form."""
    form = {**fields, "file": (BytesIO(data), name)}
    return client.send("POST", "/media", as_, data=form, content_type="multipart/form-data")


def read(name: str) -> bytes:
    """Return one of the real files."""
    return (FILES / name).read_bytes()


def kept_files(client: Client) -> list[str]:
    """Return the paths of all files in the folders of uploads and arrivals."""
    folders = (client.site.config.uploads, client.site.config.incoming)
    return sorted(path.relative_to(client.site.config.instance).as_posix()
                  for folder in folders for path in folder.rglob("*") if path.is_file())


def fetch(client: Client, address: str, **options: Any) -> TestResponse:
    """Fetch a file by the address that an item tells."""
    assert address.startswith("http://cms.example/uploads/")
    # Buffered: a server closes what it has sent, the test client would leave it open.
    return client.http.get(address.removeprefix("http://cms.example"), buffered=True, **options)
