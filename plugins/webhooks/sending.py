"""Sending a delivery to the address of its subscription, and what its answer means."""

from __future__ import annotations

import logging

from cms.plugin import Delivery, DeliveryFailed, Failed, Refused, Site

from .message import body_of, headers_of
from .store import PLUGIN, WebhookRow, WebhookStore
from .targets import Targets

GONE = 410

log = logging.getLogger("cms")


def send(site: Site, delivery: Delivery, targets: Targets) -> int:
    """Send a delivery and return the status of the answer, of which nothing else is read.

    Raises DeliveryFailed for any answer but success; after 410 the subscription is switched off.
    """
    webhook = WebhookStore(site.database).find(delivery.target)
    if webhook is None:  # it was removed since the event was addressed to it
        site.outbox.deliveries(PLUGIN).forget(delivery.target)
        raise DeliveryFailed("there is no such webhook any more", is_final=True)
    try:
        code, retry_after = _post(site, delivery, webhook, targets)
    except (Refused, Failed) as refusal:
        raise DeliveryFailed(str(refusal)) from None
    if 200 <= code < 300:
        return code
    if code == GONE:
        _switch_off(site, webhook)
    raise DeliveryFailed(f"it answered {code}", code, retry_after, is_final=code == GONE)


def _post(site: Site, delivery: Delivery, webhook: WebhookRow, targets: Targets) -> tuple[int, int]:
    """Return the answer's status and for how many seconds it asks to wait."""
    url, body = webhook["url"], body_of(site, delivery)
    headers = headers_of(site, delivery, webhook["secret"], body)
    with targets.client(url).open("POST", url, headers=headers, body=body) as answer:
        wait = answer.headers.get("Retry-After", "")
        is_number = wait.isascii() and wait.isdecimal() and len(wait) < 10
        return answer.status, int(wait) if is_number else 0


def _switch_off(site: Site, webhook: WebhookRow) -> None:
    with site.database.write():
        if WebhookStore(site.database).switch_off(webhook):
            site.outbox.deliveries(PLUGIN).pause(str(webhook["id"]))
    log.warning("plugin webhooks: webhook %s is switched off, its receiver is gone", webhook["id"])
