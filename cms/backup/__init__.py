"""Backups of a whole site: archives that are verified, restoring them into a site that is served, upgrades."""
