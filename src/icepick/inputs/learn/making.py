"""Choices of strategies made into inputs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from random import Random

from icepick.inputs.case import Case, CaseMaker, Slot
from icepick.inputs.learn.repair import Draft, repair
from icepick.inputs.learn.space import UNIQUE, Input, Setting
from icepick.inputs.learn.types import Choice, Relation, Trial
from icepick.inputs.pool import Wanted, latest
from icepick.inputs.strategies import Drawer
from icepick.inputs.types import (
    Fixed,
    FromResponse,
    Hint,
    Made,
    NotMade,
    Null,
    Optionals,
    Options,
    Strategy,
    Why,
)
from icepick.openapi.shape import items
from icepick.openapi.types import ABSENT, Json, Operation
from icepick.resources.fields import json_media
from icepick.resources.types import Location, Path

_LEAST = Options(optionals=Optionals.NONE)
_EXAMPLES = 3
_TOGETHER = 0.8
_NEWEST = 0.5
"""How often the latest thing is taken; the first time always, as it may be made for this call."""


class TrialMaker:
    """Draws the values that a choice asks for and makes the call of them."""

    def __init__(self, operation: Operation, setting: Setting, rng: Random) -> None:
        self._operation = operation
        self._setting = setting
        self._rng = rng
        self._cases = CaseMaker(setting.generator, setting.schemas)
        self._drawer = Drawer(setting.generator, setting.responses)
        self._newest = 1.0
        self._forbidden: tuple[Slot, ...] = ()

    def leave_out(self, forbidden: Iterable[Slot]) -> None:
        """Make inputs without these, whatever the document says of them."""
        self._forbidden = tuple(forbidden)
        hints = {slot: Hint(required=False) for slot in self._forbidden}
        self._cases.learn(self._operation, hints)

    def trial(
        self, inputs: Mapping[Slot, Input], choice: Choice, relations: tuple[Relation, ...]
    ) -> Trial | None:
        """An input by these strategies, put right where relations ask for it."""
        chosen = {slot: choice.get(slot, Null()) for slot in inputs}
        together = self._together(inputs, chosen)

        def draw(slot: Slot, strategy: Strategy) -> Json:
            if isinstance(strategy, FromResponse) and slot in together:
                return together.pop(slot)
            return self._draw(inputs[slot], strategy)

        values = {slot: draw(slot, strategy) for slot, strategy in chosen.items()}
        draft = Draft(inputs, self._setting.given, chosen, values, draw)
        repair(draft, relations)
        self._newest = _NEWEST
        return self._case(draft)

    def examples(
        self, inputs: Mapping[Slot, Input], unique: Collection[Slot] = ()
    ) -> Iterator[Trial]:
        """The bodies that the document shows, with the rest of the call as it must be.

        None of them where a value must be new: examples are the same for everybody.
        """
        if any(slot[0] is Location.BODY for slot in unique):
            return
        media = json_media(self._operation.request_body)
        fixed = any(slot[0] is Location.BODY for slot in self._setting.given)
        for example in media.examples[:_EXAMPLES] if media is not None and not fixed else ():
            trial = self._example(inputs, example)
            if trial is not None:
                yield trial

    def nothing(self, inputs: Mapping[Slot, Input]) -> Trial | None:
        """A call with an empty list where a list is its body; None where it takes none."""
        media = json_media(self._operation.request_body)
        fixed = any(slot[0] is Location.BODY for slot in self._setting.given)
        if media is None or fixed or items(media.schema, self._setting.schemas) is None:
            return None
        if not self._setting.generator.fits(media.schema, []):
            return None
        return self._example(inputs, [])

    def _example(self, inputs: Mapping[Slot, Input], example: Json) -> Trial | None:
        values: dict[Slot, Json] = {}
        choice: dict[Slot, Strategy] = {}
        for slot, one in inputs.items():
            if slot[0] is Location.BODY:
                values[slot] = shown = _at(example, slot[1])
                choice[slot] = Null() if shown is ABSENT else Fixed(shown, Why.EXAMPLE)
            else:
                choice[slot] = one.best if one.required else Null()
                values[slot] = self._draw(one, choice[slot])
        outside = {slot: one for slot, one in values.items() if slot[0] is not Location.BODY}
        given = {**_sent(outside), **self._setting.given, (Location.BODY, ()): example}
        made = self._cases.make(self._operation, self._rng, _LEAST, given)
        return Trial(made, choice, values) if isinstance(made, Case) else None

    def _together(self, inputs: Mapping[Slot, Input], choice: Choice) -> dict[Slot, Json]:
        """Values of things that belong together, for the inputs that take such."""
        sure = self._setting.references
        wanted = {
            slot: Wanted(slot[1][-1], _sources(inputs[slot]), sure.get(slot, ()))
            for slot, strategy in choice.items()
            if isinstance(strategy, FromResponse)
        }
        if len(wanted) < 2 or (self._newest < 1 and self._rng.random() > _TOGETHER):
            return {}
        found = self._setting.responses.together(wanted, self._rng, self._newest)
        fits = self._setting.generator.fits
        return {
            slot: value for slot, value in found.items() if fits(inputs[slot].field.schema, value)
        }

    def _draw(self, one: Input, strategy: Strategy) -> Json:
        if strategy == UNIQUE:
            in_path = one.field.location is Location.PATH
            made = self._setting.fresh.value(one.field.schema, one.field.name, in_path=in_path)
        elif isinstance(strategy, FromResponse):
            values = self._setting.responses.values(strategy)
            return latest(values, self._rng, self._newest) if values else ABSENT
        else:
            drawn = self._drawer.draw(strategy, one.field, self._rng)
            if drawn is ABSENT:
                return ABSENT
            made = drawn
        return made.value if isinstance(made, Made) else ABSENT

    def _case(self, draft: Draft) -> Trial | None:
        given = {**_sent(draft.values), **self._setting.given}
        made = self._cases.make(self._operation, self._rng, _LEAST, given)
        if isinstance(made, NotMade):
            outside = {slot: value for slot, value in given.items() if "[]" not in slot[1]}
            made = self._cases.make(self._operation, self._rng, _LEAST, outside)
        if isinstance(made, NotMade):
            # What is left out may be needed after all: one of two, or some of many.
            said = {
                slot: value
                for slot, value in given.items()
                if value is not ABSENT or slot in self._forbidden
            }
            made = self._cases.make(self._operation, self._rng, _LEAST, said)
        if isinstance(made, NotMade):
            return None
        return Trial(made, dict(draft.choice), dict(draft.values))


def _sources(one: Input) -> tuple[FromResponse, ...]:
    return tuple(way for way in one.strategies if isinstance(way, FromResponse))


def _sent(values: Mapping[Slot, Json]) -> dict[Slot, Json]:
    """What is to be said of the call: not that a part of its path, or of no array, is absent."""
    return {slot: value for slot, value in values.items() if _is_told(slot, values)}


def _is_told(slot: Slot, values: Mapping[Slot, Json]) -> bool:
    if slot[0] is Location.PATH and values[slot] == "":
        # A path with an empty segment is another path.
        return False
    if values[slot] is not ABSENT:
        return True
    if slot[0] is Location.PATH or "[]" not in slot[1]:
        return slot[0] is not Location.PATH
    start = _element(slot[1])
    return slot[1] != start and any(
        other[1][: len(start)] == start and value is not ABSENT for other, value in values.items()
    )


def _element(path: Path) -> Path:
    last = len(path) - 1 - path[::-1].index("[]")
    return path[: last + 1]


def _at(value: Json, path: Path) -> Json:
    for part in path:
        if part == "[]" and isinstance(value, list) and value:
            value = value[0]
        elif isinstance(value, dict) and part in value:
            value = value[part]
        else:
            return ABSENT
    return value
