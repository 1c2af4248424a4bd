"""The application for `flask run`."""

from cms import create_app

app = create_app()
