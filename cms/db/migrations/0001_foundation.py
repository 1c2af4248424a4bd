"""Users, content, terms and options, with their indexes, the kept counts of terms and the index for search."""

from peewee import Database

TABLES = """
CREATE TABLE users (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    login TEXT NOT NULL COLLATE NOCASE UNIQUE,
    email TEXT NOT NULL COLLATE NOCASE,
    password_hash TEXT NOT NULL,
    name TEXT NOT NULL,
    sort_name TEXT NOT NULL DEFAULT '',
    first_name TEXT NOT NULL DEFAULT '',
    last_name TEXT NOT NULL DEFAULT '',
    nickname TEXT NOT NULL,
    slug TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL DEFAULT '',
    description TEXT NOT NULL DEFAULT '',
    locale TEXT NOT NULL DEFAULT '',
    roles TEXT NOT NULL DEFAULT '[]',
    registered_gmt TEXT NOT NULL,
    meta TEXT NOT NULL DEFAULT '{}',
    version INTEGER NOT NULL DEFAULT 1,
    source_site TEXT, source_id TEXT
);
CREATE UNIQUE INDEX users_email ON users (email) WHERE email <> '';
CREATE INDEX users_name ON users (sort_name, id);
CREATE UNIQUE INDEX users_source ON users (source_site, source_id) WHERE source_id IS NOT NULL;

CREATE TABLE content (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    type TEXT NOT NULL,
    status TEXT NOT NULL,
    slug TEXT NOT NULL DEFAULT '',
    title TEXT NOT NULL DEFAULT '',
    sort_title TEXT NOT NULL DEFAULT '',
    content TEXT NOT NULL DEFAULT '',
    excerpt TEXT NOT NULL DEFAULT '',
    author_id INTEGER NOT NULL REFERENCES users (id),
    date_gmt TEXT NOT NULL,
    date_floats INTEGER NOT NULL DEFAULT 0,
    modified_gmt TEXT NOT NULL,
    password TEXT NOT NULL DEFAULT '',
    comment_status TEXT NOT NULL DEFAULT 'open',
    ping_status TEXT NOT NULL DEFAULT 'open',
    parent_id INTEGER NOT NULL DEFAULT 0,
    menu_order INTEGER NOT NULL DEFAULT 0,
    template TEXT NOT NULL DEFAULT '',
    format TEXT NOT NULL DEFAULT 'standard',
    is_sticky INTEGER NOT NULL DEFAULT 0,
    featured_id INTEGER NOT NULL DEFAULT 0,
    mime_type TEXT NOT NULL DEFAULT '',
    trashed_status TEXT NOT NULL DEFAULT '',
    trashed_gmt TEXT NOT NULL DEFAULT '',
    meta TEXT NOT NULL DEFAULT '{}',
    version INTEGER NOT NULL DEFAULT 1,
    source_site TEXT, source_id TEXT,
    rendered_by TEXT NOT NULL DEFAULT '',
    title_html TEXT NOT NULL DEFAULT '',
    excerpt_html TEXT NOT NULL DEFAULT '',
    content_html TEXT NOT NULL DEFAULT ''
);
CREATE INDEX content_date ON content (type, status, date_gmt, id);
CREATE INDEX content_author ON content (author_id, type, status, date_gmt);
CREATE INDEX content_parent ON content (parent_id, type) WHERE parent_id <> 0;
CREATE UNIQUE INDEX content_slug ON content (type, parent_id, slug) WHERE slug <> '' AND status <> 'trash';
CREATE INDEX content_by_slug ON content (slug) WHERE slug <> '';
CREATE INDEX content_sticky ON content (type, date_gmt) WHERE is_sticky = 1;
CREATE INDEX content_featured ON content (featured_id) WHERE featured_id <> 0;
CREATE UNIQUE INDEX content_source ON content (source_site, source_id) WHERE source_id IS NOT NULL;

CREATE TABLE terms (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    taxonomy TEXT NOT NULL,
    name TEXT NOT NULL,
    sort_name TEXT NOT NULL DEFAULT '',
    slug TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    parent_id INTEGER NOT NULL DEFAULT 0,
    count INTEGER NOT NULL DEFAULT 0,
    meta TEXT NOT NULL DEFAULT '{}',
    version INTEGER NOT NULL DEFAULT 1,
    source_site TEXT, source_id TEXT
);
CREATE UNIQUE INDEX terms_slug ON terms (taxonomy, slug);
CREATE INDEX terms_name ON terms (taxonomy, name COLLATE NOCASE);
CREATE INDEX terms_sort ON terms (taxonomy, sort_name, id);
CREATE INDEX terms_parent ON terms (taxonomy, parent_id);

CREATE TABLE content_terms (
    content_id INTEGER NOT NULL REFERENCES content (id),
    term_id INTEGER NOT NULL REFERENCES terms (id),
    PRIMARY KEY (content_id, term_id)
) WITHOUT ROWID;
CREATE INDEX content_terms_term ON content_terms (term_id, content_id);

CREATE TABLE options (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
"""

TRIGGERS = (
    # How many published items a term has, those dated ahead included.
    """CREATE TRIGGER term_count_link AFTER INSERT ON content_terms BEGIN
        UPDATE terms SET count = count + 1 WHERE id = new.term_id
        AND EXISTS (SELECT 1 FROM content WHERE id = new.content_id AND status = 'publish');
    END""",
    """CREATE TRIGGER term_count_unlink AFTER DELETE ON content_terms BEGIN
        UPDATE terms SET count = count - 1 WHERE id = old.term_id
        AND EXISTS (SELECT 1 FROM content WHERE id = old.content_id AND status = 'publish');
    END""",
    """CREATE TRIGGER term_count_status AFTER UPDATE OF status ON content
    WHEN (old.status = 'publish') <> (new.status = 'publish') BEGIN
        UPDATE terms SET count = count + iif(new.status = 'publish', 1, -1)
        WHERE id IN (SELECT term_id FROM content_terms WHERE content_id = new.id);
    END""",
)

# Parts of words in any script: an index of all runs of three characters.
SEARCH = (
    """CREATE VIRTUAL TABLE content_search USING fts5 (
        title, excerpt, content, content = 'content', content_rowid = 'id', tokenize = 'trigram'
    )""",
    """CREATE TRIGGER content_search_insert AFTER INSERT ON content BEGIN
        INSERT INTO content_search (rowid, title, excerpt, content)
        VALUES (new.id, new.title, new.excerpt, new.content);
    END""",
    """CREATE TRIGGER content_search_delete AFTER DELETE ON content BEGIN
        INSERT INTO content_search (content_search, rowid, title, excerpt, content)
        VALUES ('delete', old.id, old.title, old.excerpt, old.content);
    END""",
    """CREATE TRIGGER content_search_update AFTER UPDATE OF title, excerpt, content ON content
    WHEN old.title <> new.title OR old.excerpt <> new.excerpt OR old.content <> new.content BEGIN
        INSERT INTO content_search (content_search, rowid, title, excerpt, content)
        VALUES ('delete', old.id, old.title, old.excerpt, old.content);
        INSERT INTO content_search (rowid, title, excerpt, content)
        VALUES (new.id, new.title, new.excerpt, new.content);
    END""",
)


def up(migrator: object, db: Database) -> None:
    for statement in TABLES.split(";\n"):
        if statement.strip():
            db.execute_sql(statement)
    for statement in (*TRIGGERS, *SEARCH):
        db.execute_sql(statement)
