"""The application for ASGI servers: `gunicorn -k asgi cms.asgi.entry:app`."""

from __future__ import annotations

import sys

from cms import create_app
from cms.asgi.bridge import Bridge
from cms.asgi.cached_answers import cached_answers_of
from cms.config import ConfigError
from cms.db.migrate import PendingMigrations
from cms.hooks import PluginError

try:
    application = create_app()
    app = Bridge(application, cached_answers_of(application))
except (ConfigError, PluginError, PendingMigrations) as error:
    sys.exit(str(error))
