"""Short ways to the values that the tests are about."""

from __future__ import annotations

from typing import Any

from icepick.errors import Place
from icepick.glacier import (
    Answer,
    Check,
    Clause,
    Environment,
    MemoryEnvironment,
    Outcome,
    Provenance,
    Sent,
    evaluate,
    parse_formula,
    prepare,
)


def clause(text: str) -> Clause:
    return Clause(parse_formula(text), text, Provenance.WRITTEN, Place("test"))


def check(text: str) -> Check:
    return prepare(clause(text))


def outcome(text: str, env: Environment) -> Outcome:
    return evaluate(check(text), env)


def value(text: str, env: Environment | None = None) -> str:
    return outcome(text, env or MemoryEnvironment()).value.value


def exchange(
    req: Any = None, res: Any = None, *, status: int = 200, **more: Any
) -> MemoryEnvironment:
    """An exchange of two bodies."""
    return MemoryEnvironment(Sent(body=req), Answer(status, body=res), **more)


def answers(**bodies: Any) -> dict[str, Answer]:
    """GET /name answers 200 with a body, by name."""
    return {f"/{name}": Answer(200, body=body) for name, body in bodies.items()}


class Counting:
    """An environment that keeps the order of what it was asked."""

    def __init__(self, env: MemoryEnvironment) -> None:
        self._env = env
        self.sent, self.answer, self.schemas = env.sent, env.answer, env.schemas
        self.asked: list[str] = []

    def get(self, path: str) -> Answer | None:
        self.asked.append(path)
        return self._env.get(path)

    def get_before(self, path: str) -> Answer | None:
        self.asked.append(f"before {path}")
        return self._env.get_before(path)

    def schema(self, part: Any, path: str | None) -> Any:
        return self._env.schema(part, path)
