"""The site for ASGI servers: the WSGI application in threads of its own, behind an event loop that has the clients."""
