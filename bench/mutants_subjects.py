"""Which modules are mutated, and which tests have to notice it: quick ones, those that fail most likely first."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

CONFORMANCE = "tests/conformance/test_recordings.py"
CELLS = "tests/test_visibility_cells.py"
PASSWORDS = "tests/test_item_passwords.py"
ANSWERS = "tests/test_answer_cache.py"
USED_TERMS = "tests/test_used_terms.py"
CURSORS = "tests/test_cursors.py"
WRITES = ("tests/test_wrong_use.py", "tests/test_shown_after_writing.py")

#: Tests that take longer than they add.
SLOW = "hundred_thousand or deep_inside or (others_write and not posts and not comments)"
POSTS = ("posts-permissions", "posts-write", "posts-read", "posts-list", "revisions")


@dataclass(frozen=True)
class Subject:
    """Modules by a pattern of their path, and the tests of them; of recorded conversations those of these scenarios."""

    pattern: str
    tests: tuple[str, ...]
    scenarios: tuple[str, ...] = ()

    @property
    def chosen(self) -> str:
        """What pytest takes for -k."""
        if not self.scenarios:
            return f"not ({SLOW})"
        scenarios = " or ".join(f"[{name}-" for name in self.scenarios)
        return f"not ({SLOW}) and (not goes_as_recorded or {scenarios})"


SUBJECTS = (
    Subject(
        "cms/access/capabilities.py",
        (CONFORMANCE, ANSWERS, "tests/test_tokens.py", CELLS),
        (*POSTS, "users", "terms", "comments"),
    ),
    Subject("cms/access/policy.py", (CONFORMANCE, CELLS), POSTS),
    Subject("cms/access/conditions.py", (CONFORMANCE, CELLS), POSTS),
    Subject("cms/access/sealing.py", (CURSORS,)),
    Subject(
        "cms/operations/permissions.py",
        (
            CONFORMANCE,
            "tests/test_hooks_reading.py",
            "tests/test_shown_after_writing.py",
            "tests/test_features.py",
        ),
        (*POSTS, "terms", "users"),
    ),
    Subject("cms/operations/visibility.py", (CELLS, CONFORMANCE, "tests/declared_types"), POSTS),
    Subject("cms/operations/walking.py", (CURSORS,)),
    Subject("cms/api/cursors.py", (CURSORS,)),
    Subject("cms/resources/content/unlocking.py", (PASSWORDS, CELLS, CONFORMANCE), POSTS),
    Subject("cms/resources/content/rules.py", (CONFORMANCE, *WRITES, PASSWORDS, CELLS), (*POSTS, "pages")),
    Subject(
        "cms/resources/comments/rules.py",
        (CONFORMANCE, "tests/test_comments.py", "tests/test_new_comments.py", PASSWORDS, *WRITES),
        ("comments",),
    ),
    Subject(
        "cms/resources/media/rules.py",
        (
            CONFORMANCE,
            "tests/media/test_uploads.py",
            "tests/media/test_visibility.py",
            "tests/media/test_refusals.py",
        ),
        ("media",),
    ),
    Subject("cms/resources/terms/rules.py", (CONFORMANCE, USED_TERMS, *WRITES, "tests/declared_types"), ("terms",)),
    Subject(
        "cms/resources/users/rules.py",
        (CONFORMANCE, "tests/test_password_rules.py", "tests/test_sign_in.py", *WRITES),
        ("users",),
    ),
    Subject(
        "cms/db/cache.py",
        ("tests/test_values_outside_requests.py", ANSWERS, "tests/test_kept_numbers.py", "tests/test_two_sites.py"),
    ),
    Subject("cms/db/answer_cache.py", (ANSWERS,)),
    Subject(
        "cms/db/stores/comments.py",
        (CONFORMANCE, "tests/test_comments.py", "tests/test_new_comments.py"),
        ("comments",),
    ),
    Subject("cms/db/stores/deliveries.py", ("tests/plugins/test_webhooks.py",)),
    Subject("cms/db/stores/awaited.py", ("tests/transfer/test_identity.py", "tests/transfer/test_references.py")),
    Subject(
        "cms/db/stores/events.py",
        ("tests/test_events.py", "tests/plugins/test_webhooks.py", "tests/test_hooks_writing.py"),
    ),
    Subject(
        "cms/db/stores/exports.py", ("tests/transfer/test_export.py", "tests/transfer/test_export_command.py")
    ),
    Subject("cms/db/stores/ids.py", (CONFORMANCE, "tests/transfer/test_identity.py"), ("posts-write", "terms")),
    Subject("cms/db/stores/hierarchy.py", ("tests/test_loops_of_parents.py", "tests/test_pages.py")),
    Subject("cms/db/stores/second_factors.py", ("tests/admin/test_two_factor.py",)),
    Subject(
        "cms/db/stores/users.py",
        (CONFORMANCE, "tests/admin/test_sessions.py", "tests/transfer/test_import_rules.py"),
        ("users",),
    ),
    Subject(
        "cms/db/stores/imports.py",
        (
            "tests/transfer/test_order_of_files.py",
            "tests/transfer/test_attachments.py",
            "tests/test_import_over_http.py",
        ),
    ),
    Subject(
        "cms/db/stores/media.py",
        (CONFORMANCE, "tests/media/test_uploads.py", "tests/media/test_upkeep.py"),
        ("media",),
    ),
    Subject("cms/db/stores/revisions.py", (CONFORMANCE, "tests/test_revisions.py"), ("revisions",)),
    Subject("cms/db/stores/search.py", ("tests/test_search.py", CONFORMANCE), ("posts-list",)),
    Subject(
        "cms/db/stores/slugs.py",
        ("tests/test_slugs.py", "tests/test_old_slugs.py", CONFORMANCE),
        ("posts-write", "terms"),
    ),
    Subject("cms/db/stores/terms.py", (CONFORMANCE, "tests/test_kept_numbers.py"), ("terms", "posts-write")),
    Subject(
        "cms/db/stores/items.py",
        ("tests/test_versions.py", CONFORMANCE, "tests/transfer/test_references.py"),
        POSTS,
    ),
    Subject("cms/db/stores/tokens.py", ("tests/test_tokens.py",)),
    Subject("cms/db/stores/addresses.py", ("tests/test_url_command.py",)),
    Subject(
        "cms/db/stores/*.py",
        (CONFORMANCE, "tests/test_scheduled.py", "tests/test_front_addresses.py", ANSWERS),
        (*POSTS, "users", "pages"),
    ),
)


def modules_of(root: Path, chosen: str) -> dict[str, Subject]:
    """Return the modules under the root that fit the chosen pattern, each with the first subject that fits it."""
    found: dict[str, Subject] = {}
    for subject in SUBJECTS:
        for path in sorted(root.glob(subject.pattern)):
            name = path.relative_to(root).as_posix()
            if fnmatch(name, chosen):
                found.setdefault(name, subject)
    return found
