"""`cms unit` and `cms nginx` print what systemd and nginx take, made of the site's settings."""

from __future__ import annotations

import configparser
import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest
from clients.served import CMS, ROOT, await_answer, free_port
from nginx_program import needed_nginx
from sites import Client

URL = "https://www.example.org"


def printed(folder: Path, *words: str, code: int = 0, **environ: str) -> str:
    names = {**os.environ, "PYTHONPATH": os.environ.get("PYTHONPATH") or str(ROOT), "CMS_URL": URL, **environ}
    ran = subprocess.run([*CMS, "--instance", str(folder), *words], env=names, capture_output=True, text=True)
    assert ran.returncode == code, ran.stderr
    return ran.stdout if code == 0 else ran.stderr


def parsed(text: str) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # systemd's names have capitals
    parser.read_string(text)
    return parser


@pytest.fixture
def folder(client: Client) -> Path:
    client.site.close()
    return Path(client.site.config.instance)


def test_a_unit_may_write_to_the_sites_folders_alone(folder: Path) -> None:
    service = parsed(printed(folder, "unit", "--user", "cms", CMS_BACKUP_TARGET="/srv/backups", CMS_UPLOADS="files"))["Service"]

    assert service["ReadWritePaths"].split() == [str(folder), "/srv/backups"]
    assert service["ProtectSystem"] == "strict"
    assert (service["User"], service["NoNewPrivileges"], service["CapabilityBoundingSet"]) == ("cms", "yes", "")
    assert service["ExecStart"].endswith(f"--instance {folder} serve --bind 127.0.0.1:8000")
    assert Path(service["ExecStart"].split()[0]).exists()
    assert (service["Type"], service["KillMode"]) == ("notify", "mixed")


def test_a_unit_is_the_owners_and_makes_the_folder_of_a_socket(folder: Path) -> None:
    service = parsed(printed(folder, "unit", "--bind", "unix:/run/cms/cms.sock"))["Service"]

    assert service["User"] == folder.owner()
    assert service["RuntimeDirectory"] == "cms"


def test_a_unit_for_the_timed_work(folder: Path) -> None:
    service = parsed(printed(folder, "unit", "--work"))["Service"]

    assert service["ExecStart"].endswith(f"--instance {folder} work")
    assert service["Type"] == "exec"
    assert "ExecReload" not in service


def test_odd_paths_are_one_word(folder: Path) -> None:
    odd = folder.parent / 'a b%c'
    shutil.copytree(folder, odd)
    service = parsed(printed(odd, "unit"))["Service"]

    assert service["WorkingDirectory"] == str(odd).replace("%", "%%")
    assert f'--instance "{str(odd).replace("%", "%%")}" serve' in service["ExecStart"]


@pytest.mark.parametrize("words", [("unit",), ("unit", "--work"), ("unit", "--bind", "unix:/run/cms/cms.sock")], ids=" ".join)
def test_systemd_takes_the_unit(folder: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze isn't here to look at the unit")
    file = tmp_path / "cms-test.service"
    file.write_text(printed(folder, *words))
    ran = subprocess.run([program, "verify", str(file)], capture_output=True, text=True)

    assert "cms-test.service" not in ran.stderr


def test_systemd_is_told_when_the_site_listens(folder: Path, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        address = tempfile.mktemp(prefix="cms-notify-")  # the name of a socket file must be short
        systemd.bind(address)
        systemd.settimeout(60)
        environ = {**os.environ, "PYTHONPATH": os.environ.get("PYTHONPATH") or str(ROOT), "NOTIFY_SOCKET": address, "WEB_CONCURRENCY": "1"}
        bind = f"127.0.0.1:{free_port()}"
        command = [*CMS, "--instance", str(folder), "serve", "--bind", bind]
        with subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL) as running:
            told = systemd.recv(1000)
            await_answer(f"http://{bind}/healthz", running)  # a worker that is still starting misses the signal
            running.terminate()
    os.unlink(address)

    assert b"READY=1" in told


@pytest.mark.parametrize(("settings", "bind", "has", "lacks"), [
    ({"CMS_URL": URL}, "127.0.0.1:8000",
     ["server_name www.example.org;", "proxy_pass http://127.0.0.1:8000;", "client_max_body_size 501000000;",
      'trusted_proxies = ["127.0.0.1"]', "return 301 https://www.example.org$request_uri;"], []),
    ({"CMS_URL": URL, "CMS_TRUSTED_PROXIES": "127.0.0.0/8"}, "127.0.0.1:8000", [], ["trusted_proxies"]),
    ({"CMS_URL": "http://köln.example:8080", "CMS_MAX_UPLOAD": "5"}, "unix:/run/cms.sock",
     ["listen 8080;", "server_name xn--kln-sna.example;", "proxy_pass http://unix:/run/cms.sock;", 'trusted_proxies = ["unix"]',
      "client_max_body_size 1000005;"], ["ssl", "301"]),
])
def test_nginx_takes_the_block(folder: Path, settings: dict[str, str], bind: str, has: list[str], lacks: list[str], tmp_path: Path) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl isn't here to make a certificate")
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    subprocess.run([openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=a", "-keyout", key, "-out", certificate],
                   check=True, capture_output=True)
    text = printed(folder, "nginx", "--bind", bind, "--certificate", str(certificate), "--key", str(key), **settings)

    assert [each for each in has if each not in text] == []
    assert [each for each in lacks if each in text] == []
    accept(text, tmp_path)


def accept(text: str, folder: Path) -> None:
    """Have nginx look at a server block, with ports that anybody may listen at; without nginx the test ends here."""
    nginx = needed_nginx()
    for port in ("443", "8080", "80"):
        free = str(free_port())
        text = text.replace(f"listen {port}", f"listen {free}").replace(f"listen [::]:{port}", f"listen [::1]:{free}")
    temporary = "".join(f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(
        f"error_log stderr; pid {folder}/nginx.pid; events {{}} http {{ access_log off; {temporary}\n{text}}}")
    ran = subprocess.run([nginx, "-t", "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"],
                         capture_output=True, text=True)

    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize(("words", "told"), [
    (("nginx", "--bind", "8000"), "--bind can't be '8000'."),
    (("unit", "--bind", "unix:cms.sock"), "--bind can't be 'unix:cms.sock'."),
    (("nginx", "--certificate", "/a$b"), "nginx can't be told of '/a$b'."),
])
def test_what_cant_be_meant_is_refused(folder: Path, words: tuple[str, ...], told: str) -> None:
    assert told in printed(folder, *words, code=2)
