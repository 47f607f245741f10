"""What an Arazzo 1.0 description looks like, as far as flows of calls go."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jsonschema_rs

from icepick.openapi.source import pointer
from icepick.openapi.types import Json

VERSION = "1.0.1"
TYPE_KEY = "x-icepick-type"
GENERATOR_KEY = "x-icepick-generator"
ASSERTIONS_KEY = "x-icepick-assertions"
"""Extensions, which the specification allows everywhere, for what Arazzo cannot say."""

_TEXT = {"type": "string"}
_NAME = {"type": "string", "pattern": "^[A-Za-z0-9_\\-]+$"}
_OUTPUTS = {
    "type": "object",
    "propertyNames": {"pattern": "^[a-zA-Z0-9.\\-_]+$"},
    "additionalProperties": _TEXT,
}


def _object(required: list[str], properties: dict[str, Any]) -> dict[str, Any]:
    """An object with these properties, and with extensions."""
    return {
        "type": "object",
        "required": required,
        "properties": properties,
        "patternProperties": {"^x-": {}},
        "additionalProperties": False,
    }


def _listed(of: dict[str, Any], least: int = 0) -> dict[str, Any]:
    return {"type": "array", "minItems": least, "items": of}


_CRITERION = _object(["condition"], {"context": _TEXT, "condition": _TEXT, "type": {}})
_PARAMETER = {
    "oneOf": [
        _object(
            ["name", "value"],
            {"name": _TEXT, "in": {"enum": ["path", "query", "header", "cookie"]}, "value": {}},
        ),
        _object(["reference"], {"reference": _TEXT, "value": {}}),
    ]
}
_REPLACEMENT = _object(["target", "value"], {"target": _TEXT, "value": {}})
_STEP = _object(
    ["stepId"],
    {
        "stepId": _NAME,
        "description": _TEXT,
        "operationId": _TEXT,
        "operationPath": _TEXT,
        "workflowId": _TEXT,
        "parameters": _listed(_PARAMETER),
        "requestBody": _object(
            [], {"contentType": _TEXT, "payload": {}, "replacements": _listed(_REPLACEMENT)}
        ),
        "successCriteria": _listed(_CRITERION, 1),
        "onSuccess": _listed({"type": "object"}),
        "onFailure": _listed({"type": "object"}),
        "outputs": _OUTPUTS,
    },
) | {"oneOf": [{"required": [key]} for key in ("operationId", "operationPath", "workflowId")]}
_WORKFLOW = _object(
    ["workflowId", "steps"],
    {
        "workflowId": _NAME,
        "summary": _TEXT,
        "description": _TEXT,
        "inputs": {"type": ["object", "boolean"]},
        "dependsOn": _listed(_TEXT),
        "steps": _listed(_STEP, 1),
        "successActions": _listed({"type": "object"}),
        "failureActions": _listed({"type": "object"}),
        "outputs": _OUTPUTS,
        "parameters": _listed(_PARAMETER),
    },
)
_SOURCE = _object(
    ["name", "url"], {"name": _NAME, "url": _TEXT, "type": {"enum": ["openapi", "arazzo"]}}
)
_INFO = _object(
    ["title", "version"],
    {"title": _TEXT, "summary": _TEXT, "description": _TEXT, "version": _TEXT},
)
_DESCRIPTION = _object(
    ["arazzo", "info", "sourceDescriptions", "workflows"],
    {
        "arazzo": {"type": "string", "pattern": "^1\\.0\\.[0-9]+(-.+)?$"},
        "info": _INFO,
        "sourceDescriptions": _listed(_SOURCE, 1),
        "workflows": _listed(_WORKFLOW, 1),
        "components": {"type": "object"},
    },
)


def problems(content: Json) -> Iterator[tuple[str, str]]:
    """Where and why a value is no Arazzo 1.0 description."""
    validator = jsonschema_rs.Draft202012Validator(_DESCRIPTION)
    for error in validator.iter_errors(content):
        yield pointer([str(part) for part in error.instance_path]), error.message
    if isinstance(content, dict):
        yield from _repeated(content)


def _repeated(content: dict[str, Json]) -> Iterator[tuple[str, str]]:
    """Names that must be unique and are not."""
    workflows = _objects(content.get("workflows"))
    yield from _twice([one.get("workflowId") for one in workflows], "/workflows")
    for index, workflow in enumerate(workflows):
        steps = [one.get("stepId") for one in _objects(workflow.get("steps"))]
        yield from _twice(steps, f"/workflows/{index}/steps")


def _objects(value: Json) -> list[dict[str, Json]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _twice(names: list[Json], where: str) -> Iterator[tuple[str, str]]:
    for index, name in enumerate(names):
        if name in names[:index]:
            yield where, f"{name!r} stands twice"
