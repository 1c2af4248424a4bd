"""The application for WSGI servers: `gunicorn wsgi:app`."""

from cms import create_app

app = create_app()
