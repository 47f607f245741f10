"""The documents and examples that the tests of protocols read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from icepick.openapi import read_spec
from icepick.openapi.types import ApiSpec

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "protocols"

EXAMPLE_DOCUMENTS = {
    "sockshop": EXAMPLES / "sockshop.openapi.yaml",
    "features": ROOT / "src/icepick/demo/features/openapi.yaml",
    "checkout": ROOT / "src/icepick/demo/shop/openapi.yaml",
    "shop": ROOT / "src/icepick/demo/shop/openapi.yaml",
    "petstore": ROOT / "src/icepick/demo/petstore/openapi.yaml",
}


@cache
def spec_of(path: Path) -> ApiSpec:
    """A document, read once."""
    return read_spec(str(path))


def demo(name: str) -> ApiSpec:
    """The document of a demo service."""
    return spec_of(ROOT / f"src/icepick/demo/{name}/openapi.yaml")


def document(content: Mapping[str, Any]) -> ApiSpec:
    """A document written out in a test."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "openapi.json"
        file.write_text(json.dumps(content), encoding="utf-8")
        return read_spec(str(file))
