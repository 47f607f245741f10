"""What the documentation shows is what happens."""

from __future__ import annotations

import re

import pytest

from icepick.execute.events import ModelCovered
from icepick.protocol import Protocols, check_protocols, read_protocols
from tests.protocol.documents import ROOT, demo
from tests.protocol.driving import findings, of_kind, run_live

PAGE = (ROOT / "docs" / "protocols.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def worked() -> Protocols:
    (block,) = re.findall(r"```protocol\n(.*?)```", PAGE, re.DOTALL)
    return read_protocols(block)


def test_the_worked_example_is_free_of_mistakes(worked: Protocols) -> None:
    assert not check_protocols(worked, demo("petstore"))


async def test_the_worked_example_finds_what_the_page_says(worked: Protocols) -> None:
    events, _ = await run_live("petstore", worked, "delete-pet-keeps-orders")
    (found,) = findings(events)
    assert f"ERR {found.id} {found.title}" in PAGE
    assert f"# after {len(found.steps) - 1} calls" in PAGE
    (covered,) = of_kind(events, ModelCovered)
    for name, (taken, total) in covered.parts.items():
        assert f"{name} {taken}/{total}" in PAGE
        assert f"{total} {name}" in PAGE
    events, coverage = await run_live("petstore", worked)
    assert not findings(events)
    assert coverage["Orders"].is_full
