"""Models as JSON and back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from icepick.errors import Code, ModelError
from icepick.model import Model, from_json, to_json
from tests.model.examples import features, petstore, tournaments


@pytest.mark.parametrize(
    "model",
    [tournaments(2, 2, 2, limit=1), petstore(1, 2, 3), features(2, 1, 2)],
    ids=lambda m: m.name,
)
def test_a_model_comes_back_from_json(model: Model) -> None:
    assert from_json(json.loads(json.dumps(to_json(model)))) == model


@pytest.mark.parametrize(
    "broken",
    [
        {"is": "Cat"},
        {"is": "Resource", "name": "Pet"},
        {"is": "Comparator", "value": "~"},
        {"name": "Pet"},
        {"is": "Model", "resources": [{"is": "Nothing"}]},
    ],
)
def test_what_is_no_saved_model_is_refused(broken: dict[str, Any]) -> None:
    with pytest.raises(ModelError) as caught:
        from_json(broken)
    assert caught.value.code is Code.BROKEN_MODEL
