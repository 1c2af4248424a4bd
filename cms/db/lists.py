"""Reading the rows of one resource from its table: pages of lists, totals, single rows, several by id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

from peewee import JOIN, SQL, Join, fn

from cms.db.cache import DataCache
from cms.db.peewee_types import Build, Expression
from cms.db.reader import Row
from cms.db.statements import Bound, Each, ListedPlaces, QueryPlan, Statements


class TableReader:
    """Read rows of a table, of all or of those in a scope; the text of each shape of statement is written once.

    `computed` are columns that stand for expressions, by name.
    """

    def __init__(
        self,
        statements: Statements,
        cache: DataCache,
        model: Any,
        name: str,
        scope: Build | None = None,
        computed: Mapping[str, Build] | None = None,
    ) -> None:
        """Prepare for the resource of a name; `model` is the peewee model of its table."""
        self._statements, self._cache = statements, cache
        self._model, self._name, self._scope = model, name, scope
        self._computed = dict(computed or {})
        own = tuple(model._meta.sorted_field_names)
        self._all_columns = (*own, *(column for column in self._computed if column not in own))

    def plan(self) -> QueryPlan:
        """Return a plan of a list of the resource's rows, in no order yet."""
        plan = QueryPlan()
        plan.shape.append(self._name)
        if self._scope is not None:
            plan.conditions.append(self._scope)
        return plan

    def page(self, plan: QueryPlan, columns: Sequence[str], limit: int, offset: int) -> list[Row]:
        """Return the rows of one page: ids are found first, which an index alone can do, then these rows are read."""

        def build() -> Expression:
            ids = self._joined(_narrowed(self._model.select(self._model.id), plan), plan)
            ids = ids.order_by(*plan.order_terms()).limit(Bound("limit")).offset(Bound("offset"))
            chosen = self._joined(self._select(columns).where(self._model.id.in_(ids)), plan)
            return chosen.order_by(*plan.order_terms())

        shape = ("list", tuple(columns), *plan.shape)
        return self._statements.rows(shape, build, **plan.values, limit=limit, offset=offset)

    def page_per_group(self, plan: QueryPlan, columns: Sequence[str], group: str, limit: int) -> list[Row]:
        """Return the first rows of each group of a list: of those with one value in a column, in one statement."""

        def build() -> Expression:
            place = fn.ROW_NUMBER().over(
                partition_by=[getattr(self._model, group)], order_by=plan.order_terms()
            )
            numbered = _narrowed(self._model.select(self._model.id, place.alias("place")), plan)
            source = numbered.alias("numbered")
            ids = source.select_from(source.c.id).where(source.c.place <= Bound("limit"))
            chosen = self._select(columns).where(self._model.id.in_(ids))
            return chosen.order_by(*plan.order_terms())

        shape = ("groups", group, tuple(columns), *plan.shape)
        return self._statements.rows(shape, build, **plan.values, limit=limit)

    def total(self, plan: QueryPlan, now: str) -> int:
        """Return how many rows match; the number is remembered until the data changes."""

        def build() -> Expression:
            return _narrowed(self._model.select(fn.COUNT(SQL("*")).alias("total")), plan)

        def count() -> int:
            row = self._statements.row(("count", *plan.shape), build, **plan.values)
            return int(row["total"]) if row else 0

        values = repr([(name, value) for name, value in sorted(plan.values.items()) if name != "now"])
        # A digest: the values are as long as requests make them.
        digest = blake2b(values.encode(errors="surrogatepass"), digest_size=16).digest()
        return self._cache.get_or_load(("total", *plan.shape, digest), now, count)

    def find(self, id: int, now: str) -> Row | None:
        """Return a whole row by its id, None where the scope has none."""

        def build() -> Expression:
            return self._within_scope(self._model.id == Bound("id"))

        return self._statements.row((self._name, "find"), build, id=id, now=now)

    def many(self, ids: Sequence[int], now: str) -> list[Row]:
        """Return whole rows by their ids, in any order."""

        def build() -> Expression:
            return self._within_scope(self._model.id.in_(Each("ids")))

        return self._statements.rows((self._name, "many"), build, ids=list(ids), now=now)

    def _joined(self, query: Expression, plan: QueryPlan) -> Expression:
        """Join the list that gives the order, once for all rows; those that aren't in it stay."""
        if plan.listed is None:
            return query
        column, name = plan.listed
        is_listed = getattr(self._model, column) == SQL("listed.value")
        return query.from_(Join(self._model, ListedPlaces(name), JOIN.LEFT_OUTER, is_listed))

    def _within_scope(self, condition: Expression) -> Expression:
        query = self._select(self._all_columns)
        return query.where(condition) if self._scope is None else query.where(self._scope() & condition)

    def _select(self, columns: Sequence[str]) -> Expression:
        return self._model.select(*(self._column(name) for name in columns))

    def _column(self, name: str) -> Expression:
        build = self._computed.get(name)
        return getattr(self._model, name) if build is None else build().alias(name)


def _narrowed(query: Expression, plan: QueryPlan) -> Expression:
    condition = plan.condition()
    return query if condition is None else query.where(condition)
