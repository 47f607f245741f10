"""Services in miniature that carry out the calls of a plan, without any code of the explorer."""

from __future__ import annotations

from typing import Any

from icepick.model import Model
from icepick.sequences import Call, Kind, Sequence
from tests.properties.test_explore import Plain, State


class RefusedError(Exception):
    pass


class Tournaments:
    """The semantics of the papers' running example, written from its description."""

    def __init__(self) -> None:
        self.players: set[str] = set()
        self.tournaments: dict[str, int] = {}
        self.enrolments: dict[str, tuple[str, str]] = {}

    def call(self, call: Call) -> None:
        getattr(self, call.action or call.operation)(*call.arguments)

    def postPlayer(self, p: str) -> None:  # noqa: N802
        _need(p not in self.players)
        self.players.add(p)

    def deletePlayer(self, p: str) -> None:  # noqa: N802
        _need(p in self.players and all(p != q for q, _ in self.enrolments.values()))
        self.players.remove(p)

    def postTournament(self, t: str, capacity: str) -> None:  # noqa: N802
        _need(t not in self.tournaments)
        self.tournaments[t] = int(capacity)

    def deleteTournament(self, t: str) -> None:  # noqa: N802
        _need(t in self.tournaments and all(t != u for _, u in self.enrolments.values()))
        del self.tournaments[t]

    def postEnrolment(self, e: str, p: str, t: str) -> None:  # noqa: N802
        _need(e not in self.enrolments and p in self.players and t in self.tournaments)
        _need((p, t) not in self.enrolments.values())
        _need(sum(u == t for _, u in self.enrolments.values()) < self.tournaments[t])
        self.enrolments[e] = (p, t)

    def deleteEnrolment(self, e: str) -> None:  # noqa: N802
        _need(e in self.enrolments)
        del self.enrolments[e]

    def updatePlayer(self, p: str) -> None:  # noqa: N802
        _need(p in self.players)

    def updateTournament(self, t: str) -> None:  # noqa: N802
        _need(t in self.tournaments)

    def checkTournamentPlayer(self, p: str, t: str) -> None:  # noqa: N802
        _need((p, t) in self.enrolments.values())

    def checkPlayerTournament(self, t: str, p: str) -> None:  # noqa: N802
        self.checkTournamentPlayer(p, t)

    def snapshot(self) -> tuple[Any, ...]:
        return (
            frozenset(self.players),
            frozenset(self.tournaments.items()),
            frozenset(self.enrolments.items()),
        )


def _need(condition: bool) -> None:
    if not condition:
        raise RefusedError


def run(sequence: Sequence) -> list[tuple[Any, ...]]:
    """The states that the calls lead to; refusals must be refused, all others accepted."""
    service, seen = Tournaments(), []
    for step in sequence.steps:
        before = service.snapshot()
        try:
            service.call(step.call)
            refused = False
        except RefusedError:
            refused = True
        assert refused == (step.call.kind is Kind.REFUSAL), step.call.name
        if step.call.kind is not Kind.TRANSITION:
            assert service.snapshot() == before
        seen.append(service.snapshot())
    return seen


class Interpreter:
    """Carries out the actions of any model."""

    def __init__(self, model: Model) -> None:
        self.plain = Plain(model)
        self.known: dict[tuple[Any, ...], tuple[Any, dict[str, Any]]] = {}
        for action in model.actions:
            for env in self.plain.environments(action):
                shown = tuple(self._text(parameter, env) for parameter in action.parameters)
                self.known[action.name, shown] = (action, env)

    def _text(self, parameter: Any, env: dict[str, Any]) -> Any:
        value = env[parameter.name]
        if isinstance(value, tuple):
            resource = self.plain.model.resource(parameter.kind.resource)
            return tuple(resource.value_name(member) for member in value)
        return self.plain.text(parameter.kind.domain, value)

    def run(self, sequence: Sequence) -> list[str]:
        """The states that the calls lead to, as text."""
        state: State = {}
        seen = []
        for step in sequence.steps:
            action, env = self.known[step.call.action, step.call.arguments]
            target = self.plain.next(action, state, env)
            assert (target is None) == (step.call.kind is Kind.REFUSAL), step.call.name
            state = state if target is None else target
            seen.append(self.plain.shown(state))
        return seen
