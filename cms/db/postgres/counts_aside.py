"""What an unseen write counts: noted in tables of its own while it lasts, and brought by statements for all of it.

The triggers that count ask for the setting `cms.unseen`, which such a write has on.
"""

from __future__ import annotations

from cms.db.postgres.planning import ALL_WAYS

#: Whoever counts locks a row of the table of counts; this trigger comes before that, since such rows are added.
#: Terms are counted by updates, which lock their rows before any trigger, so the functions that do it are replaced.
DEFINE = """
CREATE OR REPLACE FUNCTION content_counts_aside() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
    INSERT INTO counts_aside (holder, holder_id, type, status, number)
    VALUES (new.holder, new.holder_id, new.type, new.status, new.number);
    RETURN NULL;
END $body$;
DO $body$ BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_trigger
        WHERE tgname = 'content_counts_aside' AND tgrelid = 'content_counts'::regclass AND tgenabled = 'O') THEN
        CREATE OR REPLACE TRIGGER content_counts_aside BEFORE INSERT ON content_counts FOR EACH ROW
        WHEN (current_setting('cms.unseen', true) = 'on') EXECUTE FUNCTION content_counts_aside();
    END IF;
END $body$;
"""
COUNT_TERMS = """
CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
    IF current_setting('cms.unseen', true) = 'on' THEN
        INSERT INTO terms_aside (term_id, number) {rows};
    ELSE
        UPDATE terms SET count = count + found.number FROM ({rows}) found WHERE terms.id = found.term_id;
    END IF;
    RETURN NULL;
END $body$;
"""
LINKED = """
SELECT {row}.term_id, {number} AS number FROM content WHERE id = {row}.content_id AND status = 'publish'
"""
#: The term and the number of what each trigger counts.
TERMS = {
    "term_count_link": LINKED.format(row="new", number=1),
    "term_count_unlink": LINKED.format(row="old", number=-1),
    "term_count_status": """
SELECT term_id, CASE new.status WHEN 'publish' THEN 1 ELSE -1 END AS number FROM content_terms WHERE content_id = new.id
""",
}
DEFINE += "".join(COUNT_TERMS.format(name=name, rows=rows.strip()) for name, rows in TERMS.items())
#: The tables of one write: what was counted, and the ids of what has come.
BEGIN = f"""
{ALL_WAYS}
CREATE TEMP TABLE counts_aside (LIKE content_counts) ON COMMIT DROP;
CREATE TEMP TABLE terms_aside (term_id bigint, number bigint) ON COMMIT DROP;
CREATE TEMP TABLE content_aside (id bigint PRIMARY KEY) ON COMMIT DROP;
CREATE TEMP TABLE comments_aside (id bigint PRIMARY KEY) ON COMMIT DROP;
SET LOCAL cms.unseen = 'on'
"""
#: Rows whose texts this transaction has written; others fold theirs before anybody sees them.
NOTE_NEW = """
INSERT INTO content_aside (id) SELECT id FROM content_search WHERE is_new ON CONFLICT DO NOTHING;
INSERT INTO comments_aside (id) SELECT id FROM comment_search WHERE is_new ON CONFLICT DO NOTHING;
ANALYZE content_aside, comments_aside
"""
BRING = """
SET LOCAL cms.unseen = 'off';
INSERT INTO content_counts (holder, holder_id, type, status, number)
SELECT holder, holder_id, type, status, sum(number) FROM counts_aside GROUP BY 1, 2, 3, 4
ON CONFLICT (holder, holder_id, type, status) DO UPDATE SET number = content_counts.number + excluded.number;
UPDATE terms SET count = count + found.number
FROM (SELECT term_id, sum(number) AS number FROM terms_aside GROUP BY term_id) found WHERE terms.id = found.term_id
"""
