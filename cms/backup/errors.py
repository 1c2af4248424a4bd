"""What backups, restores and upgrades can't do: sentences that say what is wrong and what to do."""

from __future__ import annotations


class BackupError(Exception):
    """Say why a backup can't be made, restored or trusted; whatever was there before is as it was."""
