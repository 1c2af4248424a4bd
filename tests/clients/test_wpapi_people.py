"""The npm client wpapi writes terms, accounts and settings to a served site."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

SETTINGS = {"title": "A client’s site", "posts_per_page": 7}


@pytest.fixture(scope="module")
def outcome(run: Callable[[str], Any]) -> Any:
    return run("wpapi/people.mjs")


def refused(refusal: Any) -> tuple[str, int]:
    return refusal["code"], refusal["status"]


@pytest.fixture(params=["category", "tag"])
def terms(request: pytest.FixtureRequest, outcome: Any) -> Any:
    return outcome[request.param]


def test_client_creates_a_term(terms: Any) -> None:
    assert (terms["created"]["name"], terms["created"]["slug"]) == ("Küste &amp; Meer", "kuste-meer")
    assert (terms["created"]["description"], terms["created"]["count"]) == ("By the sea", 0)


def test_categories_have_parents_and_tags_have_none(outcome: Any) -> None:
    assert outcome["category"]["created"]["parent"] == outcome["parent"]["id"]
    assert "parent" not in outcome["tag"]["created"]


@pytest.mark.parametrize(("what", "code"), [("again", "term_exists"), ("nameless", "rest_missing_callback_param")])
def test_term_needs_a_name_that_is_free(terms: Any, what: str, code: str) -> None:
    assert refused(terms[what]) == (code, 400)


def test_client_renames_a_term_and_finds_it(terms: Any) -> None:
    assert terms["updated"]["name"] == "Sea"
    assert [term["id"] for term in terms["found"]] == [terms["created"]["id"]]


def test_term_is_deleted_by_force_alone(terms: Any) -> None:
    assert refused(terms["kept"]) == ("rest_trash_not_supported", 501)
    assert terms["deleted"]["previous"]["name"] == "Sea"
    assert refused(terms["gone"]) == ("rest_term_invalid", 404)


def test_client_creates_an_account_that_signs_in(outcome: Any) -> None:
    accounts = outcome["accounts"]

    assert accounts["me"]["id"] == accounts["created"]["id"]
    assert (accounts["me"]["username"], accounts["me"]["name"], accounts["me"]["roles"]) == ("maria", "María", ["author"])
    assert "password" not in accounts["me"]
    assert refused(accounts["again"]) == ("existing_user_login", 400)


def test_client_updates_an_account(outcome: Any) -> None:
    assert outcome["accounts"]["updated"]["description"] == "Writes about boats"
    assert outcome["accounts"]["updated"]["email"] == "maria@example.org"


def test_visitors_see_who_has_written_but_no_addresses(outcome: Any) -> None:
    listed = outcome["accounts"]["listed"]

    assert "maria" in [account["slug"] for account in listed]
    assert all("email" not in account and "roles" not in account for account in listed)


def test_author_may_not_create_accounts(outcome: Any) -> None:
    assert refused(outcome["accounts"]["beyond"]) == ("rest_cannot_create_user", 403)


def test_deleted_account_leaves_its_posts_to_another(outcome: Any) -> None:
    accounts = outcome["accounts"]

    assert accounts["deleted"]["previous"]["username"] == "maria"
    assert accounts["reassigned"]["author"] == 1
    assert refused(accounts["gone"]) == ("rest_user_invalid_id", 404)
    assert accounts["refused"]["status"] == 401


def test_client_reads_and_changes_its_own_account(outcome: Any) -> None:
    own = outcome["own"]

    assert (own["me"]["id"], own["me"]["slug"]) == (own["changed"]["id"], "admin")
    assert own["changed"]["nickname"] == "Boss"


def test_wrong_password_is_refused(outcome: Any) -> None:
    assert refused(outcome["own"]["wrong"]) == ("rest_invalid_credentials", 401)


def test_client_writes_settings_and_leaves_the_rest(outcome: Any) -> None:
    settings = outcome["settings"]

    assert settings["after"] == settings["written"] == {**settings["before"], **SETTINGS}
    assert settings["before"] != settings["after"]


def test_settings_are_checked_and_hidden_from_visitors(outcome: Any) -> None:
    assert refused(outcome["settings"]["invalid"]) == ("rest_invalid_param", 400)
    assert outcome["settings"]["invalid"]["params"] == ["start_of_week"]
    assert refused(outcome["settings"]["hidden"]) == ("rest_forbidden", 401)
