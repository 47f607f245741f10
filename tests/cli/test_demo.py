"""`icepick demo`: the faults of the paper, found."""

from __future__ import annotations

import re
from pathlib import Path

from tests.cli.invoking import Icepick, icepick

__all__ = ["icepick"]


def test_the_demo_finds_its_faults_and_writes_a_page(icepick: Icepick, tmp_path: Path):
    done = icepick("demo")
    assert done.code == 0
    assert "5 states and 10 transitions" in done.out
    for word in ("deletePlayer", "deleteTournament", "players for t1 has"):
        assert word in done.out.split("plan  ")[1]
    found = re.search(r"^(\d+) findings", done.out, re.MULTILINE)
    assert found is not None
    assert int(found[1]) >= 3
    (page,) = tmp_path.glob(".icepick/runs/*/report.html")
    assert str(page.relative_to(tmp_path)) in done.out
