"""The guarded client: where it goes, where it doesn't, and that names can't lead it astray."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest
from old_site import LOCAL, Answer, OldSite, serve_old_site
from urllib3.exceptions import HTTPError

from cms.net.client import Client, Failed
from cms.net.hosts import Refused


@pytest.fixture
def old() -> Iterator[OldSite]:
    with serve_old_site() as site:
        yield site


@pytest.fixture
def client() -> Client:
    """One that may reach this machine, by any name of `.example` too."""
    return Client(timeout=5, exempt=LOCAL, resolver=lambda name: ["127.0.0.1"])


def get(client: Client, address: str, method: str = "GET", **options: object) -> tuple[int, bytes]:
    with client.open(method, address, **options) as answer:  # type: ignore[arg-type]
        return answer.status, b"".join(answer.stream(decode_content=False))


def test_an_answer_is_read_in_pieces(old: OldSite, client: Client) -> None:
    old.answers["/a%20b/%C3%BC?q=%C3%A4"] = Answer(b"x" * 200_000)
    assert get(client, f"{old.home}/a b/ü?q=ä") == (200, b"x" * 200_000)
    assert get(client, f"{old.home}/none") == (404, b"")


def test_the_host_is_named_as_it_was_asked_for(old: OldSite, client: Client) -> None:
    get(client, f"http://Old.EXAMPLE:{old.port}/")
    assert old.asked[0][1] == f"old.example:{old.port}"


@pytest.mark.parametrize("address", [
    "http://127.0.0.1:{port}/", "http://localhost:{port}/", "http://[::1]:{port}/", "http://[::ffff:127.0.0.1]:{port}/",
    "http://0.0.0.0:{port}/", "http://2130706433:{port}/", "http://0x7f.1:{port}/", "http://017700000001:{port}/",
    "http://127.1:{port}/", "http://169.254.169.254/latest/meta-data", "https://10.0.0.1/",
    "http://user@127.0.0.1:{port}/", "http://user:pass@example.org/", "http://example.org\\@127.0.0.1/",
    "file:///etc/passwd", "ftp://example.org/x", "gopher://example.org/", "//example.org/x", "/x", "", "http://", "http:///x",
    "http://example.org:0/", "http://example.org:99999/", "http://example.org:x/", "http://[::1", "http://[fe80::1%25lo]/",
])
def test_nothing_private_and_nothing_odd_is_visited(old: OldSite, address: str) -> None:
    with pytest.raises(Refused):
        get(Client(timeout=5), address.format(port=old.port))
    assert old.asked == []


def test_redirects_are_followed(old: OldSite, client: Client) -> None:
    old.answers |= {"/a": Answer(status=301, headers={"Location": "/b"}),
                    "/b": Answer(status=302, headers={"Location": f"http://other.example:{old.port}/c"}),
                    "/c": Answer(b"here")}
    assert get(client, f"{old.home}/a", headers={"Authorization": "secret"}) == (200, b"here")
    # What one host is told in confidence isn't told to the next.
    assert [credentials for _path, _host, credentials in old.asked] == ["secret", "secret", ""]


def test_without_redirects_a_redirect_is_the_answer(old: OldSite) -> None:
    old.answers |= {"/a": Answer(status=301, headers={"Location": "/b"}), "/b": Answer(b"here")}
    assert get(Client(timeout=5, exempt=LOCAL, redirects=0), f"{old.home}/a") == (301, b"")
    assert old.paths == ["/a"]


def test_an_address_can_be_checked_without_a_request(old: OldSite) -> None:
    Client(exempt=LOCAL).check(old.home)
    Client(resolver=lambda name: ["93.184.215.14"]).check("https://open.example/")
    with pytest.raises(Refused, match="open internet"):
        Client().check(old.home)
    with pytest.raises(Refused, match="http://"):
        Client(exempt=LOCAL).check("ftp://127.0.0.1/")
    assert old.asked == []


@pytest.mark.parametrize(("status", "method", "body"), [(307, "POST", b"data"), (308, "POST", b"data"),
                                                        (302, "GET", b""), (303, "GET", b"")])
def test_a_body_is_sent_again_where_the_status_says_so(old: OldSite, client: Client, status: int, method: str,
                                                       body: bytes) -> None:
    old.answers |= {"/a": Answer(status=status, headers={"Location": "/b"}), "/b": Answer(b"ok")}
    assert get(client, f"{old.home}/a", "POST", body=b"data") == (200, b"ok")
    assert old.bodies == [b"data", body]


def test_redirects_come_to_an_end(old: OldSite, client: Client) -> None:
    old.answers["/a"] = Answer(status=302, headers={"Location": "/a"})
    with pytest.raises(Failed, match="more than 5 times"):
        get(client, f"{old.home}/a")
    assert len(old.asked) == 6


@pytest.mark.parametrize("location", [
    "http://10.0.0.1/", "http://localhost/", "http://169.254.169.254/", "file:///etc/passwd", "//[::1]/", "http://[x/",
    "http://user:pass@example.org/", "http://2130706433/",
])
def test_a_redirect_leads_to_nothing_private(old: OldSite, location: str) -> None:
    old.answers["/a"] = Answer(status=302, headers={"Location": location})
    # Only the first host is exempt, by an address that nothing else has.
    client = Client(timeout=5, exempt=("127.0.0.1/32",), resolver=lambda name: ["127.0.0.2"])
    with pytest.raises(Refused):
        get(client, f"{old.home}/a")
    assert old.paths == ["/a"]


def test_a_second_resolution_changes_nothing(old: OldSite, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name is resolved once; the connection goes to what was checked, by its number."""
    answers = iter([["93.184.216.34"], ["127.0.0.1"]])
    connected: list[object] = []

    def connect(self: socket.socket, address: object) -> None:
        connected.append(address)
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr(socket.socket, "connect", connect)
    client = Client(timeout=5, resolver=lambda name: next(answers))
    with pytest.raises(Failed, match="can't be reached"):
        get(client, f"http://rebinding.example:{old.port}/")
    assert connected == [("93.184.216.34", old.port)]
    # The next request asks again, and what it is told now is refused.
    with pytest.raises(Refused):
        get(client, f"http://rebinding.example:{old.port}/")
    assert old.asked == []


def test_the_next_address_is_tried_where_one_is_out_of_reach(old: OldSite) -> None:
    client = Client(timeout=5, exempt=LOCAL, resolver=lambda name: ["127.0.0.2", "127.0.0.1"])
    assert get(client, f"http://old.example:{old.port}/")[0] == 404


def test_proxies_of_the_environment_are_ignored(old: OldSite, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1/")
    assert get(client, f"{old.home}/")[0] == 404


def test_a_name_that_leads_nowhere_is_told(client: Client) -> None:
    def none(name: str) -> list[str]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    with pytest.raises(Failed, match=r'no host "gone\.example"') as failed:
        get(Client(resolver=none), "http://gone.example/")
    assert failed.value.lasting


def test_silence_has_an_end() -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        with pytest.raises(Failed, match="gave no answer"):
            get(Client(timeout=0.2, exempt=LOCAL), f"http://127.0.0.1:{server.getsockname()[1]}/")


def test_stopping_ends_what_is_under_way(old: OldSite, client: Client) -> None:
    old.answers["/slow"] = Answer(b"x" * 10, headers={"Content-Length": "1000000"})
    threading.Timer(0.2, client.stop).start()
    with pytest.raises(HTTPError):
        get(client, f"{old.home}/slow")
    with pytest.raises(Failed, match="stopped"):
        get(client, f"{old.home}/slow")


def test_tls_is_asked_for_by_name_though_the_connection_is_by_number() -> None:
    named: list[str | None] = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.sni_callback = lambda _socket, name, _context: named.append(name)
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()

        def shake_hands() -> None:
            accepted, _address = server.accept()
            with accepted, suppress(OSError):
                context.wrap_socket(accepted, server_side=True)

        thread = threading.Thread(target=shake_hands)
        thread.start()
        client = Client(timeout=5, exempt=LOCAL, resolver=lambda name: ["127.0.0.1"])
        with pytest.raises(Failed):  # the server has no certificate
            get(client, f"https://old.example:{server.getsockname()[1]}/")
        thread.join()
    assert named == ["old.example"]
