"""How well and how fast resources are found, and what the property graph is worth against services:
`python -m bench.graph [--live]` at the root of the repository.

Each cell of the first table is: found right / found / listed by hand, precision, recall. The last
column is the milliseconds that finding took, reading the document not counted (best of three).

The last table is made with services that run: the demo services with their documents, the same
with documents that say nothing of answers ("bare"), and a service whose document is wrong. Each
cell is: operations with a 2xx, and calls needed (those that clean up not counted), the median of
the seeds.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import yaml
from tests.glacier.live import served
from tests.pipeline.running import covered, demo, signing_in
from tests.pipeline.serving import Notes, notes_document, serving
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

from icepick.demo.catalogue import SERVICES
from icepick.execute.chains.types import ChainOptions
from icepick.openapi import ApiSpec, read_spec
from icepick.pipeline.reach import Reach
from icepick.resources.build import build_graph
from icepick.resources.find import find_resources
from icepick.resources.graph import PropertyGraph
from icepick.resources.sequences import call_sequences
from icepick.resources.types import ResourceMap

ROUNDS = 3
SEEDS = (1, 2, 3)
DEMOS = ("tournaments", "petstore", "features", "shop")
CALLS = 300


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


@dataclass(frozen=True)
class Live:
    """A service with a document; `start` gives its address while it runs."""

    name: str
    document: str
    start: Callable[[], AbstractContextManager[Reach]]


def lives(folder: Path) -> Iterator[Live]:
    """The services of the table."""
    for name in DEMOS:
        yield Live(name, demo(name), lambda name=name: _demo(name))
    for name in DEMOS:
        yield Live(f"{name}, bare", bare(name, folder), lambda name=name: _demo(name))
    yield Live("notes, wrong", notes_document(folder), _notes)


@contextmanager
def _demo(name: str) -> Iterator[Reach]:
    with served(SERVICES[name]) as url:
        yield Reach(url, signing_in(name, url))


@contextmanager
def _notes() -> Iterator[Reach]:
    with serving(*Notes().routes()) as url:
        yield Reach(url)


def bare(name: str, folder: Path) -> str:
    """The document of a demo service less everything that it says of answers."""
    document = yaml.safe_load(Path(demo(name)).read_text(encoding="utf-8"))
    for item in document["paths"].values():
        for operation in item.values():
            if isinstance(operation, dict) and "responses" in operation:
                operation["responses"] = {
                    status: {"description": "?"} for status in operation["responses"]
                }
    path = folder / f"{name}.json"
    path.write_text(json.dumps(document, default=str), encoding="utf-8")
    return str(path)


def live() -> None:
    """Print what graph and correction are worth."""
    ways = {
        "with graph": (True, True),
        "no correction": (True, False),
        "no graph": (False, False),
    }
    print(f"\n{'service':<18} {'oper.':>6}" + "".join(f" {way:>16}" for way in ways))
    with tempfile.TemporaryDirectory() as folder:
        for one in lives(Path(folder)):
            cells = [_cell(one, graph, correction) for graph, correction in ways.values()]
            total = len(read_spec(one.document).operations)
            print(f"{one.name:<18} {total:>6}" + "".join(f" {cell:>16}" for cell in cells))


def _cell(one: Live, graph: bool, correction: bool) -> str:
    successes, calls = [], []
    for seed in SEEDS:
        with one.start() as reach:
            options = ChainOptions(CALLS, graph=graph)
            ran = covered(one.document, reach, options, seed, correction=correction)
        successes.append(len(ran.api.spec.operations) - len(ran.without_success()))
        calls.append(ran.chains.calls)
    return f"{median(successes):.0f} in {median(calls):.0f}"


def main() -> None:
    """Print every table, or the live one alone."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--live", action="store_true", help="the table of services alone")
    if not parser.parse_args().live:
        resources()
        graphs()
    live()


if __name__ == "__main__":
    main()
