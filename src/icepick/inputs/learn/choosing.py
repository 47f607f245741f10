"""Which strategy each input uses: those that are not known to fail, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from icepick.inputs.case import Slot
from icepick.inputs.learn.combine import Combination, cover
from icepick.inputs.learn.diary import Diary
from icepick.inputs.learn.knowledge import Knowledge
from icepick.inputs.learn.space import Input
from icepick.inputs.learn.types import Invalid
from icepick.inputs.types import FromResponse, Null, Strategy

_WIDTH = 8
_FACTORS = 40
_BETTER = 4
_SEEN = 0.8
"""How often a value that was seen elsewhere is tried where those made up are of no use."""

_BEST = 0.7
"""How often the best strategy is taken rather than one of the better ones."""


class Choosing:
    """Chooses strategies by what is known of the inputs and by how calls ended so far."""

    def __init__(self, known: Knowledge, diary: Diary, rng: Random) -> None:
        self._known = known
        self._diary = diary
        self._rng = rng

    def minimal(self, inputs: Mapping[Slot, Input], *, best: bool) -> dict[Slot, Strategy]:
        """Everything that is needed, each in the most promising way, and nothing else."""
        return {
            slot: self.usable(one, best=best) if one.required else Null()
            for slot, one in inputs.items()
        }

    def usable(self, one: Input, *, best: bool) -> Strategy:
        """The best strategy that is not known to fail; unless the `best` is asked for, any of the
        better ones now and then."""
        ways = [way for way in self._ways(one) if not isinstance(way, Null)]
        if not ways:
            return one.best
        if self._diary.in_vain(one.slot) and one.slot not in self._known.picky:
            seen = [way for way in ways if isinstance(way, FromResponse)]
            exact = [way for way in seen if way.field == one.slot[1][-1]]
            if exact and self._rng.random() < _SEEN:
                return self._rng.choice(exact)
        if best or self._rng.random() < _BEST:
            return ways[0]
        return self._rng.choice(ways[:_BETTER])

    def any(self, one: Input) -> Strategy:
        """A strategy that gives a value, whichever it is."""
        ways = [way for way in self._ways(one) if not isinstance(way, Null)]
        return self._rng.choice(ways) if ways else one.best

    def covering(
        self, inputs: Mapping[Slot, Input], strength: int
    ) -> Iterator[dict[Slot, Strategy]]:
        """The rows of a covering array of the strategies, without those that are known to fail."""
        varied = self._varied(inputs, strength)
        ways = [self._ways(one) for one in varied]
        excluded = list(self._excluded(varied, ways))
        for row in cover([len(some) for some in ways], strength, self._rng, excluded):
            chosen = {one.slot: some[at] for one, some, at in zip(varied, ways, row, strict=True)}
            if not self._is_invalid(chosen):
                yield chosen

    def _varied(self, inputs: Mapping[Slot, Input], strength: int) -> list[Input]:
        found = [one for one in inputs.values() if len(self._ways(one)) > 1]
        return found[:_FACTORS] if strength == 2 else found

    def _ways(self, one: Input) -> list[Strategy]:
        """The strategies of an input that are not invalid by themselves; few where many."""
        bad = self._alone()
        kept = [way for way in one.strategies if (one.slot, str(way)) not in bad]
        kept = kept or list(one.strategies)
        nothing = [way for way in kept if isinstance(way, Null)]
        return [*nothing, *[way for way in kept if not isinstance(way, Null)]][:_WIDTH]

    def _alone(self) -> set[tuple[Slot, str]]:
        return {
            (one.choice[0][0], str(one.choice[0][1]))
            for one in self._diary.invalid()
            if len(one.choice) == 1
        }

    def _excluded(self, inputs: list[Input], ways: list[list[Strategy]]) -> Iterator[Combination]:
        places = {one.slot: index for index, one in enumerate(inputs)}
        for one in self._diary.invalid():
            found = _placed(one, places, ways)
            if len(one.choice) > 1 and found is not None:
                yield found

    def _is_invalid(self, choice: Mapping[Slot, Strategy]) -> bool:
        return any(
            len(one.choice) > 1
            and all(str(choice.get(slot)) == str(way) for slot, way in one.choice)
            for one in self._diary.invalid()
        )


def _placed(
    one: Invalid, places: Mapping[Slot, int], ways: list[list[Strategy]]
) -> Combination | None:
    found = {}
    for slot, strategy in one.choice:
        shown = [str(way) for way in ways[places[slot]]] if slot in places else []
        if str(strategy) not in shown:
            return None
        found[places[slot]] = shown.index(str(strategy))
    return found
