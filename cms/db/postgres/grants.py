"""Rights that other accounts have on a site's tables: read before these are made anew, and given again afterwards."""

from __future__ import annotations

from dataclasses import dataclass

from cms.db.postgres.cursors import Connection

#: Tables and sequences with what others may do there, then columns; each with the statement that gives the right.
SELECT_GRANTS = """
SELECT c.relname::text, '', format('GRANT %s ON %s %I TO %s%s', a.privilege_type,
    CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, c.relname, coalesce(quote_ident(r.rolname), 'PUBLIC'),
    CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) a LEFT JOIN pg_roles r ON r.oid = a.grantee
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'S') AND a.grantee <> c.relowner
UNION ALL
SELECT c.relname::text, t.attname::text, format('GRANT %s (%I) ON TABLE %I TO %s%s', a.privilege_type, t.attname,
    c.relname, coalesce(quote_ident(r.rolname), 'PUBLIC'),
    CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid CROSS JOIN LATERAL aclexplode(t.attacl) a
LEFT JOIN pg_roles r ON r.oid = a.grantee
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.grantee <> c.relowner
"""
SELECT_PLACES = """
SELECT c.relname::text, '' FROM pg_class c
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'S')
UNION ALL
SELECT c.relname::text, t.attname::text FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND NOT t.attisdropped
"""


@dataclass(frozen=True)
class Grant:
    """A right on a table, a sequence or a column, as the statement that gives it."""

    table: str
    column: str
    statement: str


def grants_of(connection: Connection) -> list[Grant]:
    """Return the rights that others than the owner have."""
    return [Grant(*row) for row in connection.rows_of_own(SELECT_GRANTS)]


def give_again(connection: Connection, grants: list[Grant]) -> None:
    """Give rights on whatever is there still."""
    places = set(connection.rows_of_own(SELECT_PLACES)) if grants else set()
    for grant in grants:
        if (grant.table, grant.column) in places:
            connection.run_own(grant.statement)
