"""What the document says of the bodies and parameters that clauses read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from icepick.glacier.contracts import Role
from icepick.glacier.static.kinds import either, kinds
from icepick.glacier.static.routes import Routes
from icepick.openapi.places import blank, holes
from icepick.openapi.shape import Schemas
from icepick.openapi.types import (
    ApiSpec,
    Operation,
    Parameter,
    ParameterLocation,
    Response,
    Schema,
    SecurityKind,
)
from icepick.resources.fields import json_media


@dataclass(frozen=True, slots=True)
class Api:
    """A document made ready for questions."""

    spec: ApiSpec
    routes: Routes

    @property
    def schemas(self) -> Schemas:
        """The named schemas."""
        return self.spec.schemas

    def query_of(self, operation: Operation) -> tuple[frozenset[str], bool]:
        """The names that the query of an operation may use, and whether others may be used too."""
        parameters = operation.parameters_in(ParameterLocation.QUERY)
        keys = [
            scheme.parameter
            for scheme in self.spec.security_schemes.values()
            if scheme.kind is SecurityKind.API_KEY and scheme.location is ParameterLocation.QUERY
        ]
        free = any(p.explode and self._is_object(p.schema) for p in parameters)
        return frozenset([*(p.name for p in parameters), *(key for key in keys if key)]), free

    def _is_object(self, schema: Schema) -> bool:
        return kinds(schema, self.schemas) == {"object"}


@dataclass(frozen=True, slots=True)
class Setting:
    """What surrounds a clause: its role, and the operation where there is one.

    `path` are the path parameters by the names that clauses may use; `is_known` is false where
    the document does not have the operation, so that nothing can be said of its parts.
    """

    role: Role
    operation: Operation | None = None
    path: Mapping[str, Parameter] = field(default_factory=dict)
    is_known: bool = True


def setting_of(role: Role, label: str, operation: Operation | None) -> Setting:
    """The setting of a clause; the label may name the path parameters in its own way."""
    if operation is None:
        return Setting(role, is_known=False)
    declared = {p.name: p for p in operation.parameters_in(ParameterLocation.PATH)}
    own = holes(operation.path)
    renamed = zip(holes(label), own, strict=True)
    aliases = {alias: declared[name] for alias, name in renamed if name in declared}
    return Setting(role, operation, {**declared, **aliases})


def answer_schema(operation: Operation, *, every: bool = False) -> Schema | None:
    """The schema of an answer of success, or of `every` answer; None where none has a body."""
    found = operation.responses.values() if every else successes(operation)
    media = [json_media(response) for response in found]
    bodies = [body.schema for body in media if body is not None]
    return either(bodies) if bodies else None


def successes(operation: Operation) -> list[Response]:
    """The declared answers of success, or the one for everything."""
    good = [r for status, r in operation.responses.items() if status.startswith("2")]
    rest = operation.responses.get("default")
    return good or ([rest] if rest is not None else [])


def without_hole_names(label: str) -> str:
    """A label in which the names of path parameters do not count."""
    return blank(label)


def parameter_named(parameters: Iterable[Parameter], name: str) -> Parameter | None:
    """The parameter of that name."""
    return next((p for p in parameters if p.name == name), None)
