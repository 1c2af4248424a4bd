"""Reading the rows of one resource from its table: pages of lists, totals, single rows, several by id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from hashlib import blake2b
from typing import Any

from peewee import JOIN, SQL, Join, NodeList, Ordering, fn
from peewee import Field as Column

from cms.db.cache import DataCache
from cms.db.peewee_types import Build, Expression
from cms.db.plans import QueryPlan
from cms.db.reader import Row
from cms.db.segments import VALUE, Segment
from cms.db.sqlite.words import BY_ID
from cms.db.statements import Bound, Each, ListedPlaces, Statements


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
        """Return the rows of one page: ids are found first, which an index alone can do, then these rows are read.

        SQLite reads a cross join from left to right, so the rows come as the ids do: no row with its texts is sorted.
        """

        def build() -> Expression:
            return self._chosen(self._select(columns), self._ids(plan))

        shape = ("list", tuple(columns), *plan.shape)
        return self._statements.rows(shape, build, **plan.values, limit=limit, offset=offset)

    def segment(
        self,
        plan: QueryPlan,
        columns: Sequence[str],
        segment: Segment | None,
        limit: int,
        values: Sequence[Any],
    ) -> list[Row]:
        """Return the first rows of a segment of a list, which lies behind the row with these values.

        Without a segment they are the first of the list. Each has as `key_0`, `key_1`, … what it is ordered by.
        """

        def build() -> Expression:
            keys = [term.node.alias(f"key_{place}") for place, term in enumerate(self._order_terms(plan))]
            selected = self._model.select(*(self._column(name) for name in columns), *keys)
            return self._chosen(selected, self._ids(plan, segment))

        bound = {f"{VALUE}{place}": value for place, value in enumerate(values)}
        shape = ("segment", segment and segment.key, tuple(columns), *plan.shape)
        return self._statements.rows(shape, build, **plan.values, **bound, limit=limit, offset=0)

    def page_per_group(
        self, plan: QueryPlan, columns: Sequence[str], group: str, name: str, limit: int
    ) -> list[Row]:
        """Return the first rows of each group of a list, in one statement: of those with one value in a column.

        `name` is that under which the values are bound; the rows of each are looked up one value after the other.
        """

        def build() -> Expression:
            place = fn.ROW_NUMBER().over(
                partition_by=[getattr(self._model, group)], order_by=self._order_terms(plan)
            )
            numbered = _narrowed(self._model.select(self._model.id, place.alias("place")), plan)
            groups = NodeList((Each(name), SQL("AS groups")))
            is_in_group = getattr(self._model, group) == SQL("CAST(groups.value AS INTEGER)")
            numbered = numbered.from_(Join(groups, self._model, JOIN.CROSS, is_in_group))
            source = numbered.alias("numbered")
            ids = source.select_from(source.c.id).where(source.c.place <= Bound("limit"))
            chosen = self._select(columns).where(self._model.id.in_(ids))
            return chosen.order_by(*self._order_terms(plan))

        shape = ("groups", group, name, tuple(columns), *plan.shape)
        return self._statements.rows(shape, build, **plan.values, limit=limit)

    def total(self, plan: QueryPlan, now: str) -> int:
        """Return how many rows match; the number is remembered until the data changes."""

        def build() -> Expression:
            if plan.kept_total is not None:
                return plan.kept_total()
            counted = self._model.select(fn.COUNT(SQL("*")).alias("total"))
            return _narrowed(self._from_source(counted, plan), plan)

        def count() -> int:
            shape = ("count", plan.kept_total is not None, *plan.shape)
            row = self._statements.row(shape, build, **plan.values)
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
            return self._within_scope(self._model.id.in_(Each("ids"))).from_(self._by_id())

        return self._statements.rows((self._name, "many"), build, ids=list(ids), now=now)

    def _chosen(self, query: Expression, ids: Expression) -> Expression:
        if self._statements.database.server:
            # A server joins in any order.
            found = ids.alias("found_ids")
            ids = found.select_from(found.c.id, SQL("ROW_NUMBER() OVER () AS place"))
            query = query.order_by(SQL("chosen.place"))
        chosen = ids.alias("chosen")
        return query.from_(Join(chosen, self._by_id(), JOIN.CROSS, self._model.id == chosen.c.id))

    def _ids(self, plan: QueryPlan, segment: Segment | None = None) -> Expression:
        """Build the query of ids in their order: by the source, or put together of what alternatives have in order."""
        terms = self._order_terms(plan)
        can_merge = all(isinstance(term, Ordering) for term in terms) and plan.listed is None
        if plan.source is None and plan.alternatives is not None and can_merge:
            return self._merged(plan, terms, segment)
        source = None if plan.source is None else plan.source()
        order = source.order if source is not None and source.order else terms
        query = self._model.select(self._model.id)
        if segment is not None:
            # First, or SQLite begins at another bound of the same column: all that is published begins at `now`.
            query, order = query.where(segment.condition(order)), segment.order(order)
        query = self._joined(self._from_source(query, plan), plan)
        return _cut(_narrowed(query, plan).order_by(*order))

    def _merged(self, plan: QueryPlan, terms: Sequence[Expression], segment: Segment | None) -> Expression:
        """Build one query for each alternative, which SQLite reads side by side as far as the page needs."""
        source, conditions = self._model.select(), plan.split_conditions()
        if segment is not None:
            source, terms = source.where(segment.condition(terms)), segment.order(terms)
        keys = [term.node.alias(f"key_{place}") for place, term in enumerate(terms)]
        parts = [source.columns(self._model.id, *keys).where(one) for one in conditions]
        merged = reduce(lambda first, second: first.union_all(second), parts)
        order = [
            Ordering(SQL(f"key_{place}"), term.direction, nulls=term.nulls)
            for place, term in enumerate(terms)
        ]
        source = _cut(merged.order_by(*order)).alias("merged")
        return source.select_from(source.c.id)

    def _order_terms(self, plan: QueryPlan) -> list[Any]:
        """Build what to order by; where nothing stands it comes first upwards, as SQLite has it by itself."""
        terms = plan.order_terms()
        if self._statements.database.server:
            terms = [_with_empty_first(term) for term in terms]
        return terms

    def _from_source(self, query: Expression, plan: QueryPlan) -> Expression:
        if plan.source is None:
            return query
        source = plan.source()
        query = query.from_(Join(source.table, self._by_id(), JOIN.CROSS, self._model.id == source.id))
        return query if source.condition is None else query.where(source.condition)

    def _by_id(self) -> Expression:
        """Build the table where its rows are found by nothing but their ids."""
        return NodeList((self._model, SQL(BY_ID)))

    def _joined(self, query: Expression, plan: QueryPlan) -> Expression:
        """Join the list that gives the order, once for all rows; those that aren't in it stay."""
        if plan.listed is None:
            return query
        column, name = plan.listed
        is_listed = getattr(self._model, column) == SQL("listed.value")
        present = query._from_list[0]
        return query.from_(Join(present, ListedPlaces(name), JOIN.LEFT_OUTER, is_listed))

    def _within_scope(self, condition: Expression) -> Expression:
        query = self._select(self._all_columns)
        return query.where(condition) if self._scope is None else query.where(self._scope() & condition)

    def _select(self, columns: Sequence[str]) -> Expression:
        return self._model.select(*(self._column(name) for name in columns))

    def _column(self, name: str) -> Expression:
        build = self._computed.get(name)
        return getattr(self._model, name) if build is None else build().alias(name)


def _with_empty_first(term: Any) -> Any:
    may_be_empty = isinstance(term, Ordering) and not (isinstance(term.node, Column) and not term.node.null)
    if not may_be_empty:
        return term
    return Ordering(term.node, term.direction, nulls="LAST" if term.direction == "DESC" else "FIRST")


def _cut(query: Expression) -> Expression:
    return query.limit(Bound("limit")).offset(Bound("offset"))


def _narrowed(query: Expression, plan: QueryPlan) -> Expression:
    condition = plan.condition()
    return query if condition is None else query.where(condition)
