"""What a clause is about is in its tree, however it is written."""

from __future__ import annotations

import pytest

from icepick.execute.findings.clauses import forbids_what_is_there


@pytest.mark.parametrize(
    "clause",
    [
        "res_code(GET /pets/req_body(@){id}) = 404",
        "res_code( GET /pets/req_body(@){id} )=410",
        "req_body(@){id} != null => res_code(GET /pets/req_body(@){id}) = 404",
        "res_code(GET /owners/{oid}/pets/req_body(@){data}{id}/tag) = 404",
    ],
)
def test_what_the_body_names_must_not_be_there(clause: str) -> None:
    assert forbids_what_is_there(clause)


@pytest.mark.parametrize(
    "clause",
    [
        "res_code(GET /pets/{id}) = 404",
        "res_code(GET /pets/req_body(@){id}) = 200",
        "res_code(GET /pets/req_body(@)) = 404",
        "req_body(@){id} != null",
        "{id} != null => res_code(GET /pets/req_body(@){id}) = 404",
        "nobody wrote this in any language",
    ],
)
def test_other_clauses_say_something_else(clause: str) -> None:
    assert not forbids_what_is_there(clause)
