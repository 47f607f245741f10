"""Small documents, and learners of their operations."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from icepick.inputs import Fresh, Generator, Responses
from icepick.inputs.case import Case, Slot
from icepick.inputs.learn import Effort, OperationLearner, Setting
from icepick.openapi import ApiSpec, check_spec
from icepick.resources.types import Location

Answer = tuple[int, Any, str]
JSON = "application/json"


def spec_of(document: dict[str, Any], folder: Path) -> ApiSpec:
    path = folder / "openapi.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return check_spec(str(path))


def posting(
    properties: dict[str, Any], folder: Path, required: tuple[str, ...] = (), **more: Any
) -> ApiSpec:
    """A document with POST /things, whose body is an object."""
    schema = {"type": "object", "required": list(required), "properties": properties}
    body = {"required": True, "content": {JSON: {"schema": schema}}}
    operation = {
        "operationId": "createThing",
        "requestBody": body,
        "responses": {"201": {"description": "made"}},
        **more,
    }
    return spec_of(
        {
            "openapi": "3.1.0",
            "info": {"title": "Things", "version": "1"},
            "paths": {"/things": {"post": operation}},
        },
        folder,
    )


def setting_of(spec: ApiSpec, seed: int = 1, **more: Any) -> Setting:
    generator = Generator(spec.schemas)
    return Setting(spec.schemas, generator, Fresh(generator, Random(seed)), Responses(), **more)


def learner_of(
    spec: ApiSpec, operation: str = "createThing", seed: int = 1, calls: int = 100, wanted: int = 1
) -> OperationLearner:
    setting = setting_of(spec, seed)
    effort = Effort(calls, wanted)
    return OperationLearner(spec.operation(operation), setting, Random(seed), effort)


def drive(learner: OperationLearner, service: Callable[[Case], Answer]) -> list[Case]:
    """Let a service answer until the learner has enough; what was sent."""
    sent = []
    while (trial := learner.next()) is not None:
        sent.append(trial.case)
        learner.observe(trial, *service(trial.case))
    return sent


def body(*path: str) -> Slot:
    return Location.BODY, path


def refusal(message: str, status: int = 400) -> Answer:
    return status, {"message": message}, JSON


TAKEN: Answer = (201, {"id": 1}, JSON)
