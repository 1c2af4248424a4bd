"""How gunicorn serves a site: settings for a host with one gigabyte of memory, which its own options override."""

from __future__ import annotations

import gc
import os
import sys
from typing import Any

from cms.config import SETTINGS

THREADS: int = next(setting.default for setting in SETTINGS if setting.name == "threads")
ASGI = "asgi"

bind = "127.0.0.1:8000"

# The application is loaded once and shared by the workers, which fork from it.
preload_app = True
workers = int(os.environ.get("WEB_CONCURRENCY") or 2)
worker_class = "cms.cli.threads.ThreadWorker"
threads = int(os.environ.get("CMS_THREADS") or THREADS)

timeout = 60
graceful_timeout = 30
keepalive = 5
# A worker that has answered this many requests makes room for a new one, not all of them at the same time.
max_requests = 50_000
max_requests_jitter = 5_000
# Queries with long lists of ids.
limit_request_line = 8_190

# What proxies tell of a request is read by the site, by its setting trusted_proxies. Nobody tells gunicorn anything:
# by itself it believes whoever connects from this host or to a socket file, a header SCRIPT_NAME included.
forwarded_allow_ips = ""
secure_scheme_headers: dict[str, str] = {}
forwarder_headers = ""

# Workers show that they live by touching a file; in memory no slow disk can make them look dead.
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 (gunicorn makes the name)
control_socket_disable = True
errorlog = "-"
loglevel = "warning"
accesslog = "-"
logger_class = "cms.api.request_log.RequestLogger"


def pre_fork(server: Any, worker: Any) -> None:
    """Keep the garbage collector of workers away from what they share: memory is shared until somebody writes to it."""
    gc.freeze()


def on_starting(server: Any) -> None:
    """Keep gunicorn from warning that its worker for ASGI has no threads: they are the application's."""
    if ASGI in server.cfg.worker_class_str:
        server.cfg.set("threads", 1)


def post_worker_init(worker: Any) -> None:
    """Let plugins start and timed work begin in each worker, before its first request."""
    worker.app.wsgi().extensions["cms"].start()


def when_ready(server: Any) -> None:
    """Print the addresses to open once the site listens, and begin to log requests as the settings say."""
    site = server.app.wsgi().extensions["cms"]
    server.log.style = site.config["request_log"]
    lines = [
        f"The site {site.settings['title']!r} is being served. Open one of these, end with Ctrl-C:",
        f"  {site.url}/    says what this is",
        f"  {site.api_url}/    lists every route and argument",
        f"  {site.api_url}/cms/v2/posts    the newest posts",
    ]
    if site.config["admin"]:
        lines.append(f"  {site.url}{site.base}/admin/    edits the site")
    site.close()
    print(*lines, sep="\n", file=sys.stdout, flush=True)
