"""Mutants of a module: the changes that cosmic-ray makes, without those that can't change what the module does."""

from __future__ import annotations

import ast
import difflib
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

#: Needs arguments, or changes what is thrown away.
LEFT_OUT = ("core/VariableReplacer", "core/VariableInserter", "core/NoOp")
#: A line of a report.
SURVIVOR = re.compile(r"^ *\d+ survived .* s  (\S+) (\w+) (\d+)$", re.MULTILINE)
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


def sample(root: Path, modules: Iterable[str], size: int, seed: int) -> list[Mutant]:
    """Return so many mutants by chance, as many of each module as of the others; 0 for one of each place in them.

    A smaller sample is the beginning of a larger one; a change in one module changes the mutants of that one alone.
    """
    names = sorted(modules)
    random.Random(seed).shuffle(names)
    rounds = zip_longest(*(_mutants(root, name, seed) for name in names))
    found = (mutant for mutant in chain.from_iterable(rounds) if mutant is not None)
    return list(islice(found, size or None))


def read_survivors(root: Path, report: Path) -> list[Mutant]:
    """Return the mutants that a report says have survived, as far as the code has still got these places."""
    found = []
    for module, name, number in SURVIVOR.findall(report.read_text()):
        operator, source = f"core/{name}", (root / module).read_text()
        changed = mutate_code(source, get_operator(operator)(), int(number))
        if changed:
            found.append(Mutant(module, operator, int(number), changed))
    return found


def _mutants(root: Path, module: str, seed: int) -> Iterator[Mutant]:
    """Yield one mutant of each place in a module, in an order by chance."""
    source, chance = (root / module).read_text(), random.Random(f"{seed} {module}")
    places = list(_places(source).values())
    chance.shuffle(places)
    for changes in places:
        operator, number = chance.choice(changes)
        changed = mutate_code(source, get_operator(operator)(), number)
        if changed and _meaning(changed) not in ("", _meaning(source)):
            yield Mutant(module, operator, number, changed)


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
    """Return the module without what requests can't notice; empty for what is no Python."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return ""
    return ast.dump(_Unnoticed().visit(tree))


class _Unnoticed(ast.NodeTransformer):
    """Takes out annotations, `frozen` of dataclasses, and how much a cache of functions holds."""

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
        if node.arg in ("frozen", "maxsize"):
            node.value = ast.Constant(None)
        return self.generic_visit(node)
