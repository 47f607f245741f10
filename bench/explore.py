"""The embedded engine and TLC side by side: seconds and peak memory, each in its own process.

    python bench/explore.py [model ...] [--tlc model ...] [--dump model ...]

Models are named by their bounds: p2_t2_e2 for Tournaments, u3_p3_o3 for Petstore, and a limit on
the enrolments as in p3_t3_e10_l3, whose space is too large for a flat array. By default a few that
take seconds are run; TLC is run on those of the models that --tlc names, and once more with its
state graph written to disk on those that --dump names. TLC has two workers.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

from icepick.errors import Place
from icepick.explore import explore
from icepick.explore.tlc_run import find_tools, write_module
from icepick.glacier import Clause, Contracts, OperationContract, Provenance, parse_formula
from icepick.model import Model
from icepick.model.tla import tla_text
from icepick.openapi import read_spec
from icepick.pipeline.models import describe, models

ROOT = Path(__file__).resolve().parent.parent
SHORT = ["p1_t1_e1", "p2_t2_e2", "p3_t3_e3", "u1_p1_o1", "u2_p2_o2", "u3_p3_o3"]


@dataclass(frozen=True)
class Measurement:
    """What a process took, and the states and transitions that it found."""

    seconds: float
    megabytes: float
    states: int
    transitions: int


def model_named(name: str) -> Model:
    """The model that the contracts in examples/ give; a limit is one clause more."""
    bounds = [int(number) for number in re.findall(r"\d+", name)]
    petstore = name.startswith("u")
    resources = ("User", "Pet", "Order") if petstore else ("Player", "Tournament", "Enrolment")
    file = ROOT / "examples" / ("petstore.yaml" if petstore else "tournaments.yaml")
    api = describe(read_spec(str(file)))
    if "_l" in name:
        text = f"res_body(GET /enrolments).len < {bounds.pop()}"
        clause = Clause(parse_formula(text), text, Provenance.WRITTEN, Place(str(file)))
        label = "POST /enrolments"
        more = Contracts({label: OperationContract(label, requires=(clause,))})
        api = replace(api, contracts=api.contracts.merged(more))
    sizes = dict(zip(resources, bounds, strict=True))
    (derivation,) = models(api, sizes)
    return derivation.model


def run(command: list[str], cwd: Path) -> tuple[float, float, str]:
    """Wall seconds, peak megabytes and output of a process."""
    start = time.perf_counter()
    with (cwd / "output").open("w+") as output:
        process = subprocess.Popen(command, cwd=cwd, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - start
        output.seek(0)
        text = output.read()
    if process.returncode:
        raise SystemExit(text)
    return seconds, usage.ru_maxrss / 1024, text


def embedded(name: str, *, graph: bool) -> Measurement:
    kind = "graph" if graph else "count"
    command = [sys.executable, str(Path(__file__).resolve()), "--one", name, kind]
    with tempfile.TemporaryDirectory() as folder:
        _, megabytes, text = run(command, Path(folder))
    found = json.loads(text.splitlines()[-1])
    return Measurement(found["seconds"], megabytes, found["states"], found["transitions"])


def one(name: str, kind: str) -> None:
    """Explore in this process; compiling the model counts, starting Python does not."""
    model = model_named(name)
    start = time.perf_counter()
    found = explore(model, graph=kind == "graph").found
    seconds = time.perf_counter() - start
    about = {"seconds": seconds, "states": found.states, "transitions": found.transitions}
    print(json.dumps(about))


def tlc(name: str, *, dump: bool) -> Measurement:
    """The start of Java counts, about a second; states generated are transitions and one more."""
    tools = find_tools()
    with tempfile.TemporaryDirectory() as folder:
        module = write_module(tla_text(model_named(name)), Path(folder))
        command = [tools.java, "-XX:+UseParallelGC", "-cp", str(tools.jar), "tlc2.TLC"]
        command += ["-deadlock", "-workers", "2", "-nowarning"]
        command += ["-dump", "dot,actionlabels", "graph.dot"] if dump else []
        seconds, megabytes, text = run([*command, module.name], Path(folder))
    found = re.findall(r"^([\d,]+) states generated, ([\d,]+) distinct", text, re.MULTILINE)
    generated, distinct = (int(number.replace(",", "")) for number in found[-1])
    return Measurement(seconds, megabytes, distinct, generated - 1)


def cell(measured: Measurement | None) -> str:
    if measured is None:
        return f"{'':>18}"
    return f"{measured.seconds:>8.2f} s {measured.megabytes:>5.0f} MB"


def ratio(slow: Measurement | None, fast: Measurement) -> str:
    return f"{slow.seconds / fast.seconds:>8.0f} x" if slow else f"{'':>10}"


def row(name: str, *, with_tlc: bool, with_dump: bool) -> str:
    counted, kept = embedded(name, graph=False), embedded(name, graph=True)
    checked = tlc(name, dump=False) if with_tlc else None
    dumped = tlc(name, dump=True) if with_dump else None
    for other in (kept, checked, dumped):
        if other and (other.states, other.transitions) != (counted.states, counted.transitions):
            raise SystemExit(f"{name}: {counted} and {other} disagree")
    return " ".join(
        [
            f"{name:<13} {counted.states:>11,} {counted.transitions:>12,}",
            *map(cell, (counted, kept, checked, dumped)),
            ratio(checked, counted),
            ratio(dumped, kept),
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("models", nargs="*", default=SHORT)
    parser.add_argument("--tlc", nargs="*", default=["p2_t2_e2", "p3_t3_e3", "u3_p3_o3"])
    parser.add_argument("--dump", nargs="*", default=["p2_t2_e2", "p3_t3_e3", "u3_p3_o3"])
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        one(*chosen.one)
        return
    heads = ("counted", "labelled graph", "TLC", "TLC with dump")
    print(
        f"{'model':<13} {'states':>11} {'transitions':>12}",
        *(f"{head:>18}" for head in heads),
        f"{'counted':>10} {'graph':>10}",
    )
    for name in chosen.models:
        print(row(name, with_tlc=name in chosen.tlc, with_dump=name in chosen.dump), flush=True)


if __name__ == "__main__":
    main()
