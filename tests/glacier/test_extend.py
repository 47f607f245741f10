"""Contracts written into documents: nothing else changes, and what a person did stays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from icepick.glacier import contracts_of
from icepick.glacier.contracts import Provenance
from icepick.glacier.extend import with_added, with_inferred
from icepick.glacier.inference.catalogue import CATALOGUE, as_contracts, instances
from icepick.glacier.inference.infer import infer_contracts
from icepick.openapi import ReadOptions, read_spec
from icepick.openapi.source import Source
from icepick.openapi.syntax import parse
from icepick.resources.find import find_resources
from tests.glacier.test_inference import DEMO, SERVICES


def source_of(file: Path) -> Source:
    return parse(file.read_text(encoding="utf-8"), str(file), ReadOptions())


def extend(file: Path, earlier: Path | None = None) -> str:
    spec = read_spec(str(file))
    contracts = infer_contracts(spec, find_resources(spec)).contracts
    return with_inferred(source_of(file), spec, contracts, source_of(earlier) if earlier else None)


@pytest.mark.parametrize("name", SERVICES)
def test_every_line_of_the_document_stays(name: str):
    file = DEMO / name / "openapi.yaml"
    after = iter(extend(file).splitlines())
    assert all(line in after for line in file.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize("name", SERVICES)
def test_what_was_written_is_read_again(name: str, tmp_path: Path):
    spec = read_spec(str(DEMO / name / "openapi.yaml"))
    inferred = infer_contracts(spec, find_resources(spec)).contracts
    file = tmp_path / "api.yaml"
    file.write_text(extend(DEMO / name / "openapi.yaml"), encoding="utf-8")
    loaded = contracts_of(read_spec(str(file)))
    assert loaded.diagnostics == ()
    assert [c.text for c in loaded.contracts.clauses()] == [c.text for c in inferred.clauses()]
    assert {c.provenance for c in loaded.contracts.clauses()} == {Provenance.INFERRED}


@pytest.fixture
def edited(tmp_path: Path) -> Path:
    file = tmp_path / "api.yaml"
    file.write_text(extend(DEMO / "tournaments" / "openapi.yaml"), encoding="utf-8")
    return file


def again(file: Path) -> str:
    return extend(DEMO / "tournaments" / "openapi.yaml", earlier=file)


def test_writing_twice_changes_nothing(edited: Path):
    assert again(edited) == edited.read_text(encoding="utf-8")


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_a_clause_that_a_person_removed_does_not_return(edited: Path):
    change(edited, "          - 'req_body(@) = res_body(GET /players/{pid})'\n", "")
    assert "'req_body(@) = res_body(GET /players/{pid})'" not in again(edited)


def test_a_clause_that_a_person_changed_stays_changed(edited: Path):
    old = "'res_code(GET /players/req_body(@){pid}) = 404'"
    new = "'res_code(GET /players/req_body(@){pid}) in 4xx'"
    change(edited, old, new)
    assert new in again(edited)
    assert old not in again(edited)


def test_a_clause_that_a_person_wrote_stays_and_is_theirs(edited: Path, tmp_path: Path):
    mine = "'req_body(@){name} != \"root\"'"
    first = "          - 'res_code(GET /players/req_body(@){pid}) = 404'\n"
    change(edited, first, f"{first}          - {mine}\n")
    file = tmp_path / "again.yaml"
    file.write_text(again(edited), encoding="utf-8")
    requires = contracts_of(read_spec(str(file))).contracts.of("POST /players").requires
    assert [c.provenance for c in requires] == [Provenance.INFERRED, Provenance.WRITTEN]


def test_comments_among_contracts_stay_where_nothing_changes(edited: Path):
    change(edited, "      x-glacier:\n", "      x-glacier:  # reviewed\n")
    assert "x-glacier:  # reviewed" in again(edited)


def test_catalogue_clauses_join_the_others(edited: Path):
    spec = read_spec(str(edited))
    resources = find_resources(spec)
    chosen = [i for t in CATALOGUE if t.name == "capacity" for i in instances(t, spec, resources)]
    text = with_added(source_of(edited), spec, as_contracts(chosen, spec))
    assert text.startswith(edited.read_text(encoding="utf-8").rstrip("\n"))
    assert text.count("/capacity)") == 1


def test_json_stays_json(tmp_path: Path):
    document = json.dumps(source_of(DEMO / "tournaments" / "openapi.yaml").content, indent=2)
    file = tmp_path / "api.json"
    file.write_text(document)
    text = extend(file)
    content = json.loads(text)
    assert list(content["paths"]["/players"]["post"])[-1] == "x-glacier"
    kept = iter(text.splitlines())
    assert all(line in kept or line + "," in text for line in document.splitlines())
