"""Resources, how they are identified and refer to one another, and what operations do to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from icepick.openapi.types import Schema

Path = tuple[str, ...]
"""The way to a value inside a body: property names from the outside in."""


class Provenance(StrEnum):
    """Where a fact comes from."""

    WRITTEN = "written"
    DECLARED = "declared"
    INFERRED = "inferred"
    LEARNED = "learned"


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why something is believed, and how strongly: 1 is certain."""

    provenance: Provenance
    confidence: float
    reason: str


class Role(StrEnum):
    """What an operation does to a resource."""

    CREATE = "create"
    CREATE_MANY = "create many"
    LIST = "list"
    SEARCH = "search"
    READ = "read"
    REPLACE = "replace"
    UPDATE = "update"
    UPDATE_MANY = "update many"  # every instance that a filter lets through
    DELETE = "delete"
    DELETE_MANY = "delete many"
    ACTION = "action"
    MEMBERS = "members"  # the instances of one resource that belong to an instance of another
    MEMBER = "member"  # whether one instance belongs to another
    FIELD = "field"  # one property of an item under a path of its own
    VIEW = "view"  # any other way to look at it


CHANGING = frozenset(
    {
        Role.CREATE,
        Role.CREATE_MANY,
        Role.REPLACE,
        Role.UPDATE,
        Role.UPDATE_MANY,
        Role.DELETE,
        Role.DELETE_MANY,
        Role.ACTION,
    }
)
"""The roles that change what a service keeps."""


class Chooser(StrEnum):
    """Who makes an identifier."""

    CLIENT = "client"
    SERVER = "server"
    EITHER = "either"


class Location(StrEnum):
    """Where an input of an operation travels."""

    PATH = "path"
    QUERY = "query"
    HEADER = "header"
    COOKIE = "cookie"
    BODY = "body"


@dataclass(frozen=True, slots=True)
class Field:
    """A value that an operation takes or gives; `path` has one part outside a body.

    An element of an array is reached through the part `[]`.
    """

    path: Path
    location: Location
    schema: Schema
    required: bool = False
    read_only: bool = False
    shows: tuple[str, ...] = ()
    """The schemas of what may stand in its place, where it is the identifier of something."""

    @property
    def name(self) -> str:
        """Its own name: the last part that is one."""
        return next((part for part in reversed(self.path) if part != "[]"), "")

    @property
    def is_many(self) -> bool:
        """Whether it is an element of an array rather than one value."""
        return "[]" in self.path

    def __str__(self) -> str:
        return ".".join(self.path).replace(".[]", "[]")


@dataclass(frozen=True, slots=True)
class Payload:
    """Where the representation of a resource stands inside a body, and whether it is a list."""

    path: Path
    schema: Schema
    many: bool

    def inner(self, path: Path) -> Path:
        """A path of the whole body as one inside the representation, or as it is if outside."""
        start = (*self.path, "[]") if self.many else self.path
        return path[len(start) :] if path[: len(start)] == start else path


@dataclass(frozen=True, slots=True)
class Use:
    """An operation in its role for a resource.

    A sub-collection has an `owner`; `creates` also marks a PUT that makes what is not there.
    """

    operation: str
    role: Role
    evidence: Evidence
    request: Payload | None = None
    response: Payload | None = None
    owner: str | None = None
    creates: bool = False
    keys: Path | None = None
    """Where a body lists the identifiers of the instances that it is about."""


@dataclass(frozen=True, slots=True)
class Identifier:
    """How instances are told apart.

    `parameter` stands in the item path, `property` in the representation (unknown where None),
    `input` is where creation takes it when the client chooses.
    """

    parameter: str
    schema: Schema
    property: Path | None
    chooser: Chooser
    input: Field | None
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Reference:
    """A field of one resource that holds the identifier of another.

    `writable` is false for what the service derives, such as the list of a tournament's players.
    """

    resource: str
    field: Field
    target: str
    writable: bool
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Resource:
    """A kind of thing that the service keeps.

    `item_path` addresses one instance; it has no identifier where there is but one (a singleton).
    Without it, instances can be created or listed, but not addressed.
    """

    name: str
    collection_path: str | None
    item_path: str | None
    identifier: Identifier | None
    parent: str | None
    schema: Schema
    schema_name: str | None
    uses: tuple[Use, ...]
    references: tuple[Reference, ...] = ()
    joins: tuple[str, ...] = ()
    """The resources that this one associates, where it does."""

    @property
    def is_singleton(self) -> bool:
        """Whether there is but one, so that it needs no identifier."""
        return self.item_path is not None and self.identifier is None

    @property
    def is_keyed(self) -> bool:
        """Whether several values together address one: `/authorships/author/{a}/book/{b}`."""
        above = (self.collection_path or "").count("{")
        below = (self.item_path or "").count("{")
        return self.collection_path is not None and below - above > 1

    def having(self, *roles: Role) -> tuple[Use, ...]:
        """Its uses in these roles."""
        return tuple(use for use in self.uses if use.role in roles)


@dataclass(frozen=True)
class ResourceMap:
    """All resources of an API by name, and the operations that belong to none of them."""

    resources: Mapping[str, Resource]
    standalone: tuple[str, ...]

    @cached_property
    def _uses(self) -> dict[str, tuple[tuple[Resource, Use], ...]]:
        found: dict[str, list[tuple[Resource, Use]]] = {}
        for resource in self.resources.values():
            for use in resource.uses:
                found.setdefault(use.operation, []).append((resource, use))
        return {operation: tuple(uses) for operation, uses in found.items()}

    def uses_of(self, operation: str) -> tuple[tuple[Resource, Use], ...]:
        """The resources that an operation deals with, and how."""
        return self._uses.get(operation, ())
