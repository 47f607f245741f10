"""Checks that need no document: names, guards, branches that are never reached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from icepick.errors import Code, Diagnostic, Severity
from icepick.protocol.load import Protocols
from icepick.protocol.tree import (
    Argument,
    Declared,
    Definition,
    External,
    Internal,
    Receive,
    Recursion,
    Reference,
    Session,
    following,
    sessions,
)


def check_shape(protocols: Protocols) -> Iterator[Diagnostic]:
    """What is wrong or odd in the definitions by themselves."""
    for definition in protocols.definitions.values():
        checker = _Checker(protocols, definition)
        yield from checker.names()
        yield from checker.guards()
        yield from checker.choices()


class _Checker:
    """Checks one definition."""

    def __init__(self, protocols: Protocols, definition: Definition) -> None:
        self._definitions = protocols.definitions
        self._definition = definition
        self._origin = protocols.origin(definition.name)

    def _found(
        self, code: Code, message: str, offset: int, hint: str, severity: Severity = Severity.ERROR
    ) -> Diagnostic:
        return self._origin.diagnostic(code, severity, message, offset, hint)

    def names(self) -> Iterator[Diagnostic]:
        """Names that nothing defines."""
        waiting: list[tuple[Session, frozenset[str]]] = [(self._definition.body, frozenset())]
        while waiting:
            session, bound = waiting.pop()
            if isinstance(session, Recursion):
                bound |= {session.name}
            if isinstance(session, Reference):
                known = [*sorted(bound), *self._definitions]
                if session.name not in known:
                    yield self._unknown(session, known)
            waiting += [(inner, bound) for inner in reversed(following(session))]

    def _unknown(self, reference: Reference, known: list[str]) -> Diagnostic:
        near = get_close_matches(reference.name, known, n=1, cutoff=0.5)
        hint = f"did you mean `{near[0]}`?" if near else "define it, or put `rec` around it"
        message = f"`{reference.name}` is neither a recursion variable nor a definition"
        return self._found(Code.UNKNOWN_DEFINITION, message, reference.span[0], hint)

    def guards(self) -> Iterator[Diagnostic]:
        """Recursions that come back to themselves without a call."""
        if self._comes_back(self._definition.body, self._definition.name):
            yield self._unguarded(self._definition.name, self._definition.span[0])
        for session in sessions(self._definition.body):
            if isinstance(session, Recursion) and _names_itself(session.body, session.name):
                yield self._unguarded(session.name, session.span[0])

    def _unguarded(self, name: str, offset: int) -> Diagnostic:
        message = f"`{name}` comes back to itself without a call"
        hint = f"put a call before it: rec {name}.( !call() . ?C200() . {name} )"
        return self._found(Code.UNGUARDED_RECURSION, message, offset, hint)

    def _comes_back(self, session: Session, name: str) -> bool:
        """Whether names alone lead from a definition to itself."""
        seen: set[str] = set()
        bound: set[str] = set()
        while True:
            if isinstance(session, Recursion):
                bound.add(session.name)
                session = session.body
                continue
            if not isinstance(session, Reference) or session.name in bound | seen:
                return False
            if session.name == name:
                return True
            seen.add(session.name)
            if session.name not in self._definitions:
                return False
            session, bound = self._definitions[session.name].body, set()

    def choices(self) -> Iterator[Diagnostic]:
        """Choices with branches that are left out or never taken, and names that stand twice."""
        for session in sessions(self._definition.body):
            if isinstance(session, Internal):
                yield from self._abridged(session)
                for send in session.branches:
                    yield from self._twice([a for a in send.arguments if a.type is not None])
            elif isinstance(session, External):
                yield from self._unreachable(session)
                for receive in session.branches:
                    yield from self._twice(receive.variables)

    def _abridged(self, choice: Internal) -> Iterator[Diagnostic]:
        if choice.abridged:
            message = "branches are left out here (`...`)"
            hint = "nothing tests them until they are written"
            yield self._found(Code.ABRIDGED, message, choice.span[0], hint, Severity.NOTE)

    def _unreachable(self, choice: External) -> Iterator[Diagnostic]:
        for index, branch in enumerate(choice.branches):
            before = [one for one in choice.branches[:index] if _takes_all(one, branch)]
            if before:
                message = f"?C{branch.status} is never reached here"
                hint = f"?C{before[0].status} before it takes every such response"
                yield self._found(Code.UNREACHABLE_BRANCH, message, branch.span[0], hint)

    def _twice(self, parts: Sequence[Argument | Declared]) -> Iterator[Diagnostic]:
        names = [part.variable for part in parts]
        for index, part in enumerate(parts):
            if part.variable in names[:index]:
                message = f"`{part.variable}` stands twice in one message"
                yield self._found(Code.SAID_TWICE, message, part.span[0], "rename one of them")


def _names_itself(session: Session, name: str) -> bool:
    while isinstance(session, Recursion):
        if session.name == name:
            return False
        session = session.body
    return isinstance(session, Reference) and session.name == name


def _takes_all(earlier: Receive, later: Receive) -> bool:
    """Whether an earlier branch leaves nothing for a later one.

    One with an assertion may fail, and one that binds variables may find them missing.
    """
    wider = earlier.status.endswith("XX") and earlier.status[0] == later.status[0]
    if earlier.assertions or (earlier.status != later.status and not wider):
        return False
    return not earlier.variables or earlier.variables == later.variables
