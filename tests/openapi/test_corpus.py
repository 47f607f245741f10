"""Documents of real services: all of them load, with all of their operations."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from icepick.openapi import Direction, Validators, check_spec

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "oas"
OPERATIONS = {
    "bibliothek.json": 8,
    "catwatch.json": 23,
    "cwa-verification.json": 5,
    "features-service.json": 18,
    "gitlab-Branch.json": 9,
    "gitlab-Commit.json": 15,
    "gitlab-Groups.json": 17,
    "languagetool.json": 2,
    "market.json": 13,
    "ocvn-rest.json": 192,
    "realworld-app.json": 19,
    "rest-ncs.json": 6,
    "rest-news.json": 7,
    "rest-scs.json": 11,
    "restcountries.yaml": 22,
    "session-service.json": 8,
    "spacex-api.json": 94,
    "swagger-petstore.json": 18,
    "tournaments.json": 19,
}
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the documents are not here")


def test_no_document_is_forgotten() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(OPERATIONS)


@pytest.mark.parametrize(("name", "count"), OPERATIONS.items())
def test_documents(name: str, count: int) -> None:
    begun = time.process_time()
    spec = check_spec(str(FOLDER / name))
    assert time.process_time() - begun < 3
    assert len(spec.operations) == count
    assert len({operation.id for operation in spec.operations}) == count
    assert spec.left_out == ()
    assert all(d.place.line and d.place.pointer for d in spec.diagnostics)


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_body_can_be_validated(name: str) -> None:
    spec = check_spec(str(FOLDER / name))
    validators = Validators(spec.schemas, formats=True)
    bodies = [
        media.schema
        for operation in spec.operations
        for holder in (operation.request_body, *operation.responses.values())
        if holder is not None
        for media in holder.content.values()
    ]
    for schema in bodies:
        for direction in Direction:
            assert validators.problems(schema, {"id": []}, direction) is not None
