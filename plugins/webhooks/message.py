"""What a delivery says, and the signature by which a receiver knows that it comes from this site."""

from __future__ import annotations

import hashlib
import hmac
from datetime import UTC, datetime

import orjson

from cms.plugin import Site

from .store import DeliveryRow, DueRow

AGENT = "headless-cms-webhooks/1.0"
#: The scheme of the signature; a later one would stand beside it, separated by a comma.
SCHEME = "v1"


def body_of(site: Site, row: DeliveryRow) -> bytes:
    """Return the body of a delivery: the same in every try.

    It tells of an item by id and address alone: whoever receives it may not be somebody who may read the item.
    """
    link = None
    if row["resource"] in site.collection_urls and row["item_id"]:
        link = f"{site.collection_urls[row['resource']]}/{row['item_id']}"
    return orjson.dumps(
        {
            "id": row["id"],
            "webhook": row["webhook_id"],
            "site": site.url,
            "event": row["event"],
            "event_id": row["event_id"],
            "at": f"{row['at_gmt']}Z",
            "resource": row["resource"],
            "item": row["item_id"],
            "user": row["user_id"],
            "link": link,
            "data": orjson.loads(row["data"]),
        }
    )


def headers_of(site: Site, row: DueRow, body: bytes) -> dict[str, str]:
    """Return the headers of a try, signed with the subscription's secret and the present time."""
    timestamp = str(int(datetime.fromisoformat(site.now()).replace(tzinfo=UTC).timestamp()))
    return {
        "Content-Type": "application/json",
        "User-Agent": f"{AGENT} (+{site.url})",
        "X-CMS-Event": row["event"],
        "X-CMS-Delivery": str(row["id"]),
        "X-CMS-Timestamp": timestamp,
        "X-CMS-Signature": f"{SCHEME}={sign(row['secret'], timestamp, body)}",
    }


def sign(secret: str, timestamp: str, body: bytes) -> str:
    """Return the HMAC-SHA256 of timestamp, a dot and body, as hexadecimal digits."""
    return hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
