"""Texts that a site gives to clients and takes back: nobody else can read, make or change them."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import blake2b, shake_256
from hmac import compare_digest

TAG_SIZE = 16


class BrokenSeal(Exception):
    """A text was changed, or sealed with another key or for something else."""


def seal(key: bytes, data: bytes, purpose: bytes) -> str:
    """Return data as a text for addresses that only the same key and purpose open: equal texts for equal data."""
    tag = _tag(key, data, purpose)
    return urlsafe_b64encode(tag + _covered(key, data, tag)).rstrip(b"=").decode()


def unseal(key: bytes, text: str, purpose: bytes) -> bytes:
    """Return what was sealed; raises BrokenSeal for everything that `seal` hasn't made so."""
    try:
        sealed = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        raise BrokenSeal(text) from None
    tag = sealed[:TAG_SIZE]
    data = _covered(key, sealed[TAG_SIZE:], tag)
    is_whole = compare_digest(tag, _tag(key, data, purpose))
    # Decoding passes over signs that aren't of its alphabet.
    if not is_whole or seal(key, data, purpose) != text:
        raise BrokenSeal(text)
    return data


def _tag(key: bytes, data: bytes, purpose: bytes) -> bytes:
    parts = len(purpose).to_bytes(8, "big") + purpose + data
    return blake2b(parts, digest_size=TAG_SIZE, key=key, person=b"tag").digest()


def _covered(key: bytes, data: bytes, tag: bytes) -> bytes:
    """Return data covered by a stream that depends on the key and the tag, or uncovered again."""
    stream = shake_256(b"stream" + key + tag).digest(len(data))
    return bytes(one ^ other for one, other in zip(data, stream, strict=True))
