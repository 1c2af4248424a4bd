"""Settings for `gunicorn wsgi:app` in this folder: those of `cms serve`."""

from cms.cli.serving import *  # noqa: F403
