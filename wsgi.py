"""The application for WSGI servers: `gunicorn wsgi:app`."""

from __future__ import annotations

import sys

from cms import create_app
from cms.config import ConfigError
from cms.db.migrate import PendingMigrations
from cms.hooks import PluginError

try:
    app = create_app()
except (ConfigError, PluginError, PendingMigrations) as error:
    sys.exit(str(error))
