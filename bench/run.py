"""How fast a run is: the paper's strategy and tours on Tournaments p2_t2_e2, and the ceiling.

    python -m bench.run [--large]

The service runs in a process of its own. The ceiling is a bare aiohttp loop that sends GETs to
the same service, as many side by side as the runs have workers; it is measured before and after
each row, since a machine is not as fast all the time. `--large` makes a run of at least 200,000
calls and prints its peak memory.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import time
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

    def line(self, ceiling: float) -> str:
        rate = self.requests / self.seconds
        return (
            f"{self.name:<34} {self.calls:>8,} {self.requests:>9,} {self.saved:>9,} "
            f"{self.seconds:>7.1f} {rate:>8,.0f} {ceiling:>8,.0f} {rate / ceiling:>6.2f} "
            f"{self.findings:>8}"
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
    asked = parser.parse_args()
    documents = {
        "inferred": describe(read_spec("src/icepick/demo/tournaments/openapi.yaml")),
        "extended": describe(read_spec("examples/tournaments.yaml")),
    }
    with service("tournaments", None) as url:
        before = asyncio.run(bare(url))
        head = f"{'run':<34} {'calls':>8} {'requests':>9} {'saved':>9} {'s':>7} {'req/s':>8}"
        print(f"{head} {'bare':>8} {'ratio':>6} {'findings':>8}")
        if asked.large:
            large(documents["inferred"], url, before)
            return
        for kind, api in documents.items():
            for strategy in (Strategy.PAPER, Strategy.TOUR):
                plain = settings(strategy, Refusals.NONE)
                row = asyncio.run(run(f"{strategy}, updates, {kind}", api, url, plain))
                after = asyncio.run(bare(url))
                print(row.line((before + after) / 2), flush=True)
                before = after


def large(api: Described, url: str, ceiling: float) -> None:
    bounds = {"Player": 3, "Tournament": 3, "Enrolment": 3}
    engine = RunOptions(workers=WORKERS, max_calls=200_000)
    wanted = RunSettings(
        seed=1, bounds=bounds, refusals=Refusals.EACH, engine=engine, wrong=0, operations=False
    )
    row = asyncio.run(run("tour p3_t3_e3, each refusal", api, url, wanted))
    print(row.line(ceiling))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory: {peak:,.0f} MB")


if __name__ == "__main__":
    main()
