"""Functions that statements call, as PostgreSQL defines them; they answer as those of SQLite do."""

from __future__ import annotations

#: The extensions whose types and indexes a site uses.
EXTENSIONS = "CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION IF NOT EXISTS pg_trgm"
#: Values of JSON come out as texts, true and false as 1 and 0, null as nothing. Changed objects keep their order.
#: The name of the argument is quoted, since PostgreSQL 17 has it as a word of its own.
#: What indexes are made of calls none of the others, which the server doesn't find while it looks after indexes.
FUNCTIONS = r"""
CREATE FUNCTION json_plain(found jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT CASE jsonb_typeof(found) WHEN 'boolean' THEN CASE found::text WHEN 'true' THEN '1' ELSE '0' END
    WHEN 'null' THEN NULL ELSE found #>> '{}' END
$$;

CREATE FUNCTION json_path(path text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT CASE WHEN path = '$' THEN '{}'::text[] ELSE ARRAY[btrim(substr(path, 3), '"')] END
$$;

CREATE FUNCTION json_parsed("json" text) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT CASE WHEN strpos(json, '\u0000') > 0
    THEN regexp_replace(json, '(?<!\\)((\\\\)*)\\u0000', '\1', 'g')::jsonb ELSE json::jsonb END
$$;

CREATE FUNCTION json_usual(usual text) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT to_jsonb(usual)
$$;

CREATE FUNCTION json_usual(usual numeric) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT to_jsonb(usual)
$$;

CREATE FUNCTION json_usual(usual boolean) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT to_jsonb(usual)
$$;

CREATE FUNCTION json_extract("json" text, path text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE found jsonb;
BEGIN
    IF strpos(json, '\u0000') > 0 THEN
        json := regexp_replace(json, '(?<!\\)((\\\\)*)\\u0000', '\1', 'g');
    END IF;
    found := json::jsonb;
    IF path <> '$' THEN
        found := found -> btrim(substr(path, 3), '"');
    END IF;
    RETURN CASE jsonb_typeof(found) WHEN 'boolean' THEN CASE found::text WHEN 'true' THEN '1' ELSE '0' END
        WHEN 'null' THEN NULL ELSE found #>> '{}' END;
END $$;

CREATE FUNCTION number_sorted(number numeric) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT '1' || to_char(least(greatest(number, -1e20), 1e20) + 1e20, 'FM000000000000000000000.000000000000')
$$;

CREATE FUNCTION value_sorted(found jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT CASE jsonb_typeof(found) WHEN 'number' THEN number_sorted(found::numeric)
    WHEN 'boolean' THEN number_sorted(json_plain(found)::numeric) ELSE '2' || (found #>> '{}') END
$$;

CREATE FUNCTION json_sorted("json" text, path text, usual jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT coalesce(value_sorted(coalesce(nullif(json_parsed(json) #> json_path(path), 'null'), usual)), '')
$$;

CREATE FUNCTION json_key("json" text, path text, usual jsonb) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE found jsonb; number numeric;
BEGIN
    IF strpos(json, '\u0000') > 0 THEN
        json := regexp_replace(json, '(?<!\\)((\\\\)*)\\u0000', '\1', 'g');
    END IF;
    found := coalesce(nullif(json::jsonb -> btrim(substr(path, 3), '"'), 'null'), usual);
    CASE jsonb_typeof(found)
        WHEN 'number' THEN number := found::numeric;
        WHEN 'boolean' THEN number := (found::boolean)::int;
        ELSE RETURN coalesce('2' || left(found #>> '{}', 600), '');
    END CASE;
    number := least(greatest(number, -1e20), 1e20) + 1e20;
    RETURN '1' || to_char(number, 'FM000000000000000000000.000000000000');
END $$;

CREATE FUNCTION key_of(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT '2' || left(value, 600)
$$;

CREATE FUNCTION key_of(value numeric) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT number_sorted(value)
$$;

CREATE FUNCTION keys_among(list text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT array_agg(left(value_sorted(element), 601)) FROM jsonb_array_elements(json_parsed(list)) AS element
$$;

CREATE FUNCTION json_compared(found jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT CASE jsonb_typeof(found) WHEN 'boolean' THEN to_jsonb(json_plain(found)::numeric) ELSE found END
$$;

CREATE FUNCTION json_is_among("json" text, path text, usual jsonb, list text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT json_compared(coalesce(nullif(json_parsed(json) #> json_path(path), 'null'), usual))
    IN (SELECT json_compared(element) FROM jsonb_array_elements(json_parsed(list)) AS element)
$$;

CREATE FUNCTION text_mark(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT encode(sha256(convert_to(value, 'UTF8')), 'hex')
$$;

CREATE FUNCTION json_type("json" text, path text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT CASE jsonb_typeof(json_parsed(json) #> json_path(path)) WHEN 'string' THEN 'text'
    ELSE jsonb_typeof(json_parsed(json) #> json_path(path)) END
$$;

CREATE FUNCTION json_set("json" text, path text, value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
SELECT '{' || string_agg(to_json(key)::text || ':' || held, ',' ORDER BY place) || '}' FROM (
    SELECT key, place, CASE WHEN key = (json_path(path))[1] THEN coalesce(to_json(json_set.value)::text, 'null')
        ELSE each.value::text END AS held
    FROM pg_catalog.json_each(json::json) WITH ORDINALITY AS each (key, value, place)
    UNION ALL SELECT (json_path(path))[1], NULL, coalesce(to_json(json_set.value)::text, 'null')
    WHERE NOT json_parsed(json) ? (json_path(path))[1]) pairs
$$;

CREATE FUNCTION json_remove("json" text, path text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
SELECT '{' || coalesce(string_agg(to_json(key)::text || ':' || each.value::text, ',' ORDER BY place), '') || '}'
FROM pg_catalog.json_each(json::json) WITH ORDINALITY AS each (key, value, place)
WHERE key <> (json_path(path))[1]
$$;

CREATE FUNCTION json_element("json" text, place int) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT json_plain(json_parsed(json) -> place)
$$;

CREATE FUNCTION json_list_text(elements anycompatiblearray) RETURNS text LANGUAGE sql IMMUTABLE AS $$
SELECT coalesce(array_to_json(elements)::text, '[]')
$$;

CREATE FUNCTION json_each("json" text) RETURNS TABLE (key bigint, value text, type text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT place - 1, json_plain(found), CASE jsonb_typeof(found) WHEN 'number' THEN
    CASE WHEN found::text ~ '^-?[0-9]+$' THEN 'integer' ELSE 'real' END
    WHEN 'string' THEN 'text' ELSE jsonb_typeof(found) END
FROM jsonb_array_elements(CASE WHEN jsonb_typeof(json_parsed(json)) = 'array' THEN json_parsed(json)
    WHEN json_parsed(json) IS NULL THEN '[]'::jsonb ELSE jsonb_build_array(json_parsed(json)) END)
    WITH ORDINALITY AS each (found, place)
$$;

CREATE FUNCTION json_each("json" text, path text) RETURNS TABLE (key bigint, value text, type text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT key, value, type FROM json_each((json_parsed(json) #> json_path(path))::text)
$$;

CREATE FUNCTION json_members("json" text) RETURNS TABLE (key text, value text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT key, json_plain(value) FROM jsonb_each(json_parsed(json))
$$;

CREATE FUNCTION ifnull(one text, other anynonarray) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT coalesce(one, other::text)
$$;

CREATE FUNCTION ifnull(one text, other text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT coalesce(one, other)
$$;

CREATE FUNCTION likely(condition boolean) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT condition
$$;

CREATE FUNCTION iif(condition boolean, one bigint, other bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT CASE WHEN condition THEN one ELSE other END
$$;

CREATE FUNCTION instr(text text, part text) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT strpos(text, part)
$$;

CREATE FUNCTION glob_pattern(glob text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT '^' || replace(replace(regexp_replace(glob, '([.+(){}|\\$])', '\\\1', 'g'), '*', '.*'), '?', '.')
    || '$'
$$;

CREATE FUNCTION strftime(format text, moment text) RETURNS text LANGUAGE sql STABLE AS $$
SELECT to_char(CASE moment WHEN 'now' THEN clock_timestamp() AT TIME ZONE 'UTC' ELSE moment::timestamp END,
    'YYYY-MM-DD"T"HH24:MI:SS')
$$;

CREATE FUNCTION strftime(format text, moment text, shift text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
SELECT to_char(moment::timestamp + shift::interval, 'YYYY-MM-DD"T"HH24:MI:SS')
$$;

CREATE TABLE site_version (number bigint NOT NULL);
INSERT INTO site_version (number) VALUES (1);
"""
