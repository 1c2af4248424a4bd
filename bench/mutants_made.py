"""Mutants of a module: the changes that cosmic-ray makes, without those that can't change what the module does."""

from __future__ import annotations

import ast
import difflib
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

#: Needs arguments, or changes what is thrown away.
LEFT_OUT = ("core/VariableReplacer", "core/VariableInserter", "core/NoOp")
#: Where a change stands: its first line and column, its last ones.
Place = tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True)
class Mutant:
    """A module with one change: `number` counts the places that the operator could change."""

    module: str
    operator: str
    number: int
    source: str

    @property
    def name(self) -> str:
        """What a person calls it."""
        return f"{self.module} {self.operator.removeprefix('core/')} {self.number}"

    def diff(self, root: Path) -> str:
        """Return the change, without the lines around it."""
        before = (root / self.module).read_text().splitlines()
        lines = difflib.unified_diff(before, self.source.splitlines(), lineterm="", n=0)
        return "\n".join(line for line in lines if not line.startswith(("---", "+++")))


def sample(root: Path, modules: list[str], size: int, seed: int) -> list[Mutant]:
    """Return so many mutants by chance, as many of each module as of the others; 0 for one of each place in them."""
    chance = random.Random(seed)
    waiting = {}
    for module in modules:
        places = list(_places((root / module).read_text()).values())
        chance.shuffle(places)
        waiting[module] = iter(places)
    chosen: list[Mutant] = []
    while waiting and (not size or len(chosen) < size):
        module = chance.choice(list(waiting)) if size else next(iter(waiting))
        mutant = _next(root, module, waiting[module], chance)
        if mutant is None:
            del waiting[module]
        else:
            chosen.append(mutant)
    return chosen


def _next(
    root: Path, module: str, places: Iterator[list[tuple[str, int]]], chance: random.Random
) -> Mutant | None:
    source = (root / module).read_text()
    for changes in places:
        operator, number = chance.choice(changes)
        changed = mutate_code(source, get_operator(operator)(), number)
        if changed and _meaning(changed) not in ("", _meaning(source)):
            return Mutant(module, operator, number, changed)
    return None


def _places(source: str) -> dict[Place, list[tuple[str, int]]]:
    """Return the changes of each place, as their operator and number."""
    nodes, found = list(ast_nodes(get_ast(source))), defaultdict(list)
    for name in operator_names():
        if name in LEFT_OUT:
            continue
        operator, number = get_operator(name)(), 0
        for node in nodes:
            for place in operator.mutation_positions(node):
                found[place].append((name, number))
                number += 1
    return dict(sorted(found.items()))


def _meaning(source: str) -> str:
    """Return the module without what only type checkers read, and without `frozen`; empty for what is no Python."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return ""
    return ast.dump(_WithoutTypes().visit(tree))


class _WithoutTypes(ast.NodeTransformer):
    """Takes out what stops nobody who writes right code."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        if node.arg == "frozen":
            node.value = ast.Constant(None)
        return self.generic_visit(node)
