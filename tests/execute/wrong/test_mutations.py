"""What tells one crash on a wrong input from another."""

from __future__ import annotations

from pathlib import Path

import pytest

from icepick.execute.wrong.mutations import general_key
from icepick.inputs import Case
from icepick.inputs.learn import Mutation, Oddity, OddityKind
from icepick.openapi import read_spec

DOCUMENT = Path(__file__).parents[3] / "examples" / "petstore.yaml"


def key(status: int, said: str, name: str) -> str:
    operation = read_spec(str(DOCUMENT)).operation("addPet")
    mutation = Mutation(operation, Case(operation, body={"name": name}))
    return general_key(Oddity(OddityKind.CRASH, operation.id, said, status, said, mutation))


@pytest.mark.parametrize(
    ("status", "one", "other", "alike"),
    [
        (500, "no 'Rex' here", "no 'Tom' here", True),
        (500, "no 'Rex' here", "nothing", False),
        (501, "Rex is not implemented", "no kernel Tom", True),
    ],
)
def test_quoted_values_and_wordings_make_no_difference(
    status: int, one: str, other: str, alike: bool
) -> None:
    assert (key(status, one, "Rex") == key(status, other, "Tom")) is alike
