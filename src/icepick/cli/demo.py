"""`icepick demo`: what icepick does, on a service that it brings along."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import click

from icepick.cli.command import Command, common_options
from icepick.cli.output import Output, escape, plural
from icepick.demo.serve import running
from icepick.demo.tournaments import TOURNAMENTS
from icepick.explore import Exploration, explore
from icepick.openapi import ApiSpec, check_spec
from icepick.pipeline.models import Described, describe, models
from icepick.resources.types import Resource


@click.command(cls=Command)
@common_options
def demo(out: Output) -> int:
    """Start the Tournaments service, and show each stage at work on it."""
    url, spec = asyncio.run(_read_live())
    start = time.perf_counter()
    api = describe(spec)
    (derivation,) = models(api, {})
    exploration = explore(derivation.model)
    seconds = time.perf_counter() - start
    out.result(_as_json(url, api, exploration, seconds))
    out.line(f"started the tournaments service at {url}\n")
    for number, (stage, lines) in enumerate(_stages(api, exploration), start=1):
        heads = [f"{number} {stage}", *("" for _ in lines)]
        for head, line in zip(heads, lines, strict=False):
            out.line(f"[bold]{head:12}[/] {escape(line)}")
    out.line(f"\nresources to states in {seconds:.2f} s. Next, on your own:")
    out.line("  icepick graph URL --html graph.html     icepick contracts URL --explain")
    out.line("  icepick demo-service tournaments --list-faults")
    return 0


async def _read_live() -> tuple[str, ApiSpec]:
    async with running(TOURNAMENTS) as url:
        return url, await asyncio.to_thread(check_spec, f"{url}/openapi.json")


def _stages(api: Described, exploration: Exploration) -> Iterator[tuple[str, list[str]]]:
    """What each stage makes of the service, with an example."""
    spec, totals = api.spec, exploration.totals
    paths = len({operation.path for operation in spec.operations})
    counted = f"{plural(len(spec.operations), 'operation')} on {plural(paths, 'path')}"
    yield (
        "document",
        [f"{spec.title} {spec.version}: {counted}, {plural(len(spec.schemas), 'schema')}"],
    )
    yield "resources", [_resource(one) for one in api.resources.resources.values()]
    clauses = sum(1 for _ in api.contracts.clauses())
    label, contract = next(iter(api.contracts.operations.items()))
    yield (
        "contracts",
        [
            f"{clauses} clauses for {plural(len(api.contracts.operations), 'operation')}, such as",
            f"{label} requires {contract.requires[0].text}",
            f"{label} ensures  {contract.ensures[0].text}",
        ],
    )
    actions = ", ".join(action.name for action in exploration.model.actions)
    yield "model", [f"{plural(len(exploration.model.actions), 'action')}: {actions}"]
    sizes = ", ".join(f"{one.size} {one.name}" for one in exploration.model.resources)
    yield (
        "states",
        [f"{totals.states:,} states and {totals.transitions:,} transitions with {sizes}"],
    )


def _resource(resource: Resource) -> str:
    identifier = resource.identifier
    known = f", identified by {'.'.join(identifier.property or ('?',))}" if identifier else ""
    joins = f", joins {' and '.join(resource.joins)}" if resource.joins else ""
    return f"{resource.name} {resource.item_path}{known}{joins}"


def _as_json(url: str, api: Described, exploration: Exploration, seconds: float) -> dict[str, Any]:
    totals = exploration.totals
    return {
        "url": url,
        "title": api.spec.title,
        "operations": [operation.id for operation in api.spec.operations],
        "resources": list(api.resources.resources),
        "clauses": sum(1 for _ in api.contracts.clauses()),
        "states": totals.states,
        "transitions": totals.transitions,
        "seconds": round(seconds, 3),
        "faults": [fault.name for fault in TOURNAMENTS.faults],
    }
