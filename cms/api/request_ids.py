"""The id of a request, which its answer, its line in the log and what is logged of a failure have."""

from __future__ import annotations

import re
from random import getrandbits
from wsgiref.types import WSGIEnvironment

from cms.access.proxies import TrustedProxies

HEADER = "X-Request-Id"
VARIABLE = "HTTP_X_REQUEST_ID"
#: Where the id stands that was looked at, among the variables of a request.
REQUEST_ID = "cms.request_id"
#: What a trusted proxy may give a request as its id; anything else is replaced.
ID = re.compile(r"[\w.:-]{1,64}", re.ASCII)


def choose_id(sent: str, peer: str, proxies: TrustedProxies) -> str:
    """Return the id that a request came with, where it came from a trusted proxy, else one of its own."""
    if sent and proxies and ID.fullmatch(sent) and proxies.trusts(peer):
        return sent
    return f"{getrandbits(64):016x}"


def give_id(environ: WSGIEnvironment, peer: str, proxies: TrustedProxies) -> str:
    """Return the id of a request, which is noted among its variables; the header has it too, whatever was sent."""
    known: str | None = environ.get(REQUEST_ID)
    if known is None:
        known = choose_id(environ.get(VARIABLE, ""), peer, proxies)
        environ[REQUEST_ID] = environ[VARIABLE] = known
    return known
