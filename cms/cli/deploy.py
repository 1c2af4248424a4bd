"""`cms unit` and `cms nginx`: what systemd and nginx need to be told of a site, made of its settings."""

from __future__ import annotations

import os
import pwd
import re
import sys
from pathlib import Path
from urllib.parse import urlsplit

import click

from cms.access.proxies import TrustedProxies
from cms.cli.faults import WrongUse
from cms.cli.instance import Instance, pass_instance
from cms.config import Config

#: What `cms serve` needs to end: requests that are being answered, and a job that runs.
SECONDS_TO_STOP = 45
HOMES = ("/home", "/root", "/run/user")
UNIT = """\
# Written by "{command}". Put it into /etc/systemd/system/{name}.service, then:
#   systemctl daemon-reload && systemctl enable --now {name}
[Unit]
Description={description}
After=network.target

[Service]
Type={type}
User={user}
WorkingDirectory={folder}
ExecStart={start}
{reload}KillMode=mixed
TimeoutStopSec={seconds}
Restart=always
RestartSec=2
{runtime}
# What the site may write to, and nothing else.
ProtectSystem=strict
ProtectHome={home}
ReadWritePaths={writable}
PrivateTmp=yes
PrivateDevices=yes
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
LockPersonality=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service

[Install]
WantedBy=multi-user.target
"""
#: Nothing of a request's client may decide where it is led: what is forwarded is what nginx itself knows.
SERVER = """\
{advice}server {{
{listen}
    server_name {host};
    client_max_body_size {most};

    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_set_header X-Request-Id $request_id;
    proxy_request_buffering off;        # uploads are streamed to the site's disk

    location / {{
        proxy_pass {upstream};
    }}

    # For monitoring on this host alone.
    location ~ ^/(healthz|readyz|metrics)$ {{
        allow 127.0.0.1;
        allow ::1;
        deny all;
        proxy_pass {upstream};
    }}
}}
"""
REDIRECT = """
server {{
    listen 80;
    listen [::]:80;
    server_name {host};
    return 301 {url}$request_uri;
}}
"""

bind_option = click.option(
    "--bind",
    default="127.0.0.1:8000",
    show_default=True,
    metavar="HOST:PORT",
    help="Where the site listens, as cms serve has it: an address with a port, or unix:PATH.",
)


@click.command()
@bind_option
@click.option("--user", help="The account that runs it; the owner of the instance folder without it.")
@click.option("--work", is_flag=True, help="For cms work: the timed work, where background is off.")
@pass_instance
def unit(instance: Instance, bind: str, user: str | None, work: bool) -> None:
    """Print a systemd service for this site, which may write to its own folders and do little else."""
    instance.require_site()
    config = instance.config()
    _check_bind(bind)
    name = "cms-work" if work else "cms"
    command = f"{name.replace('-', ' ')} of {config['url']}"
    click.echo(
        UNIT.format(
            command="cms unit --work" if work else "cms unit",
            name=name,
            description=_escaped(command),
            type="exec" if work else "notify",
            user=user or _owner(config.instance),
            folder=_escaped(str(config.instance)),
            start=" ".join([*_program(), "--instance", _quoted(config.instance), *_arguments(bind, work)]),
            reload="" if work else "ExecReload=/bin/kill -HUP $MAINPID\n",
            seconds=SECONDS_TO_STOP,
            runtime="" if work else _runtime_folder(bind),
            home="read-only" if _is_at_home(config) else "yes",
            writable=" ".join(map(_quoted, _writable(config))),
        ),
        nl=False,
    )


def _program() -> list[str]:
    """Return how systemd calls this very program."""
    program = Path(sys.executable).parent / "cms"
    if program.exists():
        return [_quoted(program)]
    return [_quoted(Path(sys.executable)), "-m", "cms.cli"]


def _arguments(bind: str, work: bool) -> list[str]:
    return ["work"] if work else ["serve", "--bind", _escaped(bind)]


def _owner(folder: Path) -> str:
    number = folder.stat().st_uid
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def _writable(config: Config) -> list[Path]:
    """Return the folders that the site writes to, none of them in another one."""
    folders = [config.instance, config.database.parent, config.uploads]
    if config["backup_target"]:
        folders.append(config.instance / config["backup_target"])
    found: list[Path] = []
    for folder in map(Path.absolute, folders):
        if not any(folder.is_relative_to(other) for other in found):
            found.append(folder)
    return found


def _is_at_home(config: Config) -> bool:
    """Tell whether the site or its program lies where it would be hidden with all homes."""
    places = [*_writable(config), Path(sys.executable).absolute()]
    return any(place.is_relative_to(home) for place in places for home in HOMES)


def _runtime_folder(bind: str) -> str:
    """Return what has systemd make the folder of a socket file, which is gone after each start of the machine."""
    folder = Path(bind.removeprefix("unix:")).parent
    if bind.startswith("unix:") and folder.parent == Path("/run"):
        return f"RuntimeDirectory={_escaped(folder.name)}\n"
    return ""


def _escaped(text: str) -> str:
    """Return a text in which systemd replaces nothing."""
    return text.replace("%", "%%")


def _quoted(path: Path) -> str:
    """Return a path as one word of systemd's."""
    text = _escaped(str(path)).replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$")
    return f'"{text}"' if re.search(r"""[\s"';\\]""", text) else text


@click.command()
@bind_option
@click.option("--certificate", metavar="FILE", help="The certificate chain; without it where certbot has it.")
@click.option("--key", metavar="FILE", help="The private key; without it where certbot has it.")
@pass_instance
def nginx(instance: Instance, bind: str, certificate: str | None, key: str | None) -> None:
    """Print a server block for nginx that leads to this site."""
    instance.require_site()
    config = instance.config()
    _check_bind(bind)
    host = _host_of(config["url"])
    is_secure = config["url"].startswith("https:")
    folder = f"/etc/letsencrypt/live/{host}"
    listen = _plain(urlsplit(config["url"]).port or 80)
    if is_secure:
        listen = _secure(certificate or f"{folder}/fullchain.pem", key or f"{folder}/privkey.pem")
    text = SERVER.format(
        advice=_advice(config, bind),
        listen=listen,
        host=host,
        # Forms have some words around the file.
        most=config["max_upload"] + 1_000_000,
        upstream=f"http://{bind}",
    )
    if is_secure:
        text += REDIRECT.format(host=host, url=f"https://{host}")
    click.echo(text, nl=False)


def _check_bind(bind: str) -> None:
    if not re.fullmatch(r"""unix:/[^\s;{}"'$]+|[\w.\-:\[\]]+:\d{1,5}""", bind, re.ASCII):
        raise WrongUse(f"--bind can't be {bind!r}. It takes HOST:PORT, or unix:PATH with the whole path.")


def _host_of(url: str) -> str:
    """Return the host as browsers ask for it."""
    host = urlsplit(url).hostname or ""
    return f"[{host}]" if ":" in host else host.encode("idna").decode()


def _plain(port: int) -> str:
    return f"    listen {port};\n    listen [::]:{port};"


def _secure(certificate: str, key: str) -> str:
    lines = (
        "listen 443 ssl;",
        "listen [::]:443 ssl;",
        f"ssl_certificate {_word(certificate)};",
        f"ssl_certificate_key {_word(key)};",
        "ssl_protocols TLSv1.2 TLSv1.3;",
    )
    return "\n".join(f"    {line}" for line in lines)


def _word(path: str) -> str:
    """Return a path as one word of nginx's; raises WrongUse for one that it could take for more."""
    path = os.path.abspath(path)
    if re.search(r"""["\\$\n]""", path):
        raise WrongUse(f"nginx can't be told of {path!r}. Give the file a plainer name.")
    return f'"{path}"' if re.search(r"[\s;{}']", path) else path


def _advice(config: Config, bind: str) -> str:
    """Return a comment for sites that wouldn't believe what nginx tells of its clients."""
    peer, name = ("", "unix") if bind.startswith("unix:") else ("127.0.0.1", "127.0.0.1")
    if TrustedProxies(config["trusted_proxies"]).trusts(peer):
        return ""
    return (
        f'# Have the site believe nginx: trusted_proxies = ["{name}"] in config.toml.\n'
        "# Without it all clients are one to the site.\n"
    )
