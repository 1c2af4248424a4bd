"""All that is said in SQLite's own words: its files, connections and indexes, and what statements take from it."""
