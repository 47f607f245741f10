"""A change of many that names one of the run's own."""

from __future__ import annotations

import json
from pathlib import Path

from icepick.execute.binding.choosing import chosen
from icepick.execute.binding.leaves import AllLeaves
from icepick.openapi import read_spec
from icepick.openapi.types import ABSENT
from icepick.resources.filters import can_choose
from icepick.resources.find import find_resources
from icepick.resources.types import Location
from tests.resources.documents import TEXT, crud, document, many, obj, op, ref

PET = obj(id=TEXT, name=TEXT)


def test_keys_in_the_body(tmp_path: Path) -> None:
    keyed = op(obj(keys=many(TEXT), data=ref("Pet")), many(ref("Pet")), query=["filter"])
    listed = op({"oneOf": [many(ref("Pet")), ref("Pet")]})
    operations = {**crud("/pets", "id", ref("Pet")), "PATCH /pets": keyed, "PUT /pets": listed}
    path = tmp_path / "openapi.json"
    path.write_text(json.dumps(document(operations, {"Pet": PET})), encoding="utf-8")
    spec = read_spec(str(path))
    pets = find_resources(spec).resources["Pet"]
    by_label = {one.label: one for one in spec.operations}
    leaves = AllLeaves(spec.schemas)
    assert chosen(by_label["PATCH /pets"], pets, {"id": "7"}, leaves) == {
        (Location.BODY, ("keys",)): ["7"],
        (Location.QUERY, ("filter",)): ABSENT,
    }
    assert can_choose(by_label["PATCH /pets"], pets)
    assert not can_choose(by_label["PUT /pets"], pets)
