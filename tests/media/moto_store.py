"""Another server of an object storage for tests: moto, which Amazon's own library stands behind, with signatures checked by that.

Run as a program with a port and a folder, it heeds the files `.refused` and `.plain` there as `object_store` does. Whoever sends the header
`X-Tests` with the secret needs no signature.
"""

from __future__ import annotations

import hashlib
import io
import re
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from botocore.auth import S3SigV4Auth, S3SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from object_store import KEY, SECRET
from werkzeug.serving import run_simple

Environ = dict[str, Any]


class Checked:
    """Answers what isn't signed right with 403, what it is asked to refuse with 503, and leaves the rest to moto."""

    def __init__(self, app: Any, folder: Path) -> None:
        self.app, self.folder = app, folder
        self.creating = threading.Lock()

    def __call__(self, environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
        if environ.get("HTTP_X_TESTS") == SECRET:
            return self.app({**environ, "HTTP_AUTHORIZATION": "the tests'"}, start)
        asked = f"{environ['REQUEST_METHOD']} {unquote(environ['RAW_URI'])}"
        if self.refuses(asked):
            return answer(start, "503 Service Unavailable", "ServiceUnavailable")
        if not is_signed(environ):
            return answer(start, "403 Forbidden", "SignatureDoesNotMatch")
        if (self.folder / ".plain").exists():
            environ.pop("HTTP_IF_NONE_MATCH", None)
        if "HTTP_IF_NONE_MATCH" not in environ:
            return self.app(environ, start)
        with self.creating:  # moto looks first and stores later
            return list(self.app(environ, start))

    def refuses(self, asked: str) -> bool:
        words = self.folder / ".refused"
        lines = words.read_text().splitlines() if words.exists() else []
        return any(all(word in asked for word in line.split()) for line in lines)


def answer(start: Callable[..., Any], status: str, code: str) -> list[bytes]:
    body = f"<Error><Code>{code}</Code><Message>{code}</Message></Error>".encode()
    start(status, [("Content-Type", "application/xml"), ("Content-Length", str(len(body)))])
    return [body]


def is_signed(environ: Environ) -> bool:
    """Tell whether a request has the signature that botocore makes of it with the key of the tests."""
    sent = environ.get("HTTP_AUTHORIZATION")
    return is_signed_in_header(environ, sent) if sent else is_signed_in_address(environ)


def is_signed_in_header(environ: Environ, sent: str) -> bool:
    said = dict(re.findall(r"(\w+)=([^,\s]+)", sent))
    names = said["SignedHeaders"].split(";")
    headers = {name: environ.get(variable(name), "") for name in names}
    request = AWSRequest(environ["REQUEST_METHOD"], address(environ), headers)
    signature = signed(S3SigV4Auth, request, said["Credential"], headers["x-amz-date"])
    return signature == said["Signature"] and has_sum(environ, headers["x-amz-content-sha256"])


def is_signed_in_address(environ: Environ) -> bool:
    place = urlsplit(address(environ))
    said = {name: values[0] for name, values in parse_qs(place.query).items()}
    if "X-Amz-Signature" not in said:
        return False
    query = "&".join(part for part in place.query.split("&") if not part.startswith("X-Amz-Signature="))
    request = AWSRequest(environ["REQUEST_METHOD"], place._replace(query=query).geturl(), {"host": environ["HTTP_HOST"]})
    return signed(S3SigV4QueryAuth, request, said["X-Amz-Credential"], said["X-Amz-Date"]) == said["X-Amz-Signature"]


def signed(kind: Any, request: AWSRequest, credential: str, moment: str) -> str:
    key, _day, region, service, _end = credential.split("/")
    auth = kind(Credentials(key, SECRET if key == KEY else ""), service, region)
    request.context["timestamp"] = moment
    return str(auth.signature(auth.string_to_sign(request, auth.canonical_request(request)), request))


def has_sum(environ: Environ, told: str) -> bool:
    """Tell whether the body has the sum that was signed with it; it stays to be read."""
    if told == "UNSIGNED-PAYLOAD":
        return True
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    environ["wsgi.input"] = io.BytesIO(body)
    return hashlib.sha256(body).hexdigest() == told


def variable(name: str) -> str:
    upper = name.upper().replace("-", "_")
    return upper if upper in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{upper}"


def address(environ: Environ) -> str:
    return f"http://{environ['HTTP_HOST']}{environ['RAW_URI']}"


def main(port: int, folder: Path) -> None:
    run_simple("127.0.0.1", port, Checked(DomainDispatcherApplication(create_backend_app), folder), threaded=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
