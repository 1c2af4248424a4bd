"""The files of an export: which are wanted, fetching them, rewriting what points at them."""
