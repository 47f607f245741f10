"""How fast a run is: the paper's strategy and tours on Tournaments p2_t2_e2, and the ceiling.

    python -m bench.run [--rounds N] [--large]

The service runs in a process of its own. The ceiling is a bare aiohttp loop that sends GETs to
the same service, as many side by side as the runs have workers; it is measured before and after
each run, since a machine is not as fast all the time. Each row is made N times; its line is the
run with the middle ratio, with the lowest and the highest beside it.

The extended document is the paper's model (192 states, 721 paths); the inferred contracts know
less, and give a smaller one. `--large` makes a run of at least 200,000 calls and prints its peak
memory.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import time
from collections.abc import Iterator
from dataclasses import dataclass

import aiohttp
from bench.faults import service

from icepick.execute.engine import RunOptions
from icepick.execute.events import CallJudged, Event, FindingFound, RunEnded
from icepick.openapi import read_spec
from icepick.pipeline.models import Described, describe
from icepick.pipeline.reach import Reach
from icepick.pipeline.session import Session
from icepick.pipeline.settings import RunSettings
from icepick.sequences import Refusals, Strategy

DOCUMENTS = {
    "extended": "examples/tournaments.yaml",
    "inferred": "src/icepick/demo/tournaments/openapi.yaml",
}
TWO = {"Player": 2, "Tournament": 2, "Enrolment": 2}
WORKERS = 8
BARE = 6_000


@dataclass
class Row:
    name: str
    calls: int
    requests: int
    saved: int
    seconds: float
    findings: int
    ceiling: float = 0.0

    @property
    def rate(self) -> float:
        return self.requests / self.seconds

    @property
    def ratio(self) -> float:
        return self.rate / self.ceiling

    def line(self) -> str:
        return (
            f"{self.name:<34} {self.calls:>8,} {self.requests:>9,} {self.saved:>9,} "
            f"{self.seconds:>7.1f} {self.rate:>8,.0f} {self.ceiling:>8,.0f} "
            f"{self.findings:>8} {self.ratio:>6.2f}"
        )


async def bare(url: str) -> float:
    """Requests per second of a loop that does nothing else."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=WORKERS)) as session:
        left = iter(range(BARE))

        async def send() -> None:
            for _ in left:
                async with session.get(f"{url}/players") as answer:
                    await answer.read()

        start = time.perf_counter()
        await asyncio.gather(*(send() for _ in range(WORKERS)))
        return BARE / (time.perf_counter() - start)


async def run(name: str, api: Described, url: str, settings: RunSettings) -> Row:
    start = time.perf_counter()
    row = Row(name, 0, 0, 0, 0.0, 0)
    async for event in Session(api, Reach(url), settings).events():
        count(row, event)
    row.seconds = time.perf_counter() - start
    return row


def count(row: Row, event: Event) -> None:
    if isinstance(event, CallJudged):
        row.calls += event.judged.exchange is not None
    elif isinstance(event, FindingFound):
        row.findings += 1
    elif isinstance(event, RunEnded):
        row.requests, row.saved = event.requests, event.saved


def settings(strategy: Strategy, refusals: Refusals) -> RunSettings:
    engine = RunOptions(workers=WORKERS)
    return RunSettings(
        seed=1, bounds=TWO, strategy=strategy, refusals=refusals, engine=engine, wrong=0
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    print(
        f"{'run':<34} {'calls':>8} {'requests':>9} {'saved':>9} {'s':>7} {'req/s':>8} {'bare':>8} "
        f"{'findings':>8} {'ratio':>6}"
    )
    with service("tournaments", None) as url:
        if asked.large:
            large(url)
            return
        for rows in zip(*(measured(url) for _ in range(asked.rounds)), strict=True):
            ordered = sorted(rows, key=lambda row: row.ratio)
            low, high = ordered[0].ratio, ordered[-1].ratio
            print(f"{ordered[len(rows) // 2].line()} ({low:.2f} to {high:.2f})", flush=True)


def measured(url: str) -> Iterator[Row]:
    """Every row once, each with the ceiling around it."""
    for kind, document in DOCUMENTS.items():
        api = describe(read_spec(document))
        for strategy in (Strategy.PAPER, Strategy.TOUR):
            before = asyncio.run(bare(url))
            plain = settings(strategy, Refusals.NONE)
            row = asyncio.run(run(f"{strategy}, updates, {kind}", api, url, plain))
            row.ceiling = (before + asyncio.run(bare(url))) / 2
            yield row


def large(url: str) -> None:
    bounds = {"Player": 3, "Tournament": 3, "Enrolment": 3}
    engine = RunOptions(workers=WORKERS, max_calls=200_000)
    wanted = RunSettings(
        seed=1, bounds=bounds, refusals=Refusals.EACH, engine=engine, wrong=0, operations=False
    )
    api = describe(read_spec(DOCUMENTS["inferred"]))
    row = asyncio.run(run("tour p3_t3_e3, each refusal", api, url, wanted))
    row.ceiling = asyncio.run(bare(url))
    print(row.line())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory: {peak:,.0f} MB")


if __name__ == "__main__":
    main()
