"""Every fault of the demo services against the oracle that finds it.

    python -m bench.faults [SERVICE ...] [--fault NAME] [--skip-inferred] [--all]

Each fault is switched on alone, in a service of its own process. A run first takes one value of
each resource, and the usual number only where that finds nothing; it ends with its first finding,
unless all are asked for. The column `inferred` is the same run with the contracts that icepick
infers by itself, without those of `examples/`. Without any fault there should be no finding.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from icepick.demo.catalogue import SERVICES
from icepick.execute.engine import RunOptions
from icepick.execute.events import FindingFound, NotConfirmed
from icepick.execute.transport.auth import AuthOptions
from icepick.execute.transport.login import Login
from icepick.openapi import read_spec
from icepick.pipeline.models import Described, describe, models
from icepick.pipeline.reach import Reach
from icepick.pipeline.session import Session
from icepick.pipeline.settings import RunSettings

WRONG = {True: 6_000, False: 150}
"""Wrong inputs by whether a fault is a crash: more than usual, since each has but one chance, and
few where they have nothing to do with it."""


@dataclass(frozen=True)
class Found:
    by: tuple[str, ...]
    values: str
    seconds: float
    unconfirmed: int = 0


@contextmanager
def service(name: str, fault: str | None) -> Iterator[str]:
    command = [sys.executable, "-m", "icepick", "demo-service", name, "--port", "0"]
    command += ["--fault", fault] if fault else []
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if "http://" in line:
                start = line.index("http://")
                yield line[start:].split()[0].rstrip("/.,")
                break
    finally:
        process.terminate()
        process.wait()


def signing_in(name: str, url: str) -> AuthOptions:
    if name != "shop":
        return AuthOptions()
    who = {"username": "demo", "password": "demo-password"}
    return AuthOptions(login=Login(f"{url}/v1/sessions", who))


def apis(name: str, *, inferred: bool) -> Described:
    if inferred:
        return describe(read_spec(f"src/icepick/demo/{name}/openapi.yaml"))
    return describe(read_spec(f"examples/{name}.yaml"))


async def run_once(
    name: str, api: Described, url: str, settings: RunSettings, *, whole: bool
) -> Found:
    start = time.perf_counter()
    found: list[str] = []
    unconfirmed = 0
    session = Session(api, Reach(url, signing_in(name, url)), settings)
    async for event in session.events():
        if isinstance(event, FindingFound):
            found.append(f"{event.finding.level} {event.finding.complaint.check}")
            if not whole:
                session.stop()
        unconfirmed += isinstance(event, NotConfirmed)
    told = found if whole else found[:1]
    return Found(tuple(dict.fromkeys(told)), "", time.perf_counter() - start, unconfirmed)


def hunt(name: str, fault: str | None, *, inferred: bool, whole: bool = False) -> Found:
    api = apis(name, inferred=inferred)
    one = {resource.name: 1 for m in models(api, {}) for resource in m.model.resources}
    with service(name, fault) as url:
        engine = RunOptions(max_failures=30) if fault else RunOptions()
        wrong = None if fault is None else WRONG[fault.startswith("crash-")]
        usual = RunSettings(engine=engine, wrong=wrong)
        small = replace(usual, bounds=one)
        found = asyncio.run(run_once(name, api, url, small, whole=whole))
        if found.by:
            return replace(found, values="1")
        again = asyncio.run(run_once(name, api, url, usual, whole=whole))
        return replace(again, values="2", seconds=found.seconds + again.seconds)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("services", nargs="*", default=[])
    parser.add_argument("--fault")
    parser.add_argument("--skip-inferred", action="store_true")
    parser.add_argument("--all", action="store_true", help="go on after the first finding")
    asked = parser.parse_args()
    print(f"{'service':<12} {'fault':<34} {'values':<6} {'s':>6}  {'found by':<44} inferred only")
    known = [name for name in SERVICES if Path(f"examples/{name}.yaml").exists()]
    for name in asked.services or known:
        faults = [f.name for f in SERVICES[name].faults if asked.fault in (None, f.name)]
        hits = hits_inferred = 0
        if asked.fault is None:
            clean = [hunt(name, None, inferred=one, whole=True) for one in (False, True)]
            _print(name, "(none)", *clean)
        for fault in faults:
            whole = asked.all
            found = hunt(name, fault, inferred=False, whole=whole)
            alone = None if asked.skip_inferred else hunt(name, fault, inferred=True, whole=whole)
            hits += bool(found.by)
            hits_inferred += bool(alone and alone.by)
            _print(name, fault, found, alone)
        inferred = f"{hits_inferred} with inferred contracts only"
        print(f"{name:<12} {hits} of {len(faults)} found, {inferred}")


def _print(name: str, fault: str, found: Found, alone: Found | None) -> None:
    by = ", ".join(found.by) or "-"
    other = "" if alone is None else ", ".join(alone.by) or "-"
    row = f"{name:<12} {fault:<34} {found.values:<6} {found.seconds:>6.1f}  {by:<44} {other}"
    print(row, flush=True)


if __name__ == "__main__":
    main()
