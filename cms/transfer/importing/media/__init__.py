"""The files of an export: the index of them, fetching them, rewriting the addresses and ids in texts."""
