"""The routes below a subscription: its deliveries, sending one again, a test, another secret."""

from __future__ import annotations

from typing import Any

from cms.plugin import (
    ALWAYS,
    CREATE,
    DELIVERY_STATUSES,
    GET,
    PAGING,
    VIEW,
    VIEW_EDIT,
    Answer,
    AnswerShape,
    ApiError,
    ArgumentSchema,
    Call,
    ContextArgs,
    DateTime,
    Deliveries,
    DeliveryRow,
    Endpoint,
    Integer,
    ItemSchema,
    Route,
    SerializationContext,
    String,
    _,
    compile_serializer,
)

from .store import PLUGIN, TEST, WebhookRow
from .subscriptions import CAPABILITY, MISSING, NAME, Secret, new_secret

PATH = "/webhooks/<digits:id>"
WHOSE = {"id": Integer(_("Id of the webhook."))}
WHICH = {**WHOSE, "delivery": Integer(_("Id of the delivery."))}


def _webhook_id(row: DeliveryRow, _page: object) -> int:
    return int(row["target"])


def _event_id(row: DeliveryRow, _page: object) -> int | None:
    return None if row["name"] == TEST else row["event_id"]


def _next_try(row: DeliveryRow, _page: object) -> str | None:
    return row["due_gmt"] if row["status"] == "waiting" else None


class DeliverySchema(ItemSchema):
    """The fields of a delivery."""

    id = Integer(_("Number that identifies the delivery, the same in every try."), ALWAYS, readonly=True)
    webhook = Integer(
        _("Id of the webhook."),
        ALWAYS,
        readonly=True,
        columns=("target",),
        read=_webhook_id,
    )
    event = String(_("Name of the event."), ALWAYS, readonly=True, column="name")
    event_id = Integer(
        _("Id of the event; null for a test."),
        VIEW_EDIT,
        readonly=True,
        nullable=True,
        columns=("event_id", "name"),
        read=_event_id,
    )
    resource = String(_("What kind of thing the event is about."), VIEW_EDIT, readonly=True)
    item = Integer(_("Id of the thing that the event is about."), VIEW_EDIT, readonly=True, column="item_id")
    user = Integer(
        _("Id of the account that did it; 0 for none."), VIEW_EDIT, readonly=True, column="user_id"
    )
    at = DateTime(_("When it happened, in GMT."), VIEW_EDIT, readonly=True, column="at_gmt")
    status = String(
        _("Whether the delivery waits for a try, was taken, or was set aside after the last try."),
        ALWAYS,
        enum=DELIVERY_STATUSES,
        readonly=True,
    )
    tries = Integer(_("How often it has been tried."), ALWAYS, readonly=True)
    code = Integer(
        _("Status of the last answer; null where there was none."), ALWAYS, readonly=True, nullable=True
    )
    error = String(_("What went wrong in the last try, in English."), ALWAYS, readonly=True)
    last_try = DateTime(
        _("When it was last tried, in GMT; null for never."),
        VIEW_EDIT,
        readonly=True,
        nullable=True,
        column="tried_gmt",
    )
    next_try = DateTime(
        _("When it is tried next, in GMT; null where it isn't."),
        VIEW_EDIT,
        readonly=True,
        nullable=True,
        columns=("due_gmt", "status"),
        read=_next_try,
    )


class DeliveryListArgs(ArgumentSchema):
    """The arguments of the list of deliveries."""

    context = ContextArgs._declared_fields["context"]
    page, per_page = PAGING["page"], PAGING["per_page"]
    status = String(_("Only deliveries in this state."), enum=DELIVERY_STATUSES)


class SecretArgs(ArgumentSchema):
    """The argument of giving a webhook another secret."""

    secret = Secret(_("The new secret; without one the site makes it."))


class SecretSchema(ItemSchema):
    """What the answer to another secret is made of."""

    id = WHOSE["id"].copy(contexts=ALWAYS, dump_only=True)
    secret = String(_("The new secret. It isn't shown again."), ALWAYS, readonly=True)


def _webhook(call: Call) -> WebhookRow:
    operations = call.site.operations[NAME]
    row: WebhookRow = operations.find_permitted(
        int(call.path["id"]), "read", {"context": VIEW}, call.principal
    )
    return row


def _deliveries(call: Call) -> Deliveries:
    return call.site.outbox.deliveries(PLUGIN)


def _delivery(call: Call, webhook: WebhookRow) -> DeliveryRow:
    row = _deliveries(call).find(str(webhook["id"]), int(call.path["delivery"]))
    if row is None:
        raise ApiError(
            "rest_webhook_delivery_invalid_id", _("This webhook has no delivery with this id."), 404
        )
    return row


def _require_active(webhook: WebhookRow) -> None:
    if not webhook["active"]:
        raise ApiError(
            "rest_webhook_inactive", _("This webhook isn't active. Set active to true first."), 409
        )


def _serialize(call: Call, row: DeliveryRow, context: str = VIEW) -> dict[str, Any]:
    page = SerializationContext(
        call.site.context, call.site.renderer, call.principal, context, [row], call.site.now()
    )
    item = compile_serializer(DeliverySchema, context).serialize(row, page)
    webhook = f"{call.site.collection_urls[NAME]}/{row['target']}"
    return {
        **item,
        "_links": {"self": [{"href": f"{webhook}/deliveries/{row['id']}"}], "up": [{"href": webhook}]},
    }


def _list(call: Call) -> Answer:
    target, status = str(_webhook(call)["id"]), call.args.get("status")
    number, per_page = call.args["page"], call.args["per_page"]
    total = _deliveries(call).count(target, status)
    rows = _deliveries(call).list(target, status, per_page, (number - 1) * per_page)
    pages = -(-total // per_page)
    return Answer(
        [_serialize(call, row, call.args["context"]) for row in rows],
        total=total,
        pages=pages,
        page=number,
        has_next=number < pages,
    )


def _get(call: Call) -> Answer:
    return Answer(_serialize(call, _delivery(call, _webhook(call)), call.args["context"]))


def _send_again(call: Call) -> Answer:
    webhook = _webhook(call)
    row = _delivery(call, webhook)
    _require_active(webhook)
    _deliveries(call).retry([row["id"]])
    return Answer(_serialize(call, _delivery(call, webhook)), allow=CREATE)


def _test(call: Call) -> Answer:
    webhook = _webhook(call)
    _require_active(webhook)
    id = webhook["id"]
    item = _serialize(call, _deliveries(call).add(str(id), TEST, NAME, id, call.principal.id))
    return Answer(item, 201, allow=CREATE, location=item["_links"]["self"][0]["href"])


def _change_secret(call: Call) -> Answer:
    operations = call.site.operations[NAME]
    secret = call.args.get("secret") or new_secret()
    item = operations.update(int(call.path["id"]), {"secret": secret}, call.principal, call.versions)
    return Answer({"id": item.row["id"], "secret": item.row["secret"]}, allow=CREATE)


def delivery_routes() -> list[Route]:
    """Return the routes of deliveries, of the test and of the secret."""
    declared: dict[str, Any] = {"schema": DeliverySchema, "title": "webhook-delivery"}
    one = f"{PATH}/deliveries/<digits:delivery>"
    again, made = AnswerShape(contexts=(VIEW,)), AnswerShape(status=201, contexts=(VIEW,))
    missing = {404: (*MISSING[404], "rest_webhook_delivery_invalid_id")}
    inactive = {409: ("rest_webhook_inactive",)}
    send_again = Endpoint(
        CREATE, _send_again, CAPABILITY, None, WHICH, answers=again, codes={**missing, **inactive}
    )
    test = Endpoint(CREATE, _test, CAPABILITY, None, WHOSE, answers=made, codes={**MISSING, **inactive})
    get_list = Endpoint(GET, _list, CAPABILITY, DeliveryListArgs, WHOSE, codes=MISSING)
    get_one = Endpoint(GET, _get, CAPABILITY, ContextArgs, WHICH, codes=missing)
    return [
        Route(f"{PATH}/deliveries", (get_list,), **declared),
        Route(one, (get_one,), **declared),
        Route(f"{one}/send", (send_again,), **declared),
        Route(f"{PATH}/test", (test,), **declared),
        Route(
            f"{PATH}/secret",
            (Endpoint(CREATE, _change_secret, CAPABILITY, SecretArgs, WHOSE, codes=MISSING),),
            schema=SecretSchema,
            title="webhook-secret",
        ),
    ]
