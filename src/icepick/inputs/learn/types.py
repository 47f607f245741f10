"""What is learned of an operation, and what it is learned from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from icepick.inputs.case import Case, Slot, SlotHints
from icepick.inputs.types import Strategy
from icepick.openapi.types import ABSENT, Json, Schema

Choice = Mapping[Slot, Strategy]
"""An abstract input: the strategy that each leaf uses."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One input, with the strategy and the value that each leaf got; ABSENT where left out."""

    case: Case
    choice: Choice
    values: Mapping[Slot, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing that an answer finds fault with, and the names of the inputs it is said of."""

    text: str
    names: tuple[str, ...] = ()
    code: str = ""


class Kind(StrEnum):
    """How inputs depend on one another."""

    REQUIRES = "requires"
    ONLY_IF = "only if"
    NOT_WITH = "not with"
    BEFORE = "before"
    AFTER = "after"
    EQUAL = "equal"
    DIFFERENT = "different"
    ONE_OF = "one of"


@dataclass(frozen=True, slots=True)
class Relation:
    """A dependency of one input on others.

    REQUIRES: it is needed where the other is there, or has the value. ONLY_IF: it must not be
    there otherwise. NOT_WITH: it must not be there then. ONE_OF: it or one of the others.
    """

    kind: Kind
    slot: Slot
    others: tuple[Slot, ...]
    value: Json = ABSENT


@dataclass(frozen=True, slots=True)
class Invalid:
    """A combination of strategies that brings about an error: in `hits` of its `uses`."""

    fragment: str
    choice: tuple[tuple[Slot, Strategy], ...]
    hits: int
    uses: int

    @property
    def suspicion(self) -> float:
        """N_CE / N_C of the paper."""
        return self.hits / self.uses if self.uses else 0.0


@dataclass(frozen=True, slots=True)
class Blocked:
    """What stood in the way to the end: the fragment, the inputs it is about, the last message."""

    status: int
    fragment: str
    slots: tuple[Slot, ...]
    message: str


@dataclass(frozen=True, slots=True)
class Heard:
    """The sentence that something was learned from."""

    slots: tuple[Slot, ...]
    message: str


@dataclass(frozen=True, slots=True)
class Learned:
    """What answers told of the inputs of an operation beyond its document.

    `unique` are inputs that need a value never used before, `existing` those that must name
    something that is there, `forbidden` those that must never be sent, `undeclared` those that the
    document does not have; `worked` has the values of inputs that were taken, `taken` how the last
    of them came about. `picky` are inputs that took values seen elsewhere and never one that was
    made up, with those that they took; `free` took one that was made up, `vain` says how often
    others did not.
    """

    operation: str
    hints: SlotHints = field(default_factory=dict)
    relations: tuple[Relation, ...] = ()
    unique: tuple[Slot, ...] = ()
    existing: tuple[Slot, ...] = ()
    forbidden: tuple[Slot, ...] = ()
    undeclared: Mapping[Slot, Schema] = field(default_factory=dict)
    examples: Mapping[Slot, tuple[Json, ...]] = field(default_factory=dict)
    invalid: tuple[Invalid, ...] = ()
    worked: Mapping[Slot, tuple[Json, ...]] = field(default_factory=dict)
    picky: Mapping[Slot, tuple[Json, ...]] = field(default_factory=dict)
    taken: Choice = field(default_factory=dict)
    free: tuple[Slot, ...] = ()
    vain: Mapping[Slot, int] = field(default_factory=dict)
    blocked: Blocked | None = None
    heard: tuple[Heard, ...] = ()
    calls: int = 0
    successes: int = 0


def added(old: Learned | None, new: Learned) -> Learned:
    """What is known after more calls: what was heard is in the new already, counts add up."""
    if old is None:
        return new
    return replace(
        new,
        calls=old.calls + new.calls,
        successes=old.successes + new.successes,
        worked=new.worked or old.worked,
        taken=new.taken or old.taken,
        invalid=new.invalid or old.invalid,
    )
