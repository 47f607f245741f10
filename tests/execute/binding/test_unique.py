"""Values that are to be unique heed what was learned of them."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

from icepick.execute.binding.leaves import AllLeaves
from icepick.execute.binding.taught import Taught
from icepick.execute.binding.unique import freshened
from icepick.inputs import Case, Fresh, Generator, Hint, Responses
from icepick.inputs.learn import Learned, Setting
from icepick.resources.types import Location, ResourceMap
from tests.inputs.learn.documents import posting


def test_a_new_name_is_one_that_the_service_takes(tmp_path: Path) -> None:
    spec = posting({"name": {"type": "string"}}, tmp_path, ("name",))
    operation, generator = spec.operations[0], Generator(spec.schemas)
    fresh = Fresh(generator, Random(1))
    setting = Setting(spec.schemas, generator, fresh, Responses())
    hints = {(Location.BODY, ("name",)): Hint(pattern="^[a-z0-9-]+$")}
    known = {operation.id: Learned(operation.id, hints=hints, successes=1)}
    taught = Taught(setting, known, ResourceMap({}, ()))
    case, leaves = Case(operation, body={"name": "x"}), AllLeaves(spec.schemas).of(operation)
    names = [
        freshened(case, leaves, fresh, frozenset(), taught.schema).body["name"] for _ in range(9)
    ]
    assert all(re.fullmatch("[a-z0-9-]+", name) for name in names)
    assert len(set(names)) == 9
    plain = [freshened(case, leaves, fresh, frozenset()).body["name"] for _ in range(9)]
    assert not all(re.fullmatch("[a-z0-9-]+", name) for name in plain)
