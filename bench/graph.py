"""How well and how fast resources are found: `python -m bench.graph` at the root of the repository.

Each cell of the table is: found right / found / listed by hand, precision, recall. The last column
is the milliseconds that finding took, reading the document not counted (best of three).
"""

from __future__ import annotations

import time

from tests.resources.measure import (
    KINDS,
    Agreement,
    agreement,
    found_facts,
    heading,
    listed_facts,
    listings,
    row,
)

from icepick.openapi import ApiSpec, read_spec
from icepick.resources.build import build_graph
from icepick.resources.find import find_resources
from icepick.resources.graph import PropertyGraph
from icepick.resources.sequences import call_sequences
from icepick.resources.types import ResourceMap

ROUNDS = 3


def timed(spec: ApiSpec) -> tuple[ResourceMap, float]:
    """The resources of a document and the milliseconds of the fastest round."""
    best, found = float("inf"), find_resources(spec)
    for _ in range(ROUNDS):
        start = time.perf_counter()
        found = find_resources(spec)
        best = min(best, (time.perf_counter() - start) * 1_000)
    return found, best


def resources() -> None:
    """Print the agreement with the lists in tests/golden, document by document."""
    total, spent = dict.fromkeys(KINDS, Agreement(0, 0, 0)), 0.0
    print(heading("     ms"))
    for listing in listings():
        if not listing.document.exists():
            print(f"{listing.name:<18}  (the document is not beside the repository)")
            continue
        found, milliseconds = timed(read_spec(str(listing.document)))
        listed, facts = listed_facts(listing), found_facts(found)
        own = {kind: agreement(listed, facts, kind) for kind in KINDS}
        total = {kind: total[kind] + own[kind] for kind in KINDS}
        spent += milliseconds
        print(row(listing.name, own.values(), f"{milliseconds:7.1f}"))
    print(row("total", total.values(), f"{spent:7.1f}"))


def graphs() -> None:
    """Print the size of graph and sequences, and what knowing the resources adds to the graph."""
    print(
        f"\n{'document':<18} {'oper.':>6} {'schemas':>8} {'names only':>11} {'resources':>10}"
        f" {'sequences':>10} {'longest':>8} {'seconds':>8}"
    )
    for listing in listings():
        if not listing.document.exists():
            continue
        spec = read_spec(str(listing.document))
        start = time.perf_counter()
        graph = build_graph(spec, find_resources(spec))
        sequences = call_sequences(graph, spec)
        seconds = time.perf_counter() - start
        print(
            f"{listing.name:<18} {len(spec.operations):>6} {len(graph.schemas):>8}"
            f" {edges(build_graph(spec)):>11} {edges(graph):>10} {len(sequences):>10}"
            f" {max(map(len, sequences), default=0):>8} {seconds:>8.2f}"
        )


def edges(graph: PropertyGraph) -> int:
    """How many edges a graph has, those between operations of one path left out."""
    return len(graph.produces) + len(graph.consumes) + len(graph.equal)


def main() -> None:
    """Print every table."""
    resources()
    graphs()


if __name__ == "__main__":
    main()
