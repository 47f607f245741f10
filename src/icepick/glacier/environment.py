"""What a contract is evaluated against: one exchange, and what GETs answer around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from icepick.glacier.tree import Part
from icepick.openapi.types import ABSENT, Json, Schema


@dataclass(frozen=True, slots=True)
class Sent:
    """The request of this exchange: its parameters by name, and its body."""

    path: Mapping[str, Json] = field(default_factory=dict)
    query: Mapping[str, Json] = field(default_factory=dict)
    headers: Mapping[str, Json] = field(default_factory=dict)
    body: Json = ABSENT


@dataclass(frozen=True, slots=True)
class Answer:
    """A response."""

    status: int
    headers: Mapping[str, Json] = field(default_factory=dict)
    body: Json = ABSENT


class Environment(Protocol):
    """What the evaluator may ask. It never sends anything itself."""

    @property
    def sent(self) -> Sent:
        """The request of this exchange."""

    @property
    def answer(self) -> Answer | None:
        """The response of this exchange; None before the call."""

    @property
    def schemas(self) -> Mapping[str, Schema]:
        """The named schemas that others refer to."""

    def get(self, path: str) -> Answer | None:
        """What GET path answers now; None where it failed or is not known yet."""

    def get_before(self, path: str) -> Answer | None:
        """What GET path answered before the call; None where nobody asked."""

    def schema(self, part: Part, path: str | None) -> Schema | None:
        """The schema of a body of this exchange, or of GET path; None where there is none."""


@dataclass(frozen=True, slots=True)
class MemoryEnvironment:
    """An environment that knows all its answers; `otherwise` answers for every other path."""

    sent: Sent = field(default_factory=Sent)
    answer: Answer | None = None
    now: Mapping[str, Answer] = field(default_factory=dict)
    before: Mapping[str, Answer] = field(default_factory=dict)
    otherwise: Answer | None = None
    schemas: Mapping[str, Schema] = field(default_factory=dict)
    body_schemas: Mapping[tuple[Part, str | None], Schema] = field(default_factory=dict)

    def get(self, path: str) -> Answer | None:
        """What GET path answers now."""
        return self.now.get(path, self.otherwise)

    def get_before(self, path: str) -> Answer | None:
        """What GET path answered before the call."""
        return self.before.get(path, self.otherwise)

    def schema(self, part: Part, path: str | None) -> Schema | None:
        """The schema of a body."""
        return self.body_schemas.get((part, path))


class Around:
    """An environment that asks another one, for those that differ from it in a part."""

    def __init__(self, env: Environment) -> None:
        self._env = env

    @property
    def sent(self) -> Sent:
        """The request of this exchange."""
        return self._env.sent

    @property
    def answer(self) -> Answer | None:
        """The response of this exchange."""
        return self._env.answer

    @property
    def schemas(self) -> Mapping[str, Schema]:
        """The named schemas that others refer to."""
        return self._env.schemas

    def get(self, path: str) -> Answer | None:
        """What GET path answers now."""
        return self._env.get(path)

    def get_before(self, path: str) -> Answer | None:
        """What GET path answered before the call."""
        return self._env.get_before(path)

    def schema(self, part: Part, path: str | None) -> Schema | None:
        """The schema of a body."""
        return self._env.schema(part, path)
