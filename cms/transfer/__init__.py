"""Content on its way in and out: exports, backups and what is read from them."""
