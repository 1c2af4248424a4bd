"""The recorded conversations, played through nginx, which sends each request to another host than the one before."""

from __future__ import annotations

import shutil
import sys
from http.client import HTTPConnection
from typing import Any

from hosts_network import FRONT
from hosts_site import ROOT, Site
from served import LOGIN

from cms.db.postgres.connections import WRITE_LOCK

sys.path.insert(0, str(ROOT / "tests" / "conformance"))
from conform import Missing, Player
from test_recordings import CASES, faults

#: Stands for all suites.
ALL = "all"
#: Settings that the recordings need; their passwords are short.
SETTINGS = {"CMS_COMMENT_INTERVAL": "0", "CMS_PASSWORD_LENGTH": "0"}
SELECT_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
SELECT_COLUMNS = """
SELECT string_agg(column_name, ', ') FROM information_schema.columns
WHERE table_schema = 'public' AND table_name = %s AND is_generated = 'NEVER'
"""
SELECT_SEQUENCES = "SELECT sequencename, COALESCE(last_value, 0) FROM pg_sequences WHERE schemaname = 'public'"
#: The player's masks go by number: ids of different kinds must not be equal by chance.
FIRST_IDS = {"comments_id_seq": 50_000, "content_id_seq": 20}
#: What recordings have of those who ask, and what these are here.
ASKING = f'author_ip: expected "127.0.0.1", got "{FRONT}.1"'
#: How much higher the version is after each conversation, so that nobody takes a state for one that was before.
STEP = 1_000


class Pristine:
    """The state of a new site, which the database gets back before each conversation while both hosts serve it."""

    def __init__(self, site: Site) -> None:
        self._connection, self._files = site.connect(), site.folder / "buckets" / "uploads"
        self._tables: dict[str, str] = {}
        self._connection.execute("CREATE SCHEMA pristine")
        for (table,) in self._connection.execute(SELECT_TABLES).fetchall():
            self._connection.execute(f'CREATE TABLE pristine."{table}" AS TABLE "{table}"')
            self._tables[table] = self._connection.execute(SELECT_COLUMNS, (table,)).fetchone()[0]
        found = self._connection.execute(SELECT_SEQUENCES).fetchall()
        self._sequences = {name: max(last, FIRST_IDS.get(name, 0)) for name, last in found}

    def bring_back(self) -> None:
        """Bring the state back in one transaction, and remove the files."""
        with self._connection.transaction():
            execute = self._connection.execute
            execute("SELECT pg_advisory_xact_lock(%s)", (WRITE_LOCK,))
            execute("SET LOCAL session_replication_role = replica")  # no trigger counts what comes
            version = execute("SELECT number FROM site_version").fetchone()[0]
            execute("TRUNCATE " + ", ".join(f'"{table}"' for table in self._tables))
            for table, columns in self._tables.items():
                execute(f'INSERT INTO "{table}" ({columns}) SELECT {columns} FROM pristine."{table}"')
            execute("UPDATE site_version SET number = %s", (version + STEP,))
            for name, last in self._sequences.items():
                execute("SELECT setval(%s, %s, %s)", (name, max(last, 1), last > 0))
        for each in self._files.iterdir():
            shutil.rmtree(each) if each.is_dir() else each.unlink()


class Front:
    """The site as clients see it: what the player of the recordings sends requests to."""

    namespace, admin, home = "cms/v2", LOGIN, f"http://{FRONT}.1"
    api = f"{home}/api"
    added: frozenset[str] = frozenset()

    def send(self, method: str, path: str, headers: dict[str, str], body: bytes | None) -> Any:
        """Send a request to an address below the API's root."""
        return self.send_home(method, "/api" + path, headers, body)

    def send_home(self, method: str, path: str, headers: dict[str, str], body: bytes | None) -> Any:
        """Send a request to an address below the site's home, over a connection of its own."""
        connection = HTTPConnection(f"{FRONT}.1", 80, timeout=60)
        try:
            connection.request(method, path, body, headers)
            got = connection.getresponse()
            names = {name.lower() for name in got.headers}
            return got.status, {name: ", ".join(got.headers.get_all(name)) for name in names}, got.read()
        finally:
            connection.close()


def suites(site: Site, names: str) -> list[str]:
    """Play the conversations of suites, or all; return what differs from the recordings."""
    pristine, wrong, steps = Pristine(site), [], 0
    cases = [case for case in CASES if names == ALL or case[0] in names.split(",")]
    for number, (suite, scenario) in enumerate(cases, 1):
        pristine.bring_back()
        player = Player(Front())
        for index, step in enumerate(scenario["steps"]):
            try:
                outcome = player.step(step)
            except Missing as name:
                outcome = {"not played": f"no earlier step saved {name}"}
            for fault in faults(suite, scenario, index, outcome):
                if fault.endswith(ASKING):
                    continue
                wrong.append(f"{suite}/{scenario['name']}#{index + 1} {step['do']}: {fault}")
                print(f"\n{wrong[-1]}", file=sys.stderr)
            steps += 1
        print(f"\r{number} of {len(cases)} conversations, {len(wrong)} wrong", end="", file=sys.stderr, flush=True)
    print(f"\n{steps} steps of {len(cases)} conversations through nginx: {len(wrong)} differ", flush=True)
    return wrong
