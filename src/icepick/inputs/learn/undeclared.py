"""Inputs that a service asks for though its document does not declare them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from icepick.inputs.learn.quoted import read
from icepick.inputs.learn.types import Complaint
from icepick.inputs.pool import identifiers_of
from icepick.inputs.types import FromResponse
from icepick.openapi.shape import Schemas, properties
from icepick.openapi.types import Json, Operation, Schema
from icepick.resources.fields import json_media
from icepick.resources.reference_fit import noun_of
from icepick.resources.types import Field, Location, ResourceMap
from icepick.resources.words import words

_NAME = re.compile(r"[A-Za-z_][\w-]{0,60}")
_QUOTED = re.compile(r"[\"'`\u201c]([A-Za-z_][\w-]{0,60})[\"'`\u201d]")
_TEXT: Schema = {"type": "string"}
_OBJECT: Schema = {"type": "object"}


@dataclass(frozen=True, slots=True)
class Beside:
    """What is known of fields that the body of a call does not declare, by their names: how the
    resource shows them, and where identifiers of what they are called after are found."""

    schemas: Mapping[str, Schema] = field(default_factory=dict)
    sources: Mapping[str, tuple[FromResponse, ...]] = field(default_factory=dict)
    declared: tuple[str, ...] = ()
    is_open: bool = False
    """Whether there is a body that may have such fields at all."""
    parts: tuple[str, ...] = ()
    """Objects inside of instances that were seen."""

    def field(self, name: str) -> Field | None:
        """The field of that name; None where there can be none."""
        if not self.is_open:
            return None
        usual = _OBJECT if name in self.parts else _TEXT
        return Field((name,), Location.BODY, self.schemas.get(name, usual), required=True)

    def showing(self, instance: Json) -> Beside:
        """The same, an instance like those that are to be made having been seen."""
        if not self.is_open or not isinstance(instance, Mapping):
            return self
        known = (*self.declared, *self.schemas)
        inside = (name for name, value in instance.items() if isinstance(value, Mapping))
        return replace(self, parts=tuple(name for name in inside if name not in known))


def beside_of(operation: Operation, resources: ResourceMap, schemas: Schemas) -> Beside:
    """What is known of fields that an operation does not declare."""
    media = json_media(operation.request_body)
    if media is None or operation.is_safe:
        return Beside()
    declared = properties(media.schema, schemas)
    found: dict[str, Schema] = {}
    for resource, _ in resources.uses_of(operation.id):
        for name, one in properties(resource.schema, schemas).items():
            if name not in declared and not one.read_only:
                found.setdefault(name, one.schema)
    return Beside(found, _sources(resources), tuple(declared), is_open=True)


def _sources(resources: ResourceMap) -> dict[str, tuple[FromResponse, ...]]:
    return {
        "_".join(noun_of(one)): identifiers_of(one)
        for one in resources.resources.values()
        if one.identifier is not None
    }


def missing(complaint: Complaint) -> str | None:
    """The name of the one field that a sentence says is missing."""
    if not read(complaint.text).hint.required:
        return None
    named = list(complaint.names) or _QUOTED.findall(complaint.text)
    name = named[0] if len(named) == 1 else ""
    return name if _NAME.fullmatch(name) else None


def sources_for(name: str, beside: Beside) -> tuple[FromResponse, ...]:
    """Where values of a field are found that is called after a resource, or after its id."""
    called = words(name)
    bare = called[:-1] if called[-1:] in (("id",), ("key",)) else called
    return beside.sources.get("_".join(bare), ())
