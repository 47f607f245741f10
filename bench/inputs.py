"""How soon inputs are learned, and how that compares with Schemathesis.

    python -m bench.inputs [--quick] [--seeds N] [--seconds S] [--learn-only | --compare-only]

The first table learns every operation of the demo services, once for each seed, in this process:
how many operations gave a 2xx, and after how many calls. The second runs `icepick fuzz` and
Schemathesis (the newest, installed from PyPI into a folder of its own) one after the other for
the same time against a fresh service each; shop has all its `crash-*` faults. Both are counted
from the log of the service, from the first call on for the time they have: operations with a 2xx,
distinct crashes by operation and message, calls. `--quick` takes 5 seeds and 20 seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler

from icepick.demo.catalogue import SERVICES
from icepick.demo.http import build_app
from icepick.demo.serve import running
from icepick.execute.events import Exchanged
from icepick.execute.transport.auth import AuthOptions
from icepick.execute.transport.login import Login
from icepick.execute.types import Purpose
from icepick.openapi import ApiSpec, read_spec
from icepick.pipeline.fuzz import FuzzPhase, FuzzSession, FuzzSettings
from icepick.pipeline.models import Described, describe
from icepick.pipeline.reach import Reach
from icepick.pipeline.selection import Filters, Pattern, Trait, described

NAMES = ("shop", "tournaments", "petstore", "features")
USER_CALLS = 300
WHO = {"username": "demo", "password": "demo-password"}
HOOKS = """\
import json, os, urllib.request
import schemathesis

@schemathesis.auth(refresh_interval=2)
class Token:
    def get(self, case, context):
        body = os.environ["BENCH_WHO"].encode()
        kind = {"Content-Type": "application/json"}
        request = urllib.request.Request(os.environ["BENCH_LOGIN"], body, kind)
        return json.load(urllib.request.urlopen(request))["token"]

    def set(self, case, data, context):
        case.headers = case.headers or {}
        case.headers["Authorization"] = f"Bearer {data}"
"""


def document(name: str) -> str:
    return str(Path("src/icepick/demo") / name / "openapi.yaml")


def prefix(spec: ApiSpec) -> str:
    return re.sub(r"^https?://[^/]*", "", spec.servers[0].expanded()).rstrip("/")


# Learning, in this process


@dataclass(frozen=True)
class Learnt:
    operations: int
    calls: int


async def learn(name: str, api: Described, seed: int, calls: int | None = None) -> Learnt:
    """Learn once, against a service that was just started."""
    good: set[str] = set()
    count = 0
    async with running(SERVICES[name]) as url:
        login = Login(f"{url}/v1/sessions", WHO) if name == "shop" else None
        settings = FuzzSettings(seed, FuzzPhase.LEARN, max_calls=calls)
        session = FuzzSession(api, Reach(url, AuthOptions(login=login)), settings)
        async for event in session.events():
            if isinstance(event, Exchanged) and event.exchange.purpose is Purpose.CALL:
                count += 1
                status = event.exchange.status or 0
                if 200 <= status < 300 and event.exchange.operation:
                    good.add(event.exchange.operation)
    return Learnt(len(good), count)


def learning(seeds: int) -> None:
    print(f"learning, {seeds} seeds (operations with a 2xx: in every seed, or the least)")
    print(f"{'service':<12} {'operations':>12} {'all in':>10} {'calls, median':>14} {'most':>6}")
    for name in NAMES:
        api = describe(read_spec(document(name)))
        found = [asyncio.run(learn(name, api, seed)) for seed in range(seeds)]
        total, least = len(api.spec.operations), min(one.operations for one in found)
        whole = sum(one.operations == total for one in found)
        calls = [one.calls for one in found]
        reach = f"{least} of {total}"
        middle = f"{median(calls):.0f}"
        print(f"{name:<12} {reach:>12} {f'{whole}/{seeds}':>10} {middle:>14} {max(calls):>6}")
    alone = Filters((Pattern(Trait.OPERATION_ID, "createUser"),))
    user = described(read_spec(document("shop")), alone)
    found = [asyncio.run(learn("shop", user, seed, USER_CALLS)) for seed in range(seeds)]
    taken = [one.calls for one in found if one.operations]
    print(
        f"createUser of shop within {USER_CALLS} calls: {len(taken)} of {seeds} seeds, "
        f"median {median(taken or [0]):.0f} calls, most {max(taken or [0])}\n",
        flush=True,
    )


# A service with a log, in a process of its own


def serve(name: str, log: Path) -> None:
    """Serve until killed; every answer is a line of the log."""
    service = SERVICES[name]
    faults = [one.name for one in service.faults if one.name.startswith("crash-")]
    app = build_app(service, faults if name == "shop" else ())

    with log.open("a", buffering=1) as file:

        @web.middleware
        async def logged(request: web.Request, handler: Handler) -> web.StreamResponse:
            answer = await handler(request)
            resource = request.match_info.route.resource
            line: dict[str, Any] = {
                "at": time.time(),
                "method": request.method,
                "path": resource.canonical if resource is not None else None,
                "status": answer.status,
            }
            if answer.status >= 500 and isinstance(answer, web.Response):
                line["said"] = answer.text
            file.write(json.dumps(line) + "\n")
            return answer

        app.middlewares.insert(0, logged)
        asyncio.run(_listen(app))


async def _listen(app: web.Application) -> None:
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}", flush=True)
    await asyncio.Event().wait()


@contextmanager
def service(name: str, log: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "bench.inputs", "--serve", name, str(log)]
    with log.with_suffix(".err").open("wb") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.communicate()


# The two tools


@dataclass(frozen=True)
class Row:
    tool: str
    operations: str
    bugs: int
    calls: int
    seconds: float


def icepick(name: str, url: str, seconds: float, folder: Path) -> None:
    command = [sys.executable, "-m", "icepick", "fuzz", str(Path(document(name)).absolute())]
    command += ["-u", url, "--seed", "1", "--max-time", str(seconds), "--forget", "--json"]
    if name == "shop":
        command += ["--login", "POST /sessions"]
        for field, value in WHO.items():
            command += ["--login-field", f"{field}={value}"]
    finish(command, folder, os.environ, seconds)


def schemathesis(name: str, url: str, seconds: float, folder: Path) -> None:
    path = Path(document(name)).absolute()
    command = [str(tool() / "bin" / "st"), "run", str(path), "--seed", "1", "--no-color"]
    command += ["--url", url + prefix(read_spec(str(path))), "--continue-on-failure"]
    command += ["--max-time", str(int(seconds)), "--workers", "1", "--generation-database", "none"]
    environment = dict(os.environ)
    if name == "shop":
        (folder / "hooks.py").write_text(HOOKS)
        environment |= {
            "SCHEMATHESIS_HOOKS": "hooks",
            "BENCH_WHO": json.dumps(WHO),
            "BENCH_LOGIN": f"{url}/v1/sessions",
            "PYTHONPATH": str(folder),
        }
    finish(command, folder, environment, seconds)


def finish(
    command: list[str], folder: Path, environment: Mapping[str, str], seconds: float
) -> None:
    """Run a command; one that does not keep to its time is ended."""
    with (folder / "output.txt").open("wb") as output:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            process.wait(seconds * 1.5 + 15)
        except subprocess.TimeoutExpired:
            process.terminate()
            process.wait()


def tool() -> Path:
    """The folder with the newest Schemathesis, which is installed where it is missing."""
    default = Path.home() / ".cache" / "icepick" / "tools"
    home = Path(os.environ.get("ICEPICK_TOOLS") or default).expanduser() / "schemathesis"
    done = home / ".installed"
    if not done.exists():
        shutil.rmtree(home, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        pip = [str(home / "bin" / "python"), "-m", "pip", "install", "--quiet", "schemathesis"]
        subprocess.run(pip, check=True)
        done.touch()
    return home


def version() -> str:
    asked = [str(tool() / "bin" / "st"), "--version"]
    return subprocess.run(asked, check=True, capture_output=True, text=True).stdout.split()[-1]


# Counting


def counted(name: str, tool_name: str, log: Path, seconds: float) -> Row:
    """What a tool came to in so many seconds after its first call."""
    spec = read_spec(document(name))
    start = prefix(spec)
    known = {(one.method, plain(start + one.path)) for one in spec.operations}
    good: set[tuple[str, str]] = set()
    bugs: set[tuple[str, str, str]] = set()
    calls, last = 0, 0.0
    lines = [json.loads(text) for text in log.read_text().splitlines()]
    first = lines[0]["at"] if lines else 0.0
    for line in lines:
        if line["at"] - first > seconds:
            break
        last = line["at"] - first
        place = (line["method"], plain(line["path"] or ""))
        calls += 1
        if 200 <= line["status"] < 300 and place in known:
            good.add(place)
        if line["status"] >= 500:
            bugs.add((*place, crash(line.get("said") or "")))
    return Row(tool_name, f"{len(good)} of {len(known)}", len(bugs), calls, last)


def plain(path: str) -> str:
    return re.sub(r"\{[^{}]*\}", "{}", path)


def crash(said: str) -> str:
    """The message of a crash without what it quotes of the input."""
    try:
        message = str(json.loads(said).get("message") or json.loads(said).get("detail") or said)
    except (ValueError, AttributeError):
        message = said
    if not message.startswith("KeyError"):
        message = re.sub(r"'[^']*'|\"[^\"]*\"", "'?'", message)
    return re.sub(r"\d+", "N", message)


def comparison(seconds: float) -> None:
    print(f"side by side, {seconds:.0f} s each; Schemathesis {version()}")
    head = f"{'service':<12} {'tool':<14} {'operations with a 2xx':>22} {'distinct 5xx':>13}"
    print(f"{head} {'calls':>8} {'s':>6}")
    for name in NAMES:
        for label, run in (("icepick fuzz", icepick), ("schemathesis", schemathesis)):
            with tempfile.TemporaryDirectory() as place:
                folder = Path(place)
                log = folder / "service.ndjson"
                with service(name, log) as url:
                    run(name, url, seconds, folder)
                row = counted(name, label, log, seconds)
            print(
                f"{name:<12} {row.tool:<14} {row.operations:>22} {row.bugs:>13} "
                f"{row.calls:>8,} {row.seconds:>6.1f}",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--learn-only", action="store_true")
    parser.add_argument("--compare-only", action="store_true")
    parser.add_argument("--serve", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        serve(asked.serve[0], Path(asked.serve[1]))
        return
    if not asked.compare_only:
        learning(asked.seeds or (5 if asked.quick else 30))
    if not asked.learn_only:
        comparison(asked.seconds or (20.0 if asked.quick else 60.0))


if __name__ == "__main__":
    main()
