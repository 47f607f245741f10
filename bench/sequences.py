"""Plans against the figures of the ICEPICK paper (Table IV), each in a process of its own.

    python bench/sequences.py [model ...] [--large]

Models are named by their bounds: p2_t2_e2 for Tournaments, u3_p3_o3 for Petstore. --large adds
p4_t3_e4, whose 21 million paths are written to a temporary file of 8 GB. The first table has the
paper's algorithm: what the paper reports, then the same with parallel transitions told apart.
Lengths are calls; the paper's for Tournaments have updates in them that it placed at random. The
second table has what the paper does not do. Seconds include exploration, not the start of Python.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SHORT = ["p1_t1_e1", "p2_t2_e2", "p3_t3_e3", "u1_p1_o1", "u2_p2_o2", "u3_p3_o3"]
LARGE = "p4_t3_e4"
REPORTED = {
    "p1_t1_e1": ("7", "100", "6/11/9"),
    "p2_t2_e2": ("721", "100", "9/27/17"),
    "p3_t3_e3": ("312K", "100", "9/39/24"),
    "u1_p1_o1": ("15", "84.2", "3/6/4"),
    "u2_p2_o2": ("507", "81.2", "5/10/7"),
    "u3_p3_o3": ("18.5K", "74.4", "7/13/9"),
}


def plan(name: str, *options: str) -> dict[str, Any]:
    bounds = re.findall(r"\d+", name)
    petstore = name.startswith("u")
    resources = ("User", "Pet", "Order") if petstore else ("Player", "Tournament", "Enrolment")
    file = ROOT / "examples" / ("petstore.yaml" if petstore else "tournaments.yaml")
    sizes = ",".join(f"{r}={size}" for r, size in zip(resources, bounds, strict=True))
    command = [sys.executable, "-m", "icepick", "plan", str(file), "--bounds", sizes, "--json"]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def cost(found: dict[str, Any]) -> str:
    return f"{found['seconds']:>7.2f} s {found['peak_rss_mb']:>5.0f} MB"


def lengths(found: dict[str, Any]) -> str:
    return f"{found['min']}/{found['max']}/{found['mean']:.1f}"


def paper_row(name: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "plan.ndjson"
        found = plan(name, "--strategy", "paper", "--out", str(file))
        size = file.stat().st_size / 1e6
    merged = (
        found if name == LARGE else plan(name, "--strategy", "paper", "--no-transition-identity")
    )
    told, coverage, reported = REPORTED.get(name, ("-", "-", "-"))
    own = "-" if name == LARGE else f"{merged['transitions_percent']:.1f}"
    return (
        f"{name:<9} {found['states']:>9,} {found['transitions']:>10,} {told:>6} "
        f"{found['paths']:>10,} {coverage:>6} {own:>6} {found['transitions_percent']:>6.1f} "
        f"{reported:>9} {lengths(found):>11} {size:>7,.0f} MB {cost(found)}"
    )


def tour_row(name: str) -> str:
    tour, states = plan(name, "--strategy", "tour"), plan(name, "--strategy", "states")
    alike = plan(name, "--strategy", "tour", "--symmetry")
    extra = plan(name, "--strategy", "tour", "--refusals", "one", "--updates")
    placed = [f"{extra[kind]:>4}" for kind in ("updates", "reads", "refusals")]
    return (
        f"{name:<9} {tour['transitions']:>10,} {tour['calls']:>8,} "
        f"{tour['calls'] / tour['transitions']:>5.2f} {cost(tour)} "
        f"{states['calls']:>8,} {alike['calls']:>8,} {tour['calls'] / alike['calls']:>5.0f} x "
        f"{' '.join(placed)} {extra['calls']:>8,}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("models", nargs="*", default=SHORT)
    parser.add_argument("--large", action="store_true", help=f"also write the paths of {LARGE}")
    chosen = parser.parse_args()
    print(
        f"{'':<9} {'':>9} {'':>10} {'paths':>17} {'% of transitions':>20} {'min/max/mean':>21}\n"
        f"{'model':<9} {'states':>9} {'transit.':>10} {'paper':>6} {'icepick':>10} {'paper':>6} "
        f"{'merged':>6} {'apart':>6} {'paper':>9} {'icepick':>11} {'file':>10} {'cost':>18}"
    )
    for name in [*chosen.models, *([LARGE] if chosen.large else [])]:
        print(paper_row(name), flush=True)
    print(
        f"\n{'model':<9} {'transit.':>10} {'tour':>8} {'ratio':>5} {'cost':>18} {'states':>8} "
        f"{'symmetry':>8} {'less':>7} {'upd.':>4} {'read':>4} {'ref.':>4} {'all':>8}"
    )
    for name in chosen.models:
        print(tour_row(name), flush=True)


if __name__ == "__main__":
    main()
