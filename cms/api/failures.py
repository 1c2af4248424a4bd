"""Requests that failed as nobody expected: which plugin's code it was, where, and what its author can do."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from gettext import NullTranslations
from typing import Any

import orjson
from flask import Request, Response
from werkzeug.exceptions import HTTPException

from cms.api.request import is_undeclared_json
from cms.api.request_ids import REQUEST_ID
from cms.api.response import Translation, respond_error
from cms.api.unavailable import find_refusal, refuse_without_server
from cms.db.errors import DATABASE_ERRORS, ServerUnavailable
from cms.errors import ApiError
from cms.hooks import CORE, PluginError
from cms.hooks.places import place_of
from cms.i18n import ENGLISH, _
from cms.schema.endpoint import Answer, Endpoint
from cms.site import Site

log = logging.getLogger("cms")


def respond_failure(error: Exception, request: Request, translation: Translation, site: Site) -> Response:
    """Return the answer to a request that raised; what nobody expected is logged."""
    if isinstance(error, ApiError):
        if error.status == 400 and is_undeclared_json(request):
            error.message = _(
                "%(fault)s Send JSON with the header Content-Type: application/json.", fault=error.message
            )
        return respond_error(_named(error, request), translation, "_envelope" in request.args)
    if isinstance(error, HTTPException):
        message = _("The request can't be read: %(fault)s.", fault=error.name)
        return respond_error(ApiError("rest_bad_request", message, error.code or 400), translation)
    refusal = find_refusal(error)
    if refusal is not None:
        return respond_error(_named(refusal, request), _or_english(translation))
    return _failed(error, request, site)


def respond_unavailable(error: ServerUnavailable) -> Response:
    """Return the answer to a request outside of the API for which the database's server was needed."""
    return respond_error(refuse_without_server(error), lambda: ENGLISH)


def _or_english(translation: Translation) -> Translation:
    """Return a translation that is English where the language can't be read, since the database is what failed."""

    def translated() -> NullTranslations:
        try:
            return translation()
        except DATABASE_ERRORS:
            return ENGLISH

    return translated


def _failed(error: Exception, request: Request, site: Site) -> Response:
    explanation = explain(error, site) or "see the traceback"
    which = f"{request.method} {request.path} failed"
    id = request.environ.get(REQUEST_ID)
    if id:
        which += f" (request {id})"
    log.error("%s: %s", which, explanation, exc_info=error)
    failed = ApiError("rest_internal_error", _("Something went wrong here. It has been logged."), 500)
    return respond_error(_named(failed, request), lambda: ENGLISH)


def _named(error: ApiError, request: Request) -> ApiError:
    """Return an error with the request's id, where the fault is the site's: who reports it can say which one it was."""
    if error.status >= 500 and REQUEST_ID in request.environ:
        error.data["request_id"] = request.environ[REQUEST_ID]
    return error


def as_answer(found: Any, site: Site, rule: str, endpoint: Endpoint) -> Answer:
    """Return what an endpoint answered; a dict or list is the body. Raises PluginError for anything else."""
    if isinstance(found, Answer):
        return found
    if isinstance(found, (dict, list)):
        return Answer(found, allow=endpoint.methods)
    message = (
        f"the route {rule} returned {type(found).__name__}. Return an Answer, or the body as a dict or list"
    )
    raise PluginError(_owner(site, rule), message, place=place_of(endpoint.run))


def find_fault(site: Site, rule: str, body: Any) -> PluginError:
    """Return what says which part of an answer has no form in JSON, and whose it is."""
    path, value = next(_foreign(body, ()), ((), body))
    names = [name for name in path if not name.isdecimal()]
    owner = _owner(site, rule)
    for plugin in site.plugins.loaded.values():
        fields = {field.rpartition(".")[2] for field in plugin.registered.get("fields", ())}
        if owner == CORE and plugin.name != CORE and fields & set(names):
            owner = plugin.name
    place = ".".join(path) or "the body"
    message = f"the route {rule} answers with {type(value).__name__} in {place}, which JSON has no form for. "
    return PluginError(owner, message + "Use dicts, lists, texts, numbers, true, false and null")


def explain(error: Exception, site: Site) -> str:
    """Return the words for the log; empty where no plugin has to do with it."""
    if isinstance(error, PluginError) and error.plugin == CORE:
        return ""
    if isinstance(error, PluginError):
        return str(error)
    culprit = site.plugins.find_culprit(error)
    if culprit is None:
        return ""
    return ". ".join([str(culprit), *getattr(error, "__notes__", ())])


def _owner(site: Site, rule: str) -> str:
    return site.registry.route_owners.get(rule, CORE)


def _foreign(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], object]]:
    """Yield the parts of a body that JSON has no form for, with the names that lead to them."""
    parts: Any = ()
    if isinstance(value, dict):
        parts = value.items()
    elif isinstance(value, (list, tuple)):
        parts = enumerate(value)
    else:
        try:
            orjson.dumps(value)
        except orjson.JSONEncodeError:
            if not isinstance(value, str):
                yield path, value
    for name, part in parts:
        yield from _foreign(part, (*path, str(name)))
