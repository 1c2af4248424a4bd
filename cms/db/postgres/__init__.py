"""PostgreSQL as the database of a site; nothing here is imported where a site lies in a file."""
