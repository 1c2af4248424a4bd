"""The server's side of the editing page at /admin: its files, signing in to it, and what the API has no route for."""
