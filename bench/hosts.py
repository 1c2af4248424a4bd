"""Two application hosts with one site on PostgreSQL and a bucket, in a network of namespaces on this machine.

    python bench/hosts.py [--suites [NAMES]] [--stale 10000] [--kills 12] [--cut 30] [--costs 2000] [--seed N]

--suites plays the recorded conversations through nginx, by turns at both hosts. --stale writes at one host and reads at
the other at once, so many times, with the answer cache on: no answer may be old, and a file that one takes is at the
other too. --kills kills a host, restarts PostgreSQL, fast or as in a fall,
and cuts the link to it, of all hosts or of one, so many times by turns while others write, read and plan posts through
nginx: nothing acknowledged may be lost or doubled, errors are 503 with Retry-After alone, all goes on without anybody's
help, planned posts are published and told of once, and no webhook is lost. --costs measures the processor time of a
read, with one host and with two. It takes root, `ip`, nginx, PostgreSQL's programs and nanio.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

from hosts_ledger import Ledger, Receiver, Visitor, Writer, check, check_events, untold
from hosts_network import FRONT, Network, built
from hosts_site import Host, Site, ask
from hosts_suites import ALL, SETTINGS, suites
from processes import seconds_of

WRITERS = 4
#: Seconds within which each host writes again once what was broken is mended.
RECOVERY = 20.0
#: Seconds that telling may take: a delivery that was cut off is tried again after 10, then after 60 seconds.
PATIENCE = 120
EVENTS = ("kill", "fast", "immediate", "cut", "part")
API = "/api/cms/v2"


def stale(site: Site, number: int) -> list[str]:
    """Write at one host and read at the other; return the answers that are older than the write."""
    wrong: list[str] = []
    post = ask(site.hosts[0].address, "POST", f"{API}/posts", {"title": "0", "status": "publish"}).json["id"]
    term = ask(site.hosts[0].address, "POST", f"{API}/tags", {"name": "0"}).json["id"]
    writes = ((f"{API}/posts/{post}", "title"), (f"{API}/tags/{term}", "name"), (f"{API}/settings", "title"))
    reads = ((f"{API}/posts/{post}", lambda body: body["title"]["rendered"]),
             (f"{API}/tags/{term}", lambda body: body["name"]), ("/api/", lambda body: body["name"]))
    for count in range(1, number + 1):
        one, other = site.hosts[count % 2].address, site.hosts[(count + 1) % 2].address
        (path, name), (address, shown) = writes[count % 3], reads[count % 3]
        for _twice in range(2):  # the second answer is a kept one
            ask(other, "GET", address)
        written = ask(one, "POST", path, {name: str(count)})
        found = shown(ask(other, "GET", address).json)
        if written.status != 200 or found != str(count):
            wrong.append(f"{address}: {found} at {other} after {count} at {one} ({written.status})")
        if count % 100 == 0:
            wrong += shared_file(one, other, count)
            print(f"\r{count} writes", end="", file=sys.stderr, flush=True)
    print(f"\n{number} writes at one host, each read at the other: {len(wrong)} old answers")
    return wrong


def shared_file(one: str, other: str, number: int) -> list[str]:
    """Upload a file at one host and fetch it at the other; return what was wrong."""
    content = f"file {number}\n".encode() * 1_000
    made = ask(one, "POST", f"{API}/media", content, file=f"{number}.txt")
    if made.status != 201:
        return [f"an upload at {one}: {made.status} {made.body!r}"]
    found = ask(other, "GET", urlsplit(made.json["source_url"]).path)
    return [] if found.body == content else [f"{made.json['source_url']} at {other}: {found.status}"]


def disturb(site: Site, what: str, chance: random.Random, seconds: float) -> None:
    """Break something for a while and mend it."""
    host = chance.choice(site.hosts)
    if what == "kill":
        host.kill()
        time.sleep(1)
        host.start()
    elif what in ("fast", "immediate"):
        site.postgres.stop(what)
        time.sleep(1)
        site.postgres.start()
    else:
        place = "database" if what == "cut" else host.name
        site.network.cut(place)
        time.sleep(seconds)
        site.network.mend(place)


def recovered(host: Host) -> float:
    """Return how many seconds it takes until a host writes."""
    title = {"title": "probe"}
    return host.wait(lambda: ask(host.address, "POST", f"{API}/settings", title).status == 200, 60)


def kills(site: Site, receiver: Receiver, arguments: argparse.Namespace) -> list[str]:
    """Disturb while others write, and return what was wrong."""
    chance, ledger = random.Random(arguments.seed), Ledger()
    threads = [*(Writer(number, ledger) for number in range(WRITERS)), Visitor(ledger)]
    for thread in threads:
        thread.start()
    slowest = dict.fromkeys(EVENTS, 0.0)
    for number in range(arguments.kills):
        what = EVENTS[number % len(EVENTS)]
        time.sleep(chance.uniform(1, 2))
        disturb(site, what, chance, arguments.cut)
        begun = time.monotonic()
        for host in site.hosts:
            recovered(host)
        slowest[what] = max(slowest[what], time.monotonic() - begun)
        print(f"{number + 1} {what}: {len(ledger.posts) + len(ledger.planned)} posts", file=sys.stderr, flush=True)
    time.sleep(2)
    ledger.stop.set()
    for thread in threads:
        thread.join(90)
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and not ledger.wrong and untold(ledger, receiver):
        time.sleep(0.5)
    wrong = ledger.wrong + check(site, ledger) + check_events(site, ledger, receiver)
    for what, seconds in slowest.items():
        if seconds > RECOVERY:
            wrong.append(f"{what}: {seconds:.0f} seconds until all wrote again")
    changes = sum(acknowledged for acknowledged, _sent in ledger.changed.values())
    print(f"{arguments.kills} disturbances: {len(ledger.posts)} posts, {changes} changes and "
          f"{len(ledger.planned)} planned posts acknowledged; {len(ledger.unsure)} unsure; "
          f"{receiver.told} webhooks of {len(receiver.events)} events")
    print("answers: " + ", ".join(f"{name} {count}" for name, count in sorted(ledger.answers.items())))
    print("seconds until all wrote again: " + ", ".join(f"{what} {seconds:.1f}" for what, seconds in slowest.items()))
    return wrong


def costs(site: Site, number: int) -> None:
    """Say what a read costs the hosts and the server, with one host and with two."""
    for count in range(20):
        post = {"title": f"Post {count}", "status": "publish", "content": "Text"}
        ask(site.hosts[0].address, "POST", f"{API}/posts", post)
    for round in range(3):
        for hosts in (site.hosts[:1], site.hosts):
            before = [host.seconds() for host in hosts], seconds_of(site.postgres.process)
            for count in range(number):
                ask(hosts[count % len(hosts)].address, "GET", f"{API}/posts?per_page=10&offset={count % 7}&x={count}")
            requests = number / len(hosts)
            spent = [(host.seconds() - was) * 1000 / requests for host, was in zip(hosts, before[0], strict=True)]
            server = (seconds_of(site.postgres.process) - before[1]) * 1000 / number
            print(f"round {round}: {len(hosts)} hosts: " + ", ".join(f"{each:.2f}" for each in spent)
                  + f" ms of a host, {server:.2f} ms of the server for a read")


def run(network: Network, arguments: argparse.Namespace) -> list[str]:
    """Do what was asked for, in the namespace of the clients."""
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="cms-hosts-") as name:
        receiver = Receiver()
        plugins = f'plugins = ["webhooks"]\n\n[webhooks]\nallow = ["{receiver.place}"]\n'
        with Site(network, Path(name)).serving(plugins) as site:
            hook = {"url": f"http://{receiver.place}/", "events": ["post.published"]}
            assert ask(f"{FRONT}.1", "POST", f"{API}/webhooks", hook, port=80).status == 201
            if arguments.stale:
                wrong += stale(site, arguments.stale)
            if arguments.costs:
                costs(site, arguments.costs)
            if arguments.kills:
                wrong += kills(site, receiver, arguments)
            if wrong:
                print((site.folder / "store.log").read_text()[-arguments.log:], file=sys.stderr)
                for host in site.hosts:
                    print(host.log.read_text()[-arguments.log:], file=sys.stderr)
    return wrong


def run_suites(network: Network, names: str) -> list[str]:
    """Play the recorded conversations, in the namespace of the clients."""
    with tempfile.TemporaryDirectory(prefix="cms-hosts-") as name:
        new = Site(network, Path(name), **SETTINGS)
        with new.serving() as site:
            return suites(site, names)


def main() -> None:
    """Make the network, run in it, and exit with 1 where something was wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--suites", nargs="?", const=ALL, default="", help="some names, with commas between")
    parser.add_argument("--stale", type=int, default=0)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--cut", type=float, default=30, help="seconds for which a link is cut")
    parser.add_argument("--costs", type=int, default=0)
    parser.add_argument("--log", type=int, default=3000, help="how much of a host's log is printed after a fault")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--network", help="the network that this runs in already")
    arguments = parser.parse_args()
    if not arguments.network:
        with built() as network:
            command = [*network.within("switch"), sys.executable, *sys.argv, "--network", network.name]
            sys.exit(subprocess.run(command, check=False).returncode)
    network = Network(arguments.network)
    wrong = run_suites(network, arguments.suites) if arguments.suites else []
    if arguments.stale or arguments.costs or arguments.kills:
        wrong += run(network, arguments)
    for each in wrong[:6]:
        print(each, file=sys.stderr)
    print(f"two hosts, seed {arguments.seed}: {len(wrong)} wrong")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
