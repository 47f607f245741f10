"""Inputs like those that a service has taken."""

from __future__ import annotations

from pathlib import Path
from random import Random

from icepick.execute.binding.taught import Taught
from icepick.inputs import Fresh, Generator, Responses
from icepick.inputs.learn import Learned, Setting
from icepick.resources.types import Location, ResourceMap
from tests.inputs.learn.documents import posting


def test_a_field_that_the_document_does_not_have_is_sent(tmp_path: Path) -> None:
    spec = posting({"name": {"type": "string"}}, tmp_path, ("name",))
    operation, generator = spec.operations[0], Generator(spec.schemas)
    fresh, rng = Fresh(generator, Random(1)), Random(1)
    setting = Setting(spec.schemas, generator, fresh, Responses())
    slot = (Location.BODY, ("schema",))
    known = Learned(operation.id, undeclared={slot: {"type": "object"}}, successes=1)
    taught = Taught(setting, {operation.id: known}, ResourceMap({}, ()))
    case = taught.case(operation, {}, fresh, rng)
    assert case is not None
    assert sorted(case.body) == ["name", "schema"]
    assert case.body["schema"] == {}
