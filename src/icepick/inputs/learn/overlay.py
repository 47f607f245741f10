"""What was learned as an OpenAPI Overlay, which a person can review and apply."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from icepick.inputs.case import Slot
from icepick.inputs.learn.clauses import requires
from icepick.inputs.learn.types import Learned
from icepick.inputs.types import Hint
from icepick.openapi.shape import properties, reference_name
from icepick.openapi.types import ApiSpec, Dialect, Json, Operation, Schema
from icepick.resources.fields import json_media
from icepick.resources.types import Location, Path

VERSION = "1.0.0"
_KEYWORDS = {
    "pattern": "pattern",
    "format": "format",
    "minimum": "minimum",
    "maximum": "maximum",
    "min_length": "minLength",
    "max_length": "maxLength",
}


def overlay(spec: ApiSpec, learned: Mapping[str, Learned]) -> dict[str, Json]:
    """The overlay that adds to a document what its operations were found to want.

    What schemas can say goes to the schemas, dependencies to a `requires` under `x-glacier`.
    """
    actions: list[Json] = []
    for operation in spec.operations:
        found = learned.get(operation.id)
        if found is not None:
            actions += _schemas(spec, operation, found)
            actions += _parameters(operation, found)
            actions += _contract(operation, found)
    return {
        "overlay": VERSION,
        "info": {"title": f"What {spec.title} was found to want", "version": VERSION},
        "actions": actions,
    }


def _schemas(spec: ApiSpec, operation: Operation, learned: Learned) -> Iterator[Json]:
    media = json_media(operation.request_body)
    if media is None or (spec.dialect is Dialect.SWAGGER_2_0 and not reference_name(media.schema)):
        return
    start = f"{_target(operation)}.requestBody.content[{_quoted(media.content_type)}].schema"
    for (location, path), hint in learned.hints.items():
        update = _keywords(hint)
        if location is not Location.BODY or not path:
            continue
        place, parent = _walk(spec, media.schema, path[:-1], start)
        if update:
            yield _action(f"{place}.properties[{_quoted(path[-1])}]", update, _why(learned, path))
        if hint.required and path[-1] not in parent.get("required", ()):
            yield _action(place, {"required": [path[-1]]}, _why(learned, path))


def _walk(spec: ApiSpec, schema: Schema, path: Path, start: str) -> tuple[str, Schema]:
    """Where the object stands that holds a field: at the schema's own name where it has one."""
    place = start
    for part in ("", *path):
        if part == "[]":
            schema, place = schema.get("items", {}), f"{place}.items"
        elif part:
            known = properties(schema, spec.schemas).get(part)
            schema = known.schema if known else {}
            place = f"{place}.properties[{_quoted(part)}]"
        name = reference_name(schema)
        if name is not None and name in spec.schemas:
            place = f"{_definitions(spec)}[{_quoted(name)}]"
            schema = spec.schemas[name]
    return place, schema


def _definitions(spec: ApiSpec) -> str:
    return "$.definitions" if spec.dialect is Dialect.SWAGGER_2_0 else "$.components.schemas"


def _parameters(operation: Operation, learned: Learned) -> Iterator[Json]:
    for (location, path), hint in learned.hints.items():
        if location is Location.BODY:
            continue
        named = f"@.name == {_quoted(path[0])} && @.in == {_quoted(location.value)}"
        place = f"{_target(operation)}.parameters[?({named})]"
        update = _keywords(hint)
        if update:
            yield _action(f"{place}.schema", update, _why(learned, path))
        if hint.required:
            yield _action(place, {"required": True}, _why(learned, path))


def _contract(operation: Operation, learned: Learned) -> Iterator[Json]:
    texts = [one.text for one in requires(learned)]
    if texts:
        update = {"x-glacier": {"requires": texts}}
        yield _action(_target(operation), update, "learned from what the service refused")


def _keywords(hint: Hint) -> dict[str, Json]:
    found: dict[str, Json] = {}
    if hint.allowed:
        found["enum"] = list(hint.allowed)
    for part, keyword in _KEYWORDS.items():
        value = getattr(hint, part)
        if value is not None and not hint.allowed:
            found[keyword] = value
    return found


def _target(operation: Operation) -> str:
    return f"$.paths[{_quoted(operation.path)}].{operation.method.lower()}"


def _action(target: str, update: Mapping[str, Any], description: str) -> dict[str, Json]:
    return {"target": target, "description": description, "update": dict(update)}


def _why(learned: Learned, path: Path) -> str:
    said = [one.message for one in learned.heard if any(_ends(slot, path) for slot in one.slots)]
    return f"the service said: {said[-1]}" if said else "learned from what the service refused"


def _ends(slot: Slot, path: Path) -> bool:
    return slot[1] == path


def _quoted(text: str) -> str:
    """A name in a JSONPath, in single quotes."""
    return (
        "'"
        + json.dumps(text, ensure_ascii=False)[1:-1].replace('\\"', '"').replace("'", "\\'")
        + "'"
    )
