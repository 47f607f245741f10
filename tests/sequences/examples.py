"""The documents in examples/, explored with bounds."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from icepick.explore import Exploration, explore
from icepick.model import Model
from icepick.openapi import read_spec
from icepick.pipeline.models import Described, describe, models

EXAMPLES = Path(__file__).parents[2] / "examples"


@cache
def api(name: str) -> Described:
    return describe(read_spec(str(EXAMPLES / f"{name}.yaml")))


def model(name: str, **bounds: int) -> Model:
    (derivation,) = models(api(name), bounds)
    return derivation.model


def tournaments(size: int, *, symmetry: bool = False) -> Exploration:
    sizes = {"Player": size, "Tournament": size, "Enrolment": size}
    return explore(model("tournaments", **sizes), symmetry=symmetry)


def petstore(size: int, *, symmetry: bool = False) -> Exploration:
    return explore(model("petstore", User=size, Pet=size, Order=size), symmetry=symmetry)
