"""How many bytes the long texts of an item may have: settings of the site bound them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cms.config import Config
from cms.errors import ApiError
from cms.i18n import _
from cms.schema.field import Field


def check_text_sizes(fields: Mapping[str, Field], args: Mapping[str, Any], config: Config) -> None:
    """Raise ApiError with the status 413 for a text that is larger than its setting allows."""
    for name, field in fields.items():
        text = args.get(name)
        if not field.max_bytes_setting or not isinstance(text, str):
            continue
        most = int(config[field.max_bytes_setting])
        # No character has more than four bytes, so that most texts needn't be encoded.
        if 4 * len(text) > most and (size := len(text.encode(errors="replace"))) > most:
            message = _(
                "This is too large: %(name)s. It has %(size)s bytes, and the setting %(setting)s allows %(most)s.",
                name=name,
                size=size,
                setting=field.max_bytes_setting,
                most=most,
            )
            raise ApiError("rest_text_too_large", message, 413)
