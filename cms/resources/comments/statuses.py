"""The statuses of comments: what may be sent, what is stored, what spam and trash go back to."""

from __future__ import annotations

from collections.abc import Mapping

APPROVED, HOLD, SPAM, TRASH = "approved", "hold", "spam", "trash"
#: What may be sent as a status, with the status that it means.
SENT = {
    "approve": APPROVED,
    "approved": APPROVED,
    "1": APPROVED,
    "hold": HOLD,
    "0": HOLD,
    "spam": SPAM,
    "trash": TRASH,
}
#: What is sent to take a comment back from spam or the trash.
RESTORING = ("untrash", "unspam")
#: Statuses of comments that nobody is meant to see.
REMOVED = (SPAM, TRASH)
#: What lists of several statuses are asked for by.
LISTS = {"all": (APPROVED, HOLD), "any": (APPROVED, HOLD, SPAM, TRASH)}


def listed_statuses(sent: str) -> list[str]:
    """Return the statuses that a list is asked for."""
    return list(LISTS.get(sent, (SENT.get(sent, sent),)))


def changed_status(sent: str | None, row: Mapping[str, str]) -> dict[str, str]:
    """Return the columns of a comment's status after a write, with the status that it can go back to."""
    if sent in RESTORING:
        return {"status": row["status_before"] or APPROVED, "status_before": ""}
    status = SENT.get(sent or "", row["status"])
    if status in REMOVED and row["status"] not in REMOVED:
        return {"status": status, "status_before": row["status"]}
    return {"status": status}


def status_columns(status: str, before: str) -> dict[str, str]:
    """Return the columns of a new comment's status; only spam and trash go back to another one."""
    return {"status": status, "status_before": before if status in REMOVED else ""}
