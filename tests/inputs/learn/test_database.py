"""Rules that a database tells in passing, while the service falls over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from icepick.inputs.case import Case
from icepick.inputs.learn.database import constraints
from tests.inputs.learn.documents import JSON, TAKEN, Answer, body, drive, learner_of, posting


@pytest.mark.parametrize(
    ("text", "name", "meaning"),
    [
        ("NOT NULL constraint failed: loans.due", "due", "is required"),
        ('null value in column "due" of relation "loans" violates ...', "due", "is required"),
        ("Column 'due' cannot be null", "due", "is required"),
        ("UNIQUE constraint failed: countries.name", "name", "must be unique"),
        ("Key (name)=(Peru) already exists.", "name", "must be unique"),
        ("Duplicate entry 'Peru' for key 'countries.name'", "name", "must be unique"),
        (
            'Key (country_id)=(7) is not present in table "countries".',
            "country_id",
            "does not exist",
        ),
        (
            "CHECK constraint failed: stars BETWEEN 1 AND 5",
            "stars",
            "must be between 1 and 5",
        ),
        ("CHECK constraint failed: pages > 0", "pages", "must be greater than 0"),
        (
            "CHECK constraint failed: kind IN ('a', 'b')",
            "kind",
            "must be one of 'a', 'b'",
        ),
        (
            "CHECK constraint failed: length(code) <= 2",
            "code",
            "must have at most 2 characters",
        ),
    ],
)
def test_the_column_and_the_rule(text: str, name: str, meaning: str) -> None:
    (found,) = constraints([text])
    assert (found.names, found.text) == ((name,), meaning)


@pytest.mark.parametrize(
    "text",
    [
        "FOREIGN KEY constraint failed",
        "CHECK constraint failed: pages > 0 OR draft = 1",
        "UNIQUE constraint failed: seats.row, seats.number",
        "something between 1 and 5 went wrong",
    ],
)
def test_what_names_no_column_says_nothing(text: str) -> None:
    assert constraints([text]) == ()


def test_a_learner_hears_it_though_the_service_fell_over(tmp_path: Path) -> None:
    spec = posting({"stars": {"type": "integer"}}, tmp_path, ("stars",))

    def service(case: Case) -> Answer:
        if 1 <= case.body["stars"] <= 5:
            return TAKEN
        said = {"statusCode": 500, "message": "CHECK constraint failed: stars BETWEEN 1 AND 5"}
        return 500, json.dumps(said), JSON

    learner = learner_of(spec, wanted=8)
    sent = drive(learner, service)
    hint = learner.learned.hints[body("stars")]
    assert (hint.minimum, hint.maximum) == (1, 5)
    refused = [case for case in sent if not 1 <= case.body["stars"] <= 5]
    assert len(refused) <= 2
