"""What should exist: model values, and the real instances of this sequence behind them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from icepick.execute.binding.addresses import address_in
from icepick.inputs import path_text
from icepick.model.expressions import FieldOf, Term, Var
from icepick.openapi.places import holes
from icepick.openapi.types import ABSENT, Json, Operation
from icepick.resources.types import Path
from icepick.sequences.types import Argument


@dataclass(slots=True)
class Instance:
    """One incarnation of a model value.

    `address` are the path parameters that lead to it, `fields` its model fields by name: the
    values it refers to, and numbers. `sent` is the data it was last written with, `kept` the part
    of it that the service was seen to keep.
    """

    value: str
    resource: str
    identifier: Json
    address: Mapping[str, Json]
    fields: Mapping[str, str] = field(default_factory=dict)
    sent: Json = ABSENT
    kept: dict[Path, Json] = field(default_factory=dict)
    item_path: str | None = None

    def parameters(self, template: str) -> dict[str, Json]:
        """The parameters of a path that this instance fills."""
        return address_in(template, self.item_path, self.address)

    def path_to(self, operation: Operation) -> str | None:
        """The path of an operation on this instance; None where a part of it is not known."""
        found = self.parameters(operation.path)
        if any(name not in found for name in holes(operation.path)):
            return None
        return path_text(operation.path, operation.parameters, found)


class Emulator:
    """The instances of one sequence. A value that is created again is another incarnation."""

    def __init__(self) -> None:
        self._live: dict[str, Instance] = {}
        self._past: dict[str, list[Instance]] = {}

    def add(self, instance: Instance) -> None:
        """It exists from now on."""
        self._live[instance.value] = instance

    def find(self, value: str) -> Instance | None:
        """The living instance of a value."""
        return self._live.get(value)

    def delete(self, value: str) -> None:
        """It exists no more; what it was is remembered."""
        gone = self._live.pop(value, None)
        if gone is not None:
            self._past.setdefault(value, []).append(gone)

    def keep_only(self, values: Iterable[str]) -> None:
        """Forget every living instance but these: a deletion takes others with it."""
        wanted = set(values)
        for value in [one for one in self._live if one not in wanted]:
            self.delete(value)

    def behind(self, values: Iterable[str]) -> list[Instance]:
        """What these living instances refer to, and what that refers to, and so on."""
        waiting = [one for value in values if (one := self._live.get(value)) is not None]
        found: dict[str, Instance] = {}
        for one in waiting:
            for value in one.fields.values():
                target = self._live.get(value)
                if target is not None and value not in found:
                    found[value] = target
                    waiting.append(target)
        return list(found.values())

    def before(self, value: str) -> list[Instance]:
        """What refers to a value, what refers to that, and so on."""
        names, found = {value}, dict[str, Instance]()
        while True:
            more = {
                one.value: one
                for one in self._live.values()
                if one.value not in found and names & set(one.fields.values())
            }
            if not more:
                return list(found.values())
            found |= more
            names |= set(more)

    def live(self) -> list[Instance]:
        """What exists, oldest first."""
        return list(self._live.values())

    def past(self, value: str) -> Instance | None:
        """The last incarnation of a value that is gone; None where another one has its place now,
        since a call about it would be one about the other."""
        gone = self._past[value][-1] if value in self._past else None
        return None if gone is not None and self._is_taken(gone) else gone

    def _is_taken(self, gone: Instance) -> bool:
        """Whether what lives at the address of something that is gone is not that value."""
        return any(
            one.resource == gone.resource
            and one.value != gone.value
            and one.identifier == gone.identifier
            and one.address == gone.address
            for one in self._live.values()
        )

    def births(self, value: str) -> int:
        """How many incarnations of a value are gone."""
        return len(self._past.get(value, ()))

    def gone(self) -> list[Instance]:
        """The last incarnations of all values that are gone and were not created again."""
        return [one[-1] for value, one in self._past.items() if value not in self._live]


def value_of(term: Term, arguments: Mapping[str, Argument], emulator: Emulator) -> Argument | None:
    """The model value that a term stands for in this call; None where nothing tells."""
    match term:
        case Var(name=name):
            return arguments.get(name)
        case FieldOf(instance=inner, field=name):
            owner = value_of(inner, arguments, emulator)
            if not isinstance(owner, str):
                return None
            found = emulator.find(owner) or emulator.past(owner)
            return found.fields.get(name) if found is not None else None
    return None
