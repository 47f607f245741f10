"""What was learned, in files: kept from run to run, and as contracts and overlays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from icepick.glacier import load_contracts
from icepick.inputs import Hint
from icepick.inputs.learn import Heard, Kind, Learned, Relation
from icepick.openapi import ApiSpec, read_spec
from icepick.pipeline.learned import (
    contracts_text,
    learned_path,
    learned_text,
    overlay_text,
    read_learned,
)
from icepick.resources.types import Location
from tests.glacier.test_inference import DEMO

URL = "http://127.0.0.1:8080/v1"
EMAIL, GENDER, PHONE, COUNTRY = (
    (Location.BODY, (name,)) for name in ("email", "gender", "phone", "phone_country")
)
USER = Learned(
    "createUser",
    hints={EMAIL: Hint(required=True), GENDER: Hint(allowed=("female", "male"), required=True)},
    relations=(Relation(Kind.REQUIRES, COUNTRY, (PHONE,)),),
    heard=(Heard((EMAIL,), 'email\nis "required"'),),
    calls=9,
    successes=2,
)


@pytest.fixture(scope="module")
def shop() -> ApiSpec:
    return read_spec(str(DEMO / "shop" / "openapi.yaml"))


def test_the_file_is_named_by_the_api_and_its_host(shop: ApiSpec) -> None:
    found = learned_path(Path(".icepick"), shop, URL)
    assert found == Path(".icepick/learned/shop-127-0-0-1-8080.json")
    elsewhere = learned_path(Path(".icepick"), shop, "https://[::1]:8080/../../etc")
    assert elsewhere.parent == found.parent
    assert elsewhere != found


def test_what_is_kept_is_read_back(shop: ApiSpec, tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    path.write_text(learned_text(shop, URL, {"createUser": USER}))
    kept = read_learned(path)
    assert (kept.learned, kept.problems) == ({"createUser": USER}, ())


def test_nothing_kept_is_no_problem(tmp_path: Path) -> None:
    kept = read_learned(tmp_path / "none.json")
    assert (kept.learned, kept.problems) == ({}, ())


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "is not of the form icepick-learned/1"),
        ('{"format": "icepick-learned/2", "operations": []}', "is not of the form"),
    ],
)
def test_a_file_of_another_kind_is_left_out(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "kept.json"
    path.write_text(content)
    kept = read_learned(path)
    assert kept.learned == {}
    assert said in kept.problems[0]


def test_one_entry_that_cannot_be_read_costs_no_other(shop: ApiSpec, tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    content = json.loads(learned_text(shop, URL, {"createUser": USER}))
    content["operations"].insert(0, {"format": 1, "operation": "listUsers"})
    path.write_text(json.dumps(content))
    kept = read_learned(path)
    assert kept.learned == {"createUser": USER}
    assert kept.problems == (f"{path}: entry 1 of operations cannot be read",)


def test_contracts_are_read_back_as_they_were_meant(shop: ApiSpec, tmp_path: Path) -> None:
    path = tmp_path / "learned.glc"
    path.write_text(contracts_text(shop, {"createUser": USER}))
    loaded = load_contracts(str(path), shop)
    assert loaded.diagnostics == ()
    clauses = loaded.contracts.of("POST /users").requires
    assert [clause.text for clause in clauses] == [
        "req_body(@){email} != null",
        "req_body(@){gender} != null",
        'req_body(@){gender} in ["female", "male"]',
        "req_body(@){phone} != null => req_body(@){phone_country} != null",
    ]
    assert '# the service said: "email is "required""' in path.read_text()


def test_a_clause_that_the_document_rules_out_stays_a_comment(
    shop: ApiSpec, tmp_path: Path
) -> None:
    unknown = (Location.BODY, ("no_such_field",))
    path = tmp_path / "learned.glc"
    learned = Learned("createUser", hints={unknown: Hint(required=True)})
    path.write_text(contracts_text(shop, {"createUser": learned}))
    assert "# left out: req_body(@){no_such_field} != null (ICP323" in path.read_text()
    assert load_contracts(str(path), shop).contracts.operations == {}


def test_nothing_learned_is_a_file_without_contracts(shop: ApiSpec, tmp_path: Path) -> None:
    path = tmp_path / "learned.glc"
    path.write_text(contracts_text(shop, {"createUser": Learned("createUser")}))
    loaded = load_contracts(str(path), shop)
    assert (loaded.contracts.operations, loaded.diagnostics) == ({}, ())


def test_an_overlay_is_the_same_in_both_forms(shop: ApiSpec) -> None:
    as_json = json.loads(overlay_text(shop, {"createUser": USER}, ".JSON"))
    assert yaml.safe_load(overlay_text(shop, {"createUser": USER}, ".yaml")) == as_json
    assert as_json["overlay"] == "1.0.0"
    assert {"required": ["email"]} in [one["update"] for one in as_json["actions"]]
