"""The way of a request through a route: who asks, what they send, the endpoint, the answer."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from flask import Request, Response
from flask import request as current_request
from orjson import JSONEncodeError

from cms.access.authentication import SignInRequest
from cms.access.capabilities import VISITOR, Principal
from cms.api.cached_answers import READS, has_password, may_ask_replica, place_for, surrogate_keys
from cms.api.cursors import read_cursor
from cms.api.failures import as_answer, find_fault, respond_failure
from cms.api.headers import versions
from cms.api.ignored import ignored_names, is_strict, refuse_ignored
from cms.api.limits import check_lists, check_query, most_of_body
from cms.api.options import describe_options
from cms.api.origins import ask_for_password, origin_headers, refuse_foreign_write
from cms.api.query_options import Features, method_of, read_features
from cms.api.request import arguments, interruption, query_arguments
from cms.api.response import Translation, respond
from cms.api.session_cookie import sent_session
from cms.api.uploads import RequestFile
from cms.call import Call
from cms.db.bounded_table import BoundedTable
from cms.errors import ApiError, no_route
from cms.i18n import _
from cms.operations.walking import CURSOR
from cms.schema.endpoint import Answer, Endpoint, Route
from cms.site import Site

#: The longest query whose checked arguments are kept: longer ones are rarely sent twice.
LONGEST_CACHED = 512
SAFE = (*READS, "OPTIONS")

Parsed = tuple[dict[str, Any], dict[str, Any], Features]
#: Checked arguments of reads, by endpoint and query.
ParsedQueries = BoundedTable[tuple[int, bytes], Parsed]


@dataclass(slots=True)
class Exchange:
    """One request on its way through a route: what was sent, who asks, what its path says, in which language."""

    request: Request
    principal: Principal
    path: dict[str, Any]
    translation: Translation
    #: Whether the answer follows from the stored data alone, for any visitor.
    is_cacheable: bool = False
    #: Headers of the answer that don't depend on it.
    headers: dict[str, str] = field(default_factory=dict)


class RouteView:
    """Answers the requests to one route of a site."""

    def __init__(self, site: Site, route: Route | None, parsed: ParsedQueries) -> None:
        """Prepare for one route, None for whatever no route takes; `parsed` is shared by all routes of a site."""
        self.site = site
        self.route = route
        #: The route's path for messages, empty for none.
        self.rule = route.rule if route else ""
        self.by_method: dict[str, Endpoint] = {}
        for endpoint in route.endpoints if route else ():
            self.by_method |= dict.fromkeys(endpoint.methods, endpoint)
        if "GET" in self.by_method:
            self.by_method["HEAD"] = self.by_method["GET"]
        self._parsed = parsed
        self._replicas = site.context.replicas

    def __call__(self, language: str | None = None, **path: Any) -> Response:
        """Answer; what is raised becomes an answer too, and what nobody expected is logged and answered without detail.

        `language` is the prefix of the variant that is asked for.
        """
        request = current_request._get_current_object()  # type: ignore[attr-defined]  # it is a proxy
        code = self.site.content_registry.locales[language].code if language else ""
        exchange = Exchange(request, VISITOR, path, partial(self.site.translation, code))
        try:
            if self.site.started_in != os.getpid():
                self.site.start()
            check_query(request.query_string)
            with (
                self.site.database.time_limit(self.site.config["statement_seconds"], interruption(request)),
                self.site.cache.one_look(),
            ):
                exchange.principal = self._identify(request, code)
                if self._replicas is not None and may_ask_replica(exchange.principal, request.environ):
                    with self._replicas.reading():
                        response = self._cached_or_made(exchange)
                else:
                    response = self._cached_or_made(exchange)
        except Exception as error:
            response = respond_failure(error, request, exchange.translation, self.site)
            response.headers.update(self._headers(exchange))
            if response.status_code == 401:
                ask_for_password(response, request)
        return response

    def _cached_or_made(self, exchange: Exchange) -> Response:
        environ = exchange.request.environ
        place = place_for(self.site, exchange.principal, environ)
        kept = place.response(environ) if place else None
        if kept is not None:
            self.site.answers.hits += 1
            return kept
        exchange.headers = self._headers(exchange)
        response = self._answer(exchange)
        if place is None or not exchange.is_cacheable:
            return response
        self.site.answers.misses += 1
        return place.store(response, environ)

    def _headers(self, exchange: Exchange) -> dict[str, str]:
        """Return the headers that depend on who asks, from where."""
        request, principal = exchange.request, exchange.principal
        signed_in = "HTTP_AUTHORIZATION" in request.environ or principal.id != 0
        headers = origin_headers(request, self.site.config["cors_origins"], signed_in)
        if principal.id or principal.capabilities:
            headers["Cache-Control"] = "no-store"
        return headers

    def _identify(self, request: Request, language: str) -> Principal:
        """Return who asks, in a language of the site; writes and those who send passwords bring address and program."""
        principal = self.site.authentication.identify(
            request.environ.get("HTTP_AUTHORIZATION"),
            request.remote_addr or "",
            partial(_sign_in_request, request),
            sent_session(self.site, request),
        )
        is_plain_read = request.method in READS and not has_password(request.query_string.decode("latin-1"))
        if is_plain_read and not language:
            return principal
        agent = request.headers.get("User-Agent", "")
        return replace(principal, language=language, address=request.remote_addr or "", agent=agent)

    def _answer(self, exchange: Exchange) -> Response:
        if self.route is None:
            raise no_route()
        request, principal = exchange.request, exchange.principal
        method = method_of(request)
        if method not in SAFE:
            refuse_foreign_write(request, principal, self.site.url, self.site.config["cors_origins"])
        if principal.read_only and method not in SAFE:
            raise ApiError(
                "rest_token_scope", _('This token may only read. Use one with the scope "all".'), 403
            )
        if method == "OPTIONS":
            described = describe_options(Call(self.site, principal, {}, {}, exchange.path), self.route)
            narrowed = _narrowed(described, principal)
            return respond(self.site, request, narrowed, exchange.translation, exchange.headers)
        endpoint = self.by_method.get(method)
        if endpoint is None:
            raise no_route()
        if not endpoint.upload_capability:
            return self._run(endpoint, self._read(endpoint, method, exchange), exchange)
        most = most_of_body(self.site.config, method, principal)
        file = RequestFile(self.site, request, principal.may(endpoint.upload_capability), most)
        try:
            parsed = self._load_write(endpoint, file.arguments(), method, request)
            return self._run(endpoint, parsed, exchange, file)
        finally:
            file.discard()

    def _run(
        self, endpoint: Endpoint, parsed: Parsed, exchange: Exchange, file: RequestFile | None = None
    ) -> Response:
        sent, args, features = parsed
        request, principal = exchange.request, exchange.principal
        endpoint.require(principal)
        wanted = versions(request.environ.get("HTTP_IF_MATCH"))
        open_upload = file.open_upload if file else None
        call = Call(self.site, principal, args, sent, exchange.path, wanted, open_upload)
        answer = as_answer(endpoint.run(call), self.site, self.rule, endpoint)
        if features.ignored:
            answer = replace(answer, ignored=(*features.ignored, *answer.ignored))
        shaped = _narrowed(self._shaped(answer, features, principal), principal)
        self._set_caching(exchange, shaped, features)
        try:
            return respond(
                self.site, request, shaped, exchange.translation, exchange.headers, features.envelope
            )
        except JSONEncodeError as error:
            raise find_fault(self.site, self.rule, shaped.body) from error

    def _set_caching(self, exchange: Exchange, answer: Answer, features: Features) -> None:
        """Say which caches may hold the answer; none where it embeds what depends on more than the stored data."""
        config, headers = self.site.config, exchange.headers
        if answer.no_store:
            headers["Cache-Control"] = "no-store"
        elif answer.cacheable and exchange.principal == VISITOR and exchange.request.method in READS:
            exchange.is_cacheable = not (features.embeds and self.site.registry.uncached_resources)
        if not exchange.is_cacheable:
            return
        if config["cache_control"]:
            headers["Cache-Control"] = config["cache_control"]
        if config["surrogate_keys"]:
            headers["Surrogate-Key"] = surrogate_keys(self.rule, answer.body)

    def _read(self, endpoint: Endpoint, method: str, exchange: Exchange) -> Parsed:
        """Return raw and checked arguments; those of a read are a function of the query alone, and kept."""
        request = exchange.request
        if request.method not in READS:
            most = most_of_body(self.site.config, method, exchange.principal)
            return self._load_write(endpoint, arguments(request, most), method, request)
        query = request.query_string
        key = (id(endpoint), query)
        known = self._parsed.get(key)
        if known is None:
            known = self._load(endpoint, arguments(request, 0), method)
            if len(query) <= LONGEST_CACHED:
                # Each of its names and values is an object; most of the rest are defaults that all share.
                self._parsed.put(key, known, 2_000 + 60 * len(query))
        return known

    def _load(self, endpoint: Endpoint, sent: dict[str, Any], method: str) -> Parsed:
        features = read_features(sent)
        check_lists(endpoint.loader, sent, self.site.config, method)
        args = {**endpoint.loader.load(sent), "_fields": features.wanted, CURSOR: read_cursor(endpoint, sent)}
        return sent, args, features

    def _load_write(self, endpoint: Endpoint, sent: dict[str, Any], method: str, request: Request) -> Parsed:
        """Return raw and checked arguments of a write, and what of its body isn't taken."""
        _raw, args, features = self._load(endpoint, sent, method)
        in_address = query_arguments(request) if request.query_string else ()
        schema = self.route.schema if self.route else None
        ignored = ignored_names(endpoint, schema, sent, in_address, args)
        strict = is_strict(endpoint, sent)
        if strict:
            refuse_ignored(ignored)
        return sent, {**args, "_strict": strict}, replace(features, ignored=ignored)

    def _shaped(self, answer: Answer, features: Features, principal: Principal) -> Answer:
        body = answer.body
        if answer.content_type:
            return answer
        if features.embeds:
            items = body if isinstance(body, list) else [body]
            linked = [item for item in items if "_links" in item]
            self.site.embedding.embed(linked, features.embed, principal)
        return replace(answer, body=features.pick(body)) if features.fields else answer


def _sign_in_request(request: Request) -> SignInRequest:
    """Return what a request says of who sends it."""
    headers = {name.lower(): value for name, value in request.headers.items()}
    return SignInRequest(
        method_of(request),
        request.path,
        headers,
        dict(request.cookies),
        query_arguments(request),
        request.remote_addr or "",
    )


def _narrowed(answer: Answer, principal: Principal) -> Answer:
    """Return the answer with those methods alone that the principal's token may use."""
    if not principal.read_only or not answer.allow:
        return answer
    return replace(answer, allow=tuple(method for method in answer.allow if method in SAFE) or None)
