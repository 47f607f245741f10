from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from icepick.openapi import ApiSpec, read_spec
from icepick.resources.find import find_resources
from icepick.resources.types import ResourceMap
from tests.resources.documents import document

Find = Callable[..., ResourceMap]
Read = Callable[..., ApiSpec]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Reads a document that is written as `{"GET /pets": op(...)}` and schemas by name."""

    def reading(operations: Mapping[str, Any], **schemas: Any) -> ApiSpec:
        path = tmp_path / "openapi.json"
        path.write_text(json.dumps(document(operations, schemas)), encoding="utf-8")
        return read_spec(str(path))

    return reading


@pytest.fixture
def find(read: Read) -> Find:
    """Finds the resources of such a document."""
    return lambda operations, **schemas: find_resources(read(operations, **schemas))
