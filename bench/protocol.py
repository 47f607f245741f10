"""Models of the examples against the demo services: calls to cover them, and faults they find.

    python -m bench.protocol [SERVICE ...] [--seeds N] [--skip-faults]

`cover` is how many calls the strategy of that name makes until every pair of branches is taken,
`random` how many calls chance needs for the same: the median of some seeds. `faults` is how many of
the faults of the service the model finds when each is switched on alone.
"""

from __future__ import annotations

import argparse
import asyncio
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from icepick.demo.catalogue import SERVICES
from icepick.demo.serve import running
from icepick.execute.events import CallJudged, FindingFound
from icepick.openapi import read_spec
from icepick.pipeline.models import Described, describe
from icepick.pipeline.protocol import ProtocolSession, models_of
from icepick.pipeline.reach import Reach
from icepick.protocol import Coverage, Model, load_protocols
from icepick.protocol.driver import DriverOptions, Strategy

FILES = {
    "sockshop": ("sockshop",),
    "features": ("features",),
    "petstore": ("petstore",),
    "shop": ("checkout", "shop"),
}
MOST_CALLS = 5_000


@dataclass(frozen=True)
class Subject:
    service: str
    api: Described
    model: Model

    @property
    def name(self) -> str:
        return self.model.automaton.name


def subjects(service: str) -> list[Subject]:
    api = describe(read_spec(f"src/icepick/demo/{service}/openapi.yaml"))
    found = []
    for file in FILES[service]:
        protocols = load_protocols(Path(f"examples/protocols/{file}.protocol"))
        found += [Subject(service, api, model) for model in models_of(protocols, api)]
    return found


async def calls_for(subject: Subject, url: str, options: DriverOptions) -> tuple[int, Coverage]:
    """How many calls it takes until everything is covered, or until the policy gives up."""
    session = ProtocolSession(subject.api, [subject.model], Reach(url), options)
    calls, is_full = 0, False
    async for event in session.events():
        if isinstance(event, CallJudged) and not is_full:
            calls += 1
            is_full = session.coverage[subject.name].is_full
            if is_full:
                session.stop()
    return calls, session.coverage[subject.name]


async def found_by(subject: Subject, fault: str) -> bool:
    async with running(SERVICES[subject.service], [fault]) as url:
        session = ProtocolSession(subject.api, [subject.model], Reach(url), DriverOptions(seed=1))
        return any([isinstance(event, FindingFound) async for event in session.events()])


async def row(subject: Subject, seeds: int, faults: list[str]) -> set[str]:
    by_chance = []
    async with running(SERVICES[subject.service]) as url:
        cover, coverage = await calls_for(subject, url, DriverOptions(seed=1))
        for seed in range(seeds):
            options = DriverOptions(
                Strategy.RANDOM, runs=MOST_CALLS, seed=1000 * (seed + 1), max_calls=MOST_CALLS
            )
            by_chance.append((await calls_for(subject, url, options))[0])
    full = "" if coverage.is_full else " (not all)"
    middle = median(by_chance)
    shown = f"> {MOST_CALLS}" if middle >= MOST_CALLS else f"{middle:.0f}"
    found = {fault for fault in faults if await found_by(subject, fault)}
    share = f"{len(found)}/{len(faults)}" if faults else "-"
    print(
        f"{subject.service:<10} {subject.name:<18} {coverage.branches.total:>8} "
        f"{coverage.pairs.total:>6} {cover:>6}{full} {shown:>8} {share:>7}",
        flush=True,
    )
    return found


async def bench(services: list[str], seeds: int, *, with_faults: bool) -> None:
    print(
        f"{'service':<10} {'model':<18} {'branches':>8} {'pairs':>6} {'cover':>6} "
        f"{'random':>8} {'faults':>7}"
    )
    for service in services:
        faults = [fault.name for fault in SERVICES[service].faults] if with_faults else []
        found: set[str] = set()
        for subject in subjects(service):
            found |= await row(subject, seeds, faults)
        if faults:
            missed = [fault for fault in faults if fault not in found]
            told = f"; not {', '.join(missed)}" if missed else ""
            print(f"{service:<10} all models find {len(found)} of {len(faults)} faults{told}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("services", nargs="*", choices=[*FILES, []], default=[])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--skip-faults", action="store_true")
    asked = parser.parse_args()
    services = asked.services or list(FILES)
    asyncio.run(bench(services, asked.seeds, with_faults=not asked.skip_faults))


if __name__ == "__main__":
    main()
