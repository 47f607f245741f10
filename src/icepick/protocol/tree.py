"""The tree of a protocol: augmented session types as in section 3 of the COTS paper.

Spans are offsets into the text of the file and play no part in equality.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from icepick.glacier.tree import Formula
from icepick.openapi.types import Json

Span = tuple[int, int]
"""Where a node starts and ends in its text."""


@dataclass(frozen=True, slots=True)
class Node:
    """What all parts of a protocol have in common."""

    span: Span = field(default=(0, 0), compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Type(Node):
    """A data type by name, or a list of it."""

    name: str
    many: bool = False

    def __str__(self) -> str:
        return f"{self.name}[]" if self.many else self.name


@dataclass(frozen=True, slots=True)
class Named(Node):
    """A generator by name: a function of `gen.py`, or `fresh` or `any`."""

    name: str


@dataclass(frozen=True, slots=True)
class Literal(Node):
    """A JSON value that stands in the text, or ABSENT for what is to be left out."""

    value: Json


@dataclass(frozen=True, slots=True)
class Argument(Node):
    """A value that a call sends.

    With a type it is made here, by `made` or else by the generators of `inputs`, and bound to the
    variable; without one it is the value bound earlier; without a variable it is a literal.
    `place` says where it goes where names and types do not.
    """

    variable: str | None
    type: Type | None = None
    made: Named | Literal | None = None
    place: str | None = None


@dataclass(frozen=True, slots=True)
class Declared(Node):
    """A variable that a response binds; `place` says from where, if names and types do not."""

    variable: str
    type: Type
    place: str | None = None


@dataclass(frozen=True, slots=True)
class Clause(Node):
    """An assertion in GLACIER; bound variables stand for their values."""

    text: str
    formula: Formula = field(compare=False)


@dataclass(frozen=True, slots=True)
class Function(Node):
    """An assertion that a Python function decides, called with bound variables."""

    name: str
    arguments: tuple[str, ...] = ()


Assertion = Clause | Function


@dataclass(frozen=True, slots=True)
class Send(Node):
    """A branch of an internal choice: a call, and how the session goes on."""

    operation: str
    arguments: tuple[Argument, ...]
    then: Session
    weight: int | float = 1


@dataclass(frozen=True, slots=True)
class Receive(Node):
    """A branch of an external choice; `status` is a code ("201") or a class ("2XX")."""

    status: str
    variables: tuple[Declared, ...]
    assertions: tuple[Assertion, ...]
    then: Session


@dataclass(frozen=True, slots=True)
class Internal(Node):
    """The tester chooses; `abridged` where the text says that branches are left out."""

    branches: tuple[Send, ...]
    abridged: bool = False


@dataclass(frozen=True, slots=True)
class External(Node):
    """The service chooses."""

    branches: tuple[Receive, ...]


@dataclass(frozen=True, slots=True)
class Recursion(Node):
    """`rec X.S`; with a bound, X is `end` once the body has been gone through that often."""

    name: str
    body: Session
    bound: int | None = None


@dataclass(frozen=True, slots=True)
class Reference(Node):
    """A recursion variable in force, or else a definition."""

    name: str


@dataclass(frozen=True, slots=True)
class End(Node):
    """Nothing is left to do."""


Session = Internal | External | Recursion | Reference | End


@dataclass(frozen=True, slots=True)
class Definition(Node):
    """A named session; `source` is the file that it stands in."""

    name: str
    body: Session
    source: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Include(Node):
    """Another file whose definitions may be used."""

    path: str


@dataclass(frozen=True, slots=True)
class Text(Node):
    """One file as it was read."""

    includes: tuple[Include, ...]
    definitions: tuple[Definition, ...]


def following(session: Session) -> tuple[Session, ...]:
    """The sessions directly inside one."""
    match session:
        case Internal(branches=branches) | External(branches=branches):
            return tuple(branch.then for branch in branches)
        case Recursion(body=body):
            return (body,)
    return ()


def sessions(session: Session) -> Iterator[Session]:
    """A session and all inside it, outermost first."""
    waiting = [session]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(reversed(following(current)))
