"""What WSGI says of a request, made of what ASGI says of it: as gunicorn's WSGI workers do."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, MutableMapping
from functools import lru_cache
from typing import IO, Any
from urllib.parse import SplitResult, unquote_to_bytes, urlsplit
from wsgiref.types import WSGIEnvironment

from gunicorn import SERVER_SOFTWARE

from cms.asgi.files import FileBlocks

#: What an ASGI server says of a request, or of the process.
Scope = MutableMapping[str, Any]
#: The path below which the site lies, as WSGI servers are told.
SCRIPT_NAME = os.environ.get("SCRIPT_NAME", "")
PORTS = {"http": "80", "https": "443"}
#: Headers that WSGI knows without the prefix.
PLAIN = {b"content-type": "CONTENT_TYPE", b"content-length": "CONTENT_LENGTH"}


def build_environ(scope: Scope, body: IO[bytes]) -> WSGIEnvironment:
    """Return the variables of a request whose body is read from a stream that ends where the body does."""
    path, query = scope["raw_path"].decode("latin-1"), scope["query_string"].decode("latin-1")
    uri = f"{path}?{query}" if query else path
    if not path.startswith("/") or "#" in uri:
        parts = _split(uri)
        path, query = parts.path, parts.query
    script_name = scope.get("root_path") or SCRIPT_NAME
    environ: WSGIEnvironment = {
        "wsgi.errors": sys.stderr,
        "wsgi.version": (1, 0),
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.file_wrapper": FileBlocks,
        "wsgi.input_terminated": True,
        "wsgi.input": body,
        "wsgi.url_scheme": scope["scheme"],
        "SERVER_SOFTWARE": SERVER_SOFTWARE,
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REQUEST_METHOD": scope["method"],
        "RAW_URI": uri,
        "QUERY_STRING": query,
        "SCRIPT_NAME": script_name,
        "PATH_INFO": path_info(path.removeprefix(script_name)),
    }
    _add_headers(environ, scope["headers"])
    _add_addresses(environ, scope)
    return environ


def has_body(headers: list[tuple[bytes, bytes]]) -> bool:
    """Tell whether a request with these headers has a body."""
    for name, value in headers:
        if name == b"transfer-encoding" or (name == b"content-length" and value.strip(b"0 ")):
            return True
    return False


def _split(uri: str) -> SplitResult:
    """Return the parts of an address that isn't a path, or has a fragment; what is none is a path that isn't there."""
    try:
        return urlsplit(uri)
    except ValueError:
        return SplitResult("", "", uri, "", "")


def path_info(path: str) -> str:
    """Return a path as WSGI has it: decoded, each byte a letter."""
    if "%" not in path:
        return path
    return unquote_to_bytes(path).decode("latin-1")


@lru_cache(maxsize=512)
def _variable(name: bytes) -> str:
    """Return the variable of a header; none for names with underscores, which could pass for others."""
    if b"_" in name:
        return ""
    return PLAIN.get(name) or "HTTP_" + name.decode("latin-1").upper().replace("-", "_")


def _add_headers(environ: WSGIEnvironment, headers: list[tuple[bytes, bytes]]) -> None:
    for name, value in headers:
        variable = _variable(name.lower())
        if not variable:
            continue
        if variable in environ and variable.startswith("HTTP_"):
            environ[variable] += "," + value.decode("latin-1")
        else:
            environ[variable] = value.decode("latin-1")


def _add_addresses(environ: WSGIEnvironment, scope: Scope) -> None:
    """Add who asks and who is asked; through a socket file nobody has an address, and the header Host has the name."""
    client, server = scope.get("client"), scope.get("server")
    if client and server:
        environ["REMOTE_ADDR"], environ["REMOTE_PORT"] = client[0], str(client[1])
        environ["SERVER_NAME"], environ["SERVER_PORT"] = server[0], str(server[1])
        return
    environ["REMOTE_ADDR"] = ""
    environ["SERVER_NAME"], environ["SERVER_PORT"] = _named_server(environ, scope["scheme"])


def _named_server(environ: Mapping[str, Any], scheme: str) -> tuple[str, str]:
    name, colon, port = environ.get("HTTP_HOST", "").partition(":")
    if colon or not name:
        return name, port
    return name, PORTS.get(scheme, "")
