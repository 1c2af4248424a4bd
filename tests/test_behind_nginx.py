"""nginx in front of the site, as docs/proxy.md has it, or of several hosts: addresses, schemes, uploads, limits, strangers' headers, dead hosts."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from clients.served import CMS, ROOT, free_port
from nginx_program import needed_nginx
from sites import basic

pytestmark = pytest.mark.long

PASSWORD = "correct-horse-battery"
ADMIN = {"Authorization": basic("admin", PASSWORD)}
URL = "https://www.example.org"
#: The headers are those of docs/proxy.md; the second server stands for one that speaks HTTPS.
CONFIG = """
daemon off;
master_process off;
error_log stderr {level};
pid {folder}/nginx.pid;
events {{ worker_connections 64; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {servers}
}}
"""
SERVERS = """
    client_max_body_size 2m;
    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_request_buffering off;
    server {{
        listen 127.0.0.1:{plain};
        location / {{ proxy_pass {upstream}; proxy_set_header Host $host;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; proxy_set_header X-Forwarded-Proto $scheme; }}
    }}
    server {{
        listen 127.0.0.1:{secure};
        location / {{ proxy_pass {upstream}; proxy_set_header Host $host;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; proxy_set_header X-Forwarded-Proto https; }}
    }}
"""
#: Tells in headers what the application is told.
ECHO = '''
from cms.plugin import hookimpl

@hookimpl
def wrap_wsgi(application, site):
    def around(environ, start_response):
        def start(status, headers, exc_info=None):
            told = [("X-Client", environ["REMOTE_ADDR"]), ("X-Scheme", environ["wsgi.url_scheme"]),
                    ("X-Script", environ.get("SCRIPT_NAME", ""))]
            return start_response(status, [*headers, *told], exc_info)
        return application(environ, start)
    return around
'''


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Proxied:
    """Ports of nginx, and of the site itself where it has one."""

    plain: int
    secure: int
    site: int | None = None

    def ask(self, method: str, path: str, source: str = "127.0.0.9", port: int | None = None, body: bytes | None = None,
            **headers: str) -> Answer:
        """Send a request from an address of this host; `_` in names of headers stands for a hyphen."""
        connection = http.client.HTTPConnection("127.0.0.1", port or self.plain, 30, (source, 0))
        try:
            sent = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        finally:
            connection.close()


@pytest.fixture(scope="module", params=[("port", "gthread"), ("socket file", "gthread"), ("port", "asgi"), ("socket file", "asgi")],
                ids=" ".join)
def proxied(request: pytest.FixtureRequest) -> Iterator[Proxied]:
    """A served site behind nginx, which reaches it at a port or through a socket file."""
    nginx = needed_nginx()
    listens_at, worker = request.param
    folder = Path(tempfile.mkdtemp(prefix="cms-proxy-"))  # the name of a socket file must be short
    ports = Proxied(free_port(), free_port(), free_port() if listens_at == "port" else None)
    bind = f"127.0.0.1:{ports.site}" if ports.site else f"unix:{folder}/cms.sock"
    upstream = f"http://{bind}"
    servers = SERVERS.format(upstream=upstream, **vars(ports))
    try:
        with serving(folder / "site", bind, "127.0.0.1" if ports.site else "unix", worker), in_front(nginx, folder, servers):
            await_answer(ports)
            yield ports
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def in_front(nginx: str, folder: Path, servers: str, level: str = "warn") -> Iterator[None]:
    """Have nginx answer at the ports that its servers name."""
    (folder / "nginx.conf").write_text(CONFIG.format(folder=folder, servers=servers, level=level), encoding="utf-8")
    with running([nginx, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]):
        yield


@contextmanager
def serving(folder: Path, bind: str, trusted: str, worker: str) -> Iterator[None]:
    environ = {**os.environ, "CMS_INSTANCE": str(folder), "CMS_PASSWORD_COST": "low", "CMS_BACKGROUND": "false",
               "PYTHONPATH": os.environ.get("PYTHONPATH", str(ROOT)), "WEB_CONCURRENCY": "1", "CMS_URL": URL,
               "CMS_TRUSTED_PROXIES": trusted, "CMS_ALLOWED_HOSTS": "127.0.0.1", "CMS_SIGN_IN_FAILURES": "3",
               "CMS_ANONYMOUS_COMMENTS": "true", "CMS_COMMENT_INTERVAL": "60"}
    (folder / "plugins").mkdir(parents=True)
    (folder / "plugins" / "echo.py").write_text(ECHO, encoding="utf-8")
    subprocess.run([*CMS, "init", "--password-stdin"], env=environ, input=PASSWORD, text=True, check=True,
                   capture_output=True, timeout=60)
    with running([*CMS, "serve", "--bind", bind, "--worker", worker], env=environ, stdout=subprocess.DEVNULL):
        yield


@contextmanager
def running(command: list[str], **options: Any) -> Iterator[None]:
    with subprocess.Popen(command, **options) as server:
        try:
            yield
        finally:
            server.terminate()


def await_answer(proxied: Proxied, status: int = 200) -> None:
    for _attempt in range(600):
        try:
            if proxied.ask("GET", "/api/").status == status:
                return
        except OSError:
            pass
        time.sleep(0.05)
    raise AssertionError("nginx doesn't answer")


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_where_no_host_answers_clients_are_told_when_to_ask_again(method: str, tmp_path: Path) -> None:
    nginx = needed_nginx()
    servers = (ROOT / "docs" / "scaling.md").read_text(encoding="utf-8").partition("```nginx\n")[2].partition("```")[0]
    front = Proxied(free_port(), 0)
    for place, port in {"10.0.0.11:8000": free_port(), "10.0.0.12:8000": free_port(), "80;": f"{front.plain};"}.items():
        assert place in servers
        servers = servers.replace(place, f"127.0.0.1:{port}")
    with in_front(nginx, tmp_path, servers, "emerg"):
        await_answer(front, 503)
        answer = front.ask(method, "/api/cms/v2/posts", body=b"{}" if method == "POST" else None)

    assert (answer.status, answer.json["code"], answer.json["data"]["status"]) == (503, "rest_unavailable", 503)
    assert [answer.headers[name] for name in ("Content-Type", "Retry-After", "Cache-Control")] == ["application/json", "5", "no-store"]


def new_post(proxied: Proxied) -> int:
    body = json.dumps({"title": "Item", "status": "publish"}).encode()
    answer = proxied.ask("POST", "/api/cms/v2/posts", body=body, Content_Type="application/json", **ADMIN)
    assert answer.status == 201
    return int(answer.json["id"])


@pytest.mark.parametrize("forged", [None, "203.0.113.1", "127.0.0.1", "203.0.113.1, 127.0.0.1", "unknown", "[::1]:80"])
def test_the_client_is_who_connects_to_the_proxy(proxied: Proxied, forged: str | None) -> None:
    headers = {"X_Forwarded_For": forged} if forged else {}

    assert proxied.ask("GET", "/api/", "127.0.0.2", **headers).headers["X-Client"] == "127.0.0.2"


def test_the_scheme_is_the_proxys(proxied: Proxied) -> None:
    plain = proxied.ask("GET", "/api/", X_Forwarded_Proto="https", X_Forwarded_Ssl="on")
    secure = proxied.ask("GET", "/api/", port=proxied.secure, X_Forwarded_Proto="http")

    assert (plain.headers["X-Scheme"], secure.headers["X-Scheme"]) == ("http", "https")


def test_who_goes_around_the_proxy_is_believed_nothing(proxied: Proxied) -> None:
    if proxied.site is None:
        pytest.skip("nobody but the proxy reaches the socket file")
    answer = proxied.ask("GET", "/api/", "127.0.0.3", proxied.site, X_Forwarded_For="203.0.113.1",
                         X_Forwarded_Proto="https", X_Forwarded_Host="evil.example")

    assert (answer.headers["X-Client"], answer.headers["X-Scheme"]) == ("127.0.0.3", "http")


@pytest.mark.parametrize("name", ["SCRIPT_NAME", "Script-Name", "PATH_INFO", "X-Forwarded-Prefix", "X-Script-Name"])
@pytest.mark.parametrize("direct", [True, False])
def test_no_header_says_where_the_site_lies(proxied: Proxied, name: str, direct: bool) -> None:
    if direct and proxied.site is None:
        pytest.skip("nobody but the proxy reaches the socket file")
    connection = http.client.HTTPConnection("127.0.0.1", proxied.site if direct else proxied.plain, 30)
    connection.request("GET", "/api/cms/v2/posts", headers={name: "/api"})
    answer = connection.getresponse()
    answer.read()
    connection.close()

    assert answer.status == 200
    assert answer.headers["X-Script"] == ""


def test_failed_sign_ins_bar_one_client_and_no_other(proxied: Proxied) -> None:
    def sign_in(source: str, password: str, number: int = 0) -> int:
        return proxied.ask("GET", "/api/cms/v2/users/me", source, X_Forwarded_For=f"203.0.113.{number}",
                           Authorization=basic("admin", password)).status

    assert [sign_in("127.0.0.4", f"wrong {number}", number) for number in range(4)] == [401, 401, 401, 429]
    assert sign_in("127.0.0.4", f"wrong {9}") == 429
    assert sign_in("127.0.0.5", PASSWORD) == 200


def test_a_comment_has_its_writers_address_and_pause(proxied: Proxied) -> None:
    post = new_post(proxied)

    def comment(source: str, text: str) -> int:
        body = {"post": post, "author_name": "A", "author_email": "a@example.org", "content": text}
        return proxied.ask("POST", "/api/cms/v2/comments", source, body=json.dumps(body).encode(),
                           Content_Type="application/json", X_Forwarded_For="203.0.113.1").status

    assert [comment("127.0.0.6", "One"), comment("127.0.0.6", "Two"), comment("127.0.0.7", "Three")] == [201, 429, 201]
    query = f"/api/cms/v2/comments?context=edit&status=all&post={post}&orderby=id&order=asc"
    listed = proxied.ask("GET", query, **ADMIN).json
    assert [each["author_ip"] for each in listed] == ["127.0.0.6", "127.0.0.7"]


def test_uploads_go_through_and_those_that_are_too_large_dont(proxied: Proxied) -> None:
    def upload(content: bytes) -> Answer:
        return proxied.ask("POST", "/api/cms/v2/media", body=content, Content_Type="text/plain",
                           Content_Disposition='attachment; filename="long.txt"', **ADMIN)

    content = b"A line of text.\n" * 100_000
    stored = upload(content)

    assert stored.status == 201
    assert stored.json["source_url"].startswith(f"{URL}/uploads/")
    assert proxied.ask("GET", stored.json["source_url"].removeprefix(URL)).body == content
    assert upload(content * 2).status == 413


@pytest.mark.parametrize("path", ["/api/", "/api/cms/v2/posts", "/uploads/x.png", "//", "/uploads//x"])
def test_strange_hosts_are_refused_and_in_no_address(proxied: Proxied, path: str) -> None:
    refused = proxied.ask("GET", path, Host="evil.example")
    forged = proxied.ask("GET", path, X_Forwarded_Host="evil.example")

    assert (refused.status, refused.json["code"]) == (400, "rest_host_not_allowed")
    assert forged.status in (200, 404)
    assert b"evil.example" not in forged.body + str(forged.headers).encode()


def test_links_lead_to_the_sites_own_address(proxied: Proxied) -> None:
    new_post(proxied), new_post(proxied)

    assert proxied.ask("GET", "/api/cms/v2/posts?per_page=1").headers["Link"].startswith(f"<{URL}/api/cms/v2/posts?")
