"""What a delivery says, and the signature by which a receiver knows that it comes from this site."""

from __future__ import annotations

import hashlib
import hmac
from datetime import UTC, datetime

import orjson

from cms.plugin import Delivery, Site

from .store import TEST

AGENT = "headless-cms-webhooks/1.0"
#: The scheme of the signature; a later one would stand beside it, separated by a comma.
SCHEME = "v1"


def body_of(site: Site, delivery: Delivery) -> bytes:
    """Return the body of a delivery: the same in every try.

    It tells of an item by id and address alone: whoever receives it may not be somebody who may read the item.
    """
    event, link = delivery.event, None
    if event.resource in site.collection_urls and event.item_id:
        link = f"{site.collection_urls[event.resource]}/{event.item_id}"
    return orjson.dumps(
        {
            "id": delivery.id,
            "webhook": int(delivery.target),
            "site": site.url,
            "event": event.name,
            "event_id": None if event.name == TEST else event.id,
            "at": f"{event.at}Z",
            "resource": event.resource,
            "item": event.item_id,
            "user": event.user_id,
            "link": link,
            "data": event.data,
        }
    )


def headers_of(site: Site, delivery: Delivery, secret: str, body: bytes) -> dict[str, str]:
    """Return the headers of a try, signed with the subscription's secret and the present time."""
    timestamp = str(int(datetime.fromisoformat(site.now()).replace(tzinfo=UTC).timestamp()))
    return {
        "Content-Type": "application/json",
        "User-Agent": f"{AGENT} (+{site.url})",
        "X-CMS-Event": delivery.event.name,
        "X-CMS-Delivery": str(delivery.id),
        "X-CMS-Timestamp": timestamp,
        "X-CMS-Signature": f"{SCHEME}={sign(secret, timestamp, body)}",
    }


def sign(secret: str, timestamp: str, body: bytes) -> str:
    """Return the HMAC-SHA256 of timestamp, a dot and body, as hexadecimal digits."""
    return hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
