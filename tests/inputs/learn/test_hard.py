"""An operation like the hardest one of the paper: 21 inputs, and one complaint at a time."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from icepick.inputs.case import Case
from tests.inputs.learn.documents import TAKEN, Answer, drive, learner_of, posting, refusal

NAMES = {
    "string": "alias inbox secret orientation motto nick mode grade token phrase crest badge stamp",
    "integer": "rank score low top floor",
    "boolean": "flag mark seal",
}
FIELDS: dict[str, Any] = {
    name: {"type": kind} for kind, names in NAMES.items() for name in names.split()
}


class Strict:
    """Takes few inputs, and says the first thing that is wrong with the others."""

    def __init__(self) -> None:
        self.aliases: set[str] = set()

    def __call__(self, case: Case) -> Answer:
        said = self._wrong(case.body)
        if said is None:
            self.aliases.add(case.body["alias"])
            return TAKEN
        return refusal(said)

    def _wrong(self, value: dict[str, Any]) -> str | None:
        for name in ("alias", "inbox", "secret", "orientation"):
            if name not in value:
                return f"{name} is required"
        secret = value["secret"]
        if len(secret) < 10 or not re.search("[0-9]", secret) or not re.search("[A-Z]", secret):
            return "secret must have at least 10 characters, a digit and an upper-case letter"
        if value["orientation"] not in {"north", "south"}:
            return "orientation must be one of [north, south]"
        if not re.fullmatch(r"[^@ ]+@[^@ ]+\.[a-z]+", value["inbox"]):
            return "inbox must be a well-formed email address"
        if not re.fullmatch("[a-z]{4,12}", value["alias"]):
            return "alias must match ^[a-z]{4,12}$"
        if value["alias"] in self.aliases:
            return f"alias {value['alias']} is already taken"
        return self._between(value)

    def _between(self, value: dict[str, Any]) -> str | None:
        if "mode" in value and value["mode"] not in {"fast", "slow"}:
            return "mode can only be fast or slow"
        if "rank" in value and not 3 <= value["rank"] <= 9:
            return "rank must be between 3 and 9"
        if value.get("mode") == "fast" and "token" not in value:
            return "token is required when mode is fast"
        if "grade" in value and value.get("mode") != "slow":
            return "grade must not be sent unless mode is slow"
        if "low" in value and "top" in value and value["low"] >= value["top"]:
            return "low must be less than top"
        if "crest" in value and "badge" in value:
            return "crest must not be given together with badge"
        return None


@pytest.mark.parametrize("seed", range(3))
def test_one_input_is_found(seed: int, tmp_path: Path) -> None:
    learner = learner_of(posting(FIELDS, tmp_path), seed=seed, calls=300)
    sent = drive(learner, Strict())
    assert len(FIELDS) == 21
    assert learner.learned.successes == 1
    assert len(sent) <= 30


@pytest.mark.parametrize("seed", range(3))
def test_the_whole_space_is_found(seed: int, tmp_path: Path) -> None:
    learner = learner_of(posting(FIELDS, tmp_path), seed=seed, calls=300, wanted=150)
    service = Strict()
    sent = drive(learner, service)
    assert learner.learned.successes == 150
    assert len(sent) <= 200
    assert {frozenset(case.body) for case in sent if "badge" in case.body}
    last = sent[-40:]
    fresh = Strict()
    assert sum(fresh(case) is TAKEN for case in last) >= 38
