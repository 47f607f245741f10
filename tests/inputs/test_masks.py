"""Parameters that list the fields which an update is about."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from icepick.inputs import Generator, Options
from icepick.inputs.case import Case, CaseMaker
from icepick.inputs.types import Optionals
from icepick.resources.types import Location
from tests.inputs.learn.documents import JSON, spec_of

TEXT = {"type": "string"}
LIST = {"type": "array", "items": TEXT}
MAYBE = {"anyOf": [LIST, {"type": "null"}]}


def made(folder: Path, name: str, schema: dict[str, Any], method: str = "patch") -> Case:
    """An update with everything that it may have."""
    body = {"type": "object", "required": ["size"], "properties": {"size": TEXT, "color": TEXT}}
    call = {
        "operationId": "update",
        "parameters": [{"name": name, "in": "query", "schema": schema}],
        "requestBody": {"required": True, "content": {JSON: {"schema": body}}},
        "responses": {"200": {"description": "done"}},
    }
    info = {"title": "Things", "version": "1"}
    document = {"openapi": "3.1.0", "info": info, "paths": {"/things/1": {method: call}}}
    spec = spec_of(document, folder)
    maker = CaseMaker(Generator(spec.schemas), spec.schemas)
    given = {(Location.BODY, ("color",)): "red"}
    options = Options(optionals=Optionals.ALL)
    found = maker.make(spec.operation("update"), Random(1), options, given)
    assert isinstance(found, Case)
    return found


@pytest.mark.parametrize(
    "name", ["update_mask", "updateMask", "fieldMask", "updateMask.fieldPaths"]
)
@pytest.mark.parametrize("schema", [LIST, MAYBE])
def test_a_mask_names_what_the_body_has(tmp_path: Path, name: str, schema: dict[str, Any]) -> None:
    found = made(tmp_path, name, schema)
    assert found.query == {name: list(found.body)}
    assert set(found.body) == {"size", "color"}


def test_a_mask_that_is_one_text(tmp_path: Path) -> None:
    found = made(tmp_path, "updateMask", TEXT)
    assert found.query == {"updateMask": ",".join(found.body)}


def test_a_mask_that_allows_some_names_only(tmp_path: Path) -> None:
    listed = {"type": "array", "items": {"type": "string", "enum": ["color", "weight"]}}
    assert made(tmp_path, "update_mask", listed).query == {"update_mask": ["color"]}
    none = {"type": "array", "items": {"type": "string", "enum": ["weight"]}}
    assert made(tmp_path, "update_mask", none).query == {}


@pytest.mark.parametrize("name", ["net_mask", "tags"])
def test_what_is_no_mask_is_left_alone(tmp_path: Path, name: str) -> None:
    found = made(tmp_path, name, LIST)
    assert found.query[name] != list(found.body)
