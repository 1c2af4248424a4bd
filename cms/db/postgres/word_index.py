"""The index of words, in a column of the folded texts: cut as the index in a file cuts them, weighed by column."""

from __future__ import annotations

from cms.db.postgres.separators import before_words, separating

#: So many characters of a word count, since an entry has room for 2,046 bytes.
LONGEST = 511
#: How often a word is noted of one text. An item whose words take more bytes has none: searches look at its texts.
MOST_PLACES, MOST_BYTES = 8, 1_000_000
#: They call nothing that isn't PostgreSQL's own, so that they work whatever the path of names is.
FUNCTIONS = r"""
CREATE OR REPLACE FUNCTION search_words(title text, excerpt text, content text) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$ BEGIN RETURN (
    WITH found AS (
        SELECT left(word, {longest}) AS word, weight, begin + least(place, room) AS place
        FROM (VALUES (title, 'A', 0, 500), (excerpt, 'B', 500, 1500), (content, 'D', 2000, 14000))
            AS texts (letters, weight, begin, room),
        {cut}),
    placed AS (SELECT *, row_number() OVER (PARTITION BY word, weight ORDER BY place) AS number FROM found),
    joined AS (
        SELECT word, string_agg(place || weight, ',') AS places FROM placed WHERE number <= {most} GROUP BY word)
    SELECT CASE WHEN coalesce(sum(octet_length(word) + {size}), 0) < {bytes}
        THEN coalesce(string_agg('''' || word || ''':' || places, ' '), '')::tsvector END FROM joined);
END $$;
CREATE OR REPLACE FUNCTION search_has(letters text, wanted text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$ BEGIN RETURN (
    WITH found AS (SELECT DISTINCT left(word, {longest}) AS word FROM {cut})
    SELECT bool_and(EXISTS (SELECT 1 FROM found WHERE starts_with(word, part)))
    FROM unnest(string_to_array(wanted, ' ')) part);
END $$;
CREATE OR REPLACE FUNCTION search_before() RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT '{before}' COLLATE "C"
$$
"""
#: Some letters become small ones here alone: folding doesn't see them, the tokenizer of a file's index does.
CUT = """
regexp_split_to_table(replace(lower(letters COLLATE "und-x-icu"), 'ς', 'σ') COLLATE "C", '[{separators}]+')
WITH ORDINALITY AS cut (word, place) WHERE word <> ''
"""
COLUMN = "words tsvector GENERATED ALWAYS AS (search_words(title, excerpt, content)) STORED"
INDEXES = """
CREATE INDEX {name}_words ON {name} USING gin (words);
CREATE INDEX {name}_large ON {name} (id) WHERE words IS NULL;
"""
#: The newest items that words find, in the order of what these weigh in title, excerpt and content and in long texts.
RANKED = """
SELECT id FROM (
    SELECT id, words FROM content_search WHERE words @@ CAST(:match AS tsquery) ORDER BY id DESC LIMIT :most) newest
ORDER BY ts_rank('{0.1, 0.1, 0.4, 1}', words, CAST(:match AS tsquery), 1) DESC, id DESC
"""


def functions() -> str:
    """Return the statements that define what the index is made with."""
    return FUNCTIONS.format(
        longest=LONGEST,
        cut=CUT.format(separators=separating()).strip(),
        most=MOST_PLACES,
        size=6 * MOST_PLACES + 8,
        bytes=MOST_BYTES,
        before=before_words(),
    )
