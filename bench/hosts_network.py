"""Hosts of a network of their own on this machine: namespaces with two bridges, whose links can be cut.

    front 10.77.1.0/24   the clients, nginx and the object storage at .1, the hosts at .11 and .12
    back  10.77.2.0/24   the hosts at .11 and .12, PostgreSQL at .21

The machine's own network has no part in it. It takes root and `ip`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

FRONT, BACK = "10.77.1", "10.77.2"
#: The last part of the addresses of those that are in the network.
PLACES = {"one": 11, "other": 12, "database": 21}
HOSTS = ("one", "other")


def missing() -> str:
    """Return why there can't be such a network here, nothing where there can."""
    if os.geteuid() != 0 or shutil.which("ip") is None:
        return "network namespaces need root and ip"
    probe = f"cms-{os.getpid()}-probe"
    if subprocess.run(["ip", "netns", "add", probe], capture_output=True, check=False).returncode:
        return "the kernel gives no network namespaces"
    subprocess.run(["ip", "netns", "del", probe], check=True)
    return ""


class Network:
    """The namespaces by the names of PLACES; the clients are in one of their own, `switch`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def within(self, place: str) -> list[str]:
        """Return what stands before a command to run it at a place."""
        return ["ip", "netns", "exec", f"{self.name}-{place}"]

    def cut(self, place: str) -> None:
        """Cut the link that a place has to the back."""
        self._run("switch", "link", "set", "dev", f"b-{place}", "down")

    def mend(self, place: str) -> None:
        """Give the link back."""
        self._run("switch", "link", "set", "dev", f"b-{place}", "up")

    def build(self) -> None:
        """Make the namespaces, bridges and links."""
        for place in ("switch", *PLACES):
            subprocess.run(["ip", "netns", "add", f"{self.name}-{place}"], check=True)
            self._run(place, "link", "set", "dev", "lo", "up")
        for side, prefix in (("f", FRONT), ("b", BACK)):
            self._run("switch", "link", "add", f"{side}-switch", "type", "bridge")
            self._run("switch", "addr", "add", f"{prefix}.1/24", "dev", f"{side}-switch")
            self._run("switch", "link", "set", "dev", f"{side}-switch", "up")
            for place, number in PLACES.items():
                if side == "b" or place in HOSTS:
                    self._link(side, place, f"{prefix}.{number}/24")

    def _link(self, side: str, place: str, address: str) -> None:
        end = f"{side}-{place}"
        self._run("switch", "link", "add", end, "type", "veth", "peer", "name", side, "netns", f"{self.name}-{place}")
        self._run("switch", "link", "set", "dev", end, "master", f"{side}-switch", "up")
        self._run(place, "addr", "add", address, "dev", side)
        self._run(place, "link", "set", "dev", side, "up")

    def remove(self) -> None:
        """Remove all of it."""
        for place in ("switch", *PLACES):
            subprocess.run(["ip", "netns", "del", f"{self.name}-{place}"], check=False, capture_output=True)

    def _run(self, place: str, *arguments: str) -> None:
        subprocess.run(["ip", "-n", f"{self.name}-{place}", *arguments], check=True)


@contextmanager
def built() -> Iterator[Network]:
    """Have a network while something is done."""
    network = Network(f"cms-{os.getpid()}")
    try:
        network.build()
        yield network
    finally:
        network.remove()
