"""How a server of PostgreSQL plans the statements of a site: once where values don't matter, by indexes in any case."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from servers import SERVER
from sites import Client

pytest.importorskip("psycopg", reason="the extra postgres isn't installed")
from cms.db.postgres.planning import depends_on_values
from cms.db.postgres.translate import translate

needs_server = pytest.mark.skipif(not SERVER, reason="CMS_TEST_DATABASE names no server of PostgreSQL")

#: How often a request comes until the server would plan its statements for any values.
TIMES = 9
PLANS = "SELECT statement, generic_plans, custom_plans FROM pg_prepared_statements"
LIST = 'SELECT "t1"."id" FROM "content" AS "t1" WHERE {} ORDER BY "t1"."date_gmt" DESC, "t1"."id" DESC LIMIT ? OFFSET ?'
#: Statements, and whether they are planned for the values that they get.
STATEMENTS = {
    "SELECT id FROM a WHERE b = ?": False,
    "SELECT id FROM a WHERE b IN (SELECT value FROM json_each(?))": False,
    "UPDATE a SET b = ? WHERE c = ?": False,
    "SELECT COUNT(*) FROM a WHERE b = ?": True,
    "SELECT id FROM a WHERE b = ? LIMIT 10": True,
    LIST.format('("t1"."status" = ?)'): False,
    LIST.format('("t1"."author_id" = ?)'): True,
    LIST.format('("t1"."status" IN (SELECT value FROM json_each(?)))'): True,
    LIST.format("EXISTS(SELECT 1 FROM a WHERE b = ?)"): True,
    "SELECT id FROM content WHERE slug IN (?) LIMIT 10": False,
    "SELECT id FROM content WHERE slug IN (?) AND title LIKE ? LIMIT 10": True,
}


@pytest.mark.parametrize(("sql", "wanted"), STATEMENTS.items(), ids=str)
def test_statements_that_choose_rows_are_planned_for_their_values(sql: str, wanted: bool) -> None:
    assert depends_on_values(translate(sql).sql.decode()) == wanted


@pytest.mark.parametrize(("limit", "offset", "wanted"), [
    (10, 0, ("LIMIT 10 OFFSET 0", False)),
    (10, 20, ("LIMIT $2 OFFSET $3", True)),
    (-1, 0, ("LIMIT $2 OFFSET $3", True)),
])
def test_a_first_page_says_how_long_it_is(limit: int, offset: int, wanted: tuple[str, bool]) -> None:
    found = translate(LIST.format('("t1"."status" = ?)'))

    sql, by_values = found.planned_for(found.bind(["publish", limit, offset]))

    assert (sql.decode().partition("LIMIT")[1:], by_values) == (("LIMIT", wanted[0].removeprefix("LIMIT")), wanted[1])


@needs_server
@pytest.mark.parametrize(("path", "is_once"), [
    ("/posts", True), ("/posts?slug=number-1", True), ("/posts/{post}", True), ("/comments/{comment}", True),
    ("/posts?categories=1", False), ("/posts?page=2&per_page=1", False),
])
def test_what_is_often_asked_for_is_planned_once(make_client: Callable[..., Client], path: str, is_once: bool) -> None:
    client = make_client(answer_cache=0)
    for number in range(2):
        post = client.new("/posts", title=f"Number {number}", status="publish", categories=[1])["id"]
    comment = client.new("/comments", post=post, content="Words")["id"]
    connection = client.site.database.peewee.connection()
    connection.run_own("DEALLOCATE ALL")

    for _time in range(TIMES):
        assert client.get(path.format(post=post, comment=comment)).status_code == 200
    plans = connection.rows_of_own(PLANS)
    for_values = [statement for statement, _once, times in plans if times]

    assert sum(once for _statement, once, _times in plans) > 0
    assert bool(for_values) == (not is_once), for_values


@needs_server
def test_comments_of_which_none_is_an_answer_are_not_read_for_answers(make_client: Callable[..., Client]) -> None:
    client = make_client(answer_cache=0)
    post = client.new("/posts", title="Discussed", status="publish")["id"]
    database = client.site.database
    with database.write():
        database.execute(
            "INSERT INTO comments (post_id, author_id, author_name, author_email, content, date_gmt, status)"
            f" SELECT {post}, 0, 'A', '', 'Words', '2020-02-02T00:00:00', 'approved' FROM generate_series(1, 3000)", ())
    connection = database.peewee.connection()
    connection.run_own("VACUUM ANALYZE comments")
    read = "SELECT SUM(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'comments'"

    def read_by(times: int) -> int:
        connection.run_own("SELECT pg_stat_force_next_flush()")
        before = connection.rows_of_own(read)[0][0]
        for _time in range(times):
            assert len(client.get(f"/comments?post={post}&per_page=10").json) == 10
        connection.run_own("SELECT pg_stat_force_next_flush()")
        return int(connection.rows_of_own(read)[0][0] - before)

    read_by(TIMES)

    assert read_by(5) < 5 * 300


@needs_server
def test_a_transaction_that_is_undone_leaves_no_time_limit_to_the_next_write(make_client: Callable[..., Client]) -> None:
    database = make_client().site.database
    slow = "UPDATE options SET value = value WHERE pg_sleep(1.2) IS NOT NULL AND name = 'none' OR pg_sleep(1.2) IS NULL"
    with database.time_limit(1):
        database.scalar("SELECT COUNT(*) FROM options")
    with suppress(ZeroDivisionError), database.write():
        database.execute("UPDATE options SET value = value WHERE name = 'none'", ())
        raise ZeroDivisionError

    with database.write():
        database.execute(slow, ())


@needs_server
def test_the_version_is_looked_up_once_while_nobody_else_can_write(make_client: Callable[..., Client]) -> None:
    import psycopg

    site = make_client().site
    with psycopg.connect(site.config.server, autocommit=True) as other:
        with site.database.write():
            first = site.cache.version()
            other.execute("UPDATE site_version SET number = number + 5")
            assert site.cache.version() == first
        assert site.cache.version() == first + 6
