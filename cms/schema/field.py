"""A field that documents itself: a marshmallow field whose first arguments are description and contexts.

A field says once what it is; validation, discovery, the JSON Schema of OPTIONS, output and filters read that.
As a part of an item it says how its value is read from a row of a page of items; as an argument of a list it
may say `where`, the condition that its value adds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Self, TypedDict, Unpack

import marshmallow
from marshmallow import ValidationError, missing

from cms.errors import ApiError
from cms.i18n import Text, _
from cms.schema.options import MAX_BYTES, AnswerOptions, LengthOptions, set_answer_options
from cms.schema.reading import Load, Prepare, Read, ReadOptions, prepared, set_reading_options
from cms.schema.storing import StoringOptions, set_storing_options
from cms.schema.values import length_fault

VIEW, EMBED, EDIT = "view", "embed", "edit"
CONTEXTS = (VIEW, EMBED, EDIT)
ALWAYS = CONTEXTS
VIEW_EDIT = (VIEW, EDIT)
EDIT_ONLY = (EDIT,)
NEVER: tuple[str, ...] = ()

#: Makes the condition of a list's argument from the `Bound` value.
Where = Callable[[Any], Any]
#: Makes the expression that a list is ordered by.
Order = Callable[[], Any]
#: What the values of each type of JSON are here.
PYTHON_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": (list, str),  # texts with commas are sent too
    "object": (dict, str),  # a text with a rendered form may be sent as a text
}
#: Stores the value of the item with an id, inside the transaction of the write: `store(site, id, value)`.
Store = Callable[[Any, int, Any], None]


class ListOptions(TypedDict, total=False):
    """How lists use a field: as a filter, as an order, or not at all.

    A `hidden` field is read where it is sent, but not documented: it is there to be refused with a reason.
    """

    where: Where | None
    order: Order | None
    filterable: bool
    sortable: bool
    hidden: bool


class FieldOptions(ReadOptions, ListOptions, LengthOptions, StoringOptions, AnswerOptions, total=False):
    """What a field may be declared with.

    `null` says what a sent null means: the field is left as it is (default), or takes this value.
    """

    default: Any  # of the field's own type
    required: bool
    readonly: bool
    null: Any  # of the field's own type
    store: Store | None


FUNCTIONS = ("read", "prepare", "load", "where", "store")
LISTS = ("columns", "edit_columns")


def check_options(options: Mapping[str, object]) -> None:
    """Raise TypeError where a name isn't that of an option, or its value is of another kind."""
    for name, value in options.items():
        if name not in FieldOptions.__annotations__:
            allowed = ", ".join(sorted(FieldOptions.__annotations__))
            raise TypeError(f"a field has no option {name!r}. Options: {allowed}")
        if name in FUNCTIONS and value is not None and not callable(value):
            raise TypeError(f"{name} must be a function, not {value!r}")
        if name in LISTS:
            check_names(name, value)


def check_names(what: str, names: object, allowed: Collection[str] = ()) -> None:
    """Raise TypeError where names aren't a list of texts; a text alone is none, it would be a list of letters."""
    if isinstance(names, str):
        raise TypeError(f"{what} must be a list, not a text: write ({names!r},)")
    if not isinstance(names, Iterable) or not all(isinstance(name, str) for name in names):
        raise TypeError(f"{what} must be a list of texts, not {names!r}")
    unknown = [name for name in names if allowed and name not in allowed]
    if unknown:
        raise TypeError(f"{what} has {unknown[0]!r}, which isn't one of {', '.join(allowed)}")


class Field(marshmallow.fields.Field[Any]):
    """A declared value, with a description, the contexts that it is part of, and options.

    A plugin's field that says neither how it is read nor a column is stored in the item's column `meta`, without
    code. `filterable` adds a list filter of the same name and `sortable` a value of `orderby`; a field with `store`
    gives the condition in `where` and what to order by in `order`.
    """

    json_type = "string"
    column: str | None
    columns: tuple[str, ...]
    edit_columns: tuple[str, ...]
    reader: Read | None
    prepare: Prepare | None
    load: Load | None
    protected: bool
    stored_as: str
    unique: bool
    operators: bool
    show: Read | None
    label: Text
    link: Any
    nullable: bool
    optional: bool
    answer_values: tuple[str | bool, ...]
    answer: Field | None
    example: Any
    codes: Mapping[int, Sequence[str]]

    def __init__(
        self, description: Text, contexts: Sequence[str] = ALWAYS, **options: Unpack[FieldOptions]
    ) -> None:
        """Declare a value; raises TypeError where contexts or options aren't what `FieldOptions` says."""
        if contexts not in (ALWAYS, VIEW_EDIT, EDIT_ONLY):
            check_names("contexts", contexts, CONTEXTS)
        check_options(options)
        if options.get("required") and "default" in options:
            raise TypeError("a required field has no default: leave one of them out")
        if not isinstance(description, str):
            raise TypeError(f'the description must be a text, as in _("Its length."), not {description!r}')
        super().__init__(
            load_default=options.get("default", missing),
            dump_only=options.get("readonly", False),
            required=options.get("required", False),
        )
        self.description = description
        self.contexts = tuple(contexts)
        self.null = options.get("null", missing)
        self.store = options.get("store")
        #: Whether the value is stored in the item's column `meta`; set where a plugin's field is registered.
        self.in_meta = False
        #: Whether the field was added to a resource, which doesn't know itself how to write it.
        self.added = False
        set_reading_options(self, options)
        self._set_listing(options)
        self._set_length(options)
        set_storing_options(self, options)
        set_answer_options(self, options)

    def _set_listing(self, options: ListOptions) -> None:
        self.where = options.get("where")
        self.order = options.get("order")
        self.filterable = options.get("filterable", False)
        self.sortable = options.get("sortable", False)
        self.hidden = options.get("hidden", False)

    def _set_length(self, options: LengthOptions) -> None:
        self.max_length = options.get("max_length")
        self.max_bytes = options.get("max_bytes", MAX_BYTES)
        self.max_bytes_setting = options.get("max_bytes_setting", "")
        self.too_long = options.get("too_long", "")

    @property
    def is_read_by_code(self) -> bool:
        """Whether a function makes the value, which a column has otherwise."""
        return self.reader is not None or self.prepare is not None

    def copy(self, **changes: Any) -> Self:
        """Return a copy with other attributes; the original stays as it is."""
        for one, other in (("reader", "prepare"), ("prepare", "reader")):
            if one in changes:
                changes.setdefault(other, None)
        copied = self.__class__.__new__(self.__class__)
        copied.__dict__.update(self.__dict__, **changes)
        return copied

    def needed(self, name: str, context: str) -> tuple[str, ...]:
        """Return the columns that the field's value is made from in a context."""
        columns = self.columns
        if not self.is_read_by_code:
            columns = (self.column or name,)
        if context == EDIT:
            return columns + self.edit_columns
        return columns

    def reading(self, name: str) -> Read:
        """Return the function that makes the field's value from a row and its page."""
        prepare = prepared(self, name)
        return lambda row, page: prepare(page)(row)

    def fault(self) -> str:
        """Return what is wrong with the values that the field is declared with, empty where nothing is."""
        for name, value in (("default", self.load_default), ("null", self.null)):
            if value is missing or value is None:
                continue
            if not isinstance(value, PYTHON_TYPES[self.json_type]) or isinstance(value, bool) != (
                self.json_type == "boolean"
            ):
                return f"has {name}={value!r}, which isn't of its type, {self.json_type}"
            try:
                if value != "":  # stands for no value, whatever else must be there
                    self.deserialize(value)
            except ValidationError as error:
                return f"has {name}={value!r}, which it refuses itself: {' '.join(map(str, error.messages))}"
        return ""

    def describe(self) -> dict[str, Any]:
        """Return the field as an argument of the discovery document."""
        described: dict[str, Any] = {"required": bool(self.required)}
        if self.load_default is not missing:
            described["default"] = self.load_default
        described.update(self.shape())
        if self.description:
            described["description"] = self.description
        return described

    def shape(self) -> dict[str, Any]:
        """Return what JSON Schema says of the field's values."""
        return {"type": self.json_type}

    def item_shape(self) -> dict[str, Any]:
        """Return what JSON Schema says of the field's values in items besides; discovery leaves it out."""
        return {}

    def item_schema(self) -> dict[str, Any]:
        """Return the field as a property of an item's JSON Schema, as OPTIONS tells it."""
        schema: dict[str, Any] = {
            **self.shape(),
            "description": self.description,
            "context": list(self.contexts),
        }
        if self.label:
            schema["title"] = self.label
        if self.dump_only:
            schema["readonly"] = True
        if self.required:
            schema["required"] = True
        return {**schema, **self.item_shape()}

    def deserialize(self, value: Any, attr: str | None = None, data: Any = None, **kwargs: Any) -> Any:
        """Read a sent value; null counts as not sent unless the field says what it means.

        Raises ValidationError where the value isn't of the field's type, or isn't allowed, and ApiError for a text
        that is too long where that has a code of its own.
        """
        if value is None:
            if self.null is missing:
                return self.load_default
            return self.null
        if isinstance(value, str):
            self.check_length(value, attr)
        return super().deserialize(value, attr, data, **kwargs)

    def check_length(self, text: str, name: str | None) -> None:
        """Raise ValidationError for a text that is too long, or ApiError where that has a code of its own."""
        max_bytes = self.max_bytes
        if self.max_bytes_setting:
            max_bytes = 4 * len(text)  # whoever knows the site's settings looks at that
        fault = length_fault(text, name or "", self.max_length, max_bytes)
        if fault is None:
            return
        if self.too_long:
            raise ApiError(self.too_long, fault)
        raise ValidationError([fault])

    def serialize(self, attr: str, obj: Any, accessor: Any = None, **kwargs: Any) -> Any:
        """Return the value of an item, which is a pair of its row and its page."""
        row, page = obj
        return self.reading(attr)(row, page)

    def wrong_type(self) -> ValidationError:
        """Build the refusal of a value of another type."""
        return ValidationError([_("This must be of type %(type)s.", type=self.json_type)])
