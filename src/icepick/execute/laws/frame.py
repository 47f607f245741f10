"""What was written reads back, and what a call does not touch stays as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from enum import StrEnum

from icepick.execute.answers import at, fields_of
from icepick.execute.binding.emulator import Instance
from icepick.execute.laws.echo import Echo, Habit, is_completed, same
from icepick.execute.laws.shelves import Shelves, Sight
from icepick.execute.reads import Reads
from icepick.execute.types import Complaint, Exchange, Provenance, Verdict
from icepick.glacier import Answer
from icepick.openapi.shape import Schemas, keyword
from icepick.openapi.types import ABSENT, Json, Operation
from icepick.resources.fields import leaves
from icepick.resources.types import Path, ResourceMap, Role, Use

READ_BACK = "read-back"
FRAME = "frame"
_SECRET = ("password", "secret", "token", "pin")


class Frame(StrEnum):
    """When untouched instances are looked at."""

    OFF = "off"
    END = "end"
    EACH = "each"


class Looking:
    """Looks at instances through the operations that read one, or else that list it."""

    def __init__(
        self,
        resources: ResourceMap,
        operations: Mapping[str, Operation],
        schemas: Schemas | None = None,
    ) -> None:
        self._shelves = Shelves(resources, operations)
        self._outgoing = set(_outgoing(resources, schemas or {}))
        self._readers: dict[str, tuple[Operation, Use]] = {}
        for resource in resources.resources.values():
            for use in resource.having(Role.READ):
                self._readers.setdefault(resource.name, (operations[use.operation], use))

    def path(self, instance: Instance) -> str | None:
        """Where an instance is read; None where that cannot be done."""
        found = self._readers.get(instance.resource)
        return instance.path_to(found[0]) if found is not None else None

    def is_outgoing(self, instance: Instance, place: Path) -> bool:
        """Whether the document says that a field is on its way out: what is written to it may be
        kept under another name."""
        return (instance.resource, place) in self._outgoing

    def operation(self, instance: Instance) -> str | None:
        """The operation that reads it."""
        found = self._readers.get(instance.resource)
        return found[0].id if found is not None else None

    async def sight(
        self, reads: Reads, instance: Instance, *, written: bool = False
    ) -> Sight | None:
        """What is seen of an instance now; None where nothing can be said."""
        path = self.path(instance)
        if path is None:
            return await self._shelves.sight(reads, instance, written=written)
        answer = await reads.look(path)
        if answer is not None and answer.status in {404, 410}:
            return Sight(path, ABSENT, f"answers {answer.status}")
        if answer is None or not 200 <= answer.status < 300:
            return None
        return Sight(path, self.representation(instance, answer))

    def representation(self, instance: Instance, answer: Answer) -> Json:
        """The instance itself inside an answer, which may wrap it."""
        use = self._readers[instance.resource][1]
        inside = at(answer.body, use.response.path) if use.response is not None else ABSENT
        return answer.body if inside is ABSENT else inside


async def read_back(
    looking: Looking, echo: Echo, reads: Reads, instance: Instance, sent: Json, *, partial: bool
) -> list[Complaint]:
    """Compare what was just written with what is read; remember what the service keeps."""
    sight = await looking.sight(reads, instance, written=True)
    if sight is None or sight.shown is ABSENT:
        return []
    expected = _left_as_it_was(instance.kept, sent) if partial else {}
    expected |= dict(fields_of(sent))
    instance.sent, instance.kept = sent, {}
    wrong: dict[Path, Complaint] = {}
    for place, value in expected.items():
        seen = at(sight.shown, place)
        if echo.observe(instance.resource, place, value, seen):
            instance.kept[place] = value
        elif is_completed(value, seen):
            instance.kept[place] = seen
        elif looking.is_outgoing(instance, place):
            continue
        elif _should_be_kept(echo.habit(instance.resource, place), place):
            numbers = _numbers(reads, sight.path)
            wrong[place] = _not_kept(instance, place, (value, seen), READ_BACK, numbers)
    moving = await _moving(looking, reads, instance, sight, list(wrong))
    return [one for place, one in wrong.items() if place not in moving]


async def _moving(
    looking: Looking, reads: Reads, instance: Instance, sight: Sight, places: list[Path]
) -> list[Path]:
    """Those of these numbers that go on changing though nobody changes them, as what is left of a
    quota does."""
    counted = [one for one in places if _is_number(at(sight.shown, one))]
    path = looking.path(instance)
    answer = await reads.anew(path) if counted and path is not None else None
    if answer is None or not 200 <= answer.status < 300:
        return []
    again = looking.representation(instance, answer)
    seen = [(one, at(sight.shown, one), at(again, one)) for one in counted]
    kept = dict(fields_of(instance.sent))
    return [
        one
        for one, first, later in seen
        if _is_number(later) and not same(first, later) and not same(kept.get(one), later)
    ]


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _left_as_it_was(kept: Mapping[Path, Json], sent: Json) -> dict[Path, Json]:
    """What a partial update does not speak of; an object inside that is sent may be merged with
    what was there or take its place."""
    named = sent if isinstance(sent, Mapping) else {}
    return {place: one for place, one in kept.items() if len(place) == 1 or place[0] not in named}


def assume_kept(echo: Echo, instance: Instance, sent: Json) -> None:
    """Take it that fields are kept which always were, without looking.

    A list may have been completed or put in order, which is only known where it was read.
    """
    instance.kept = {
        place: value
        for place, value in fields_of(sent)
        if not isinstance(value, list) and echo.is_always_kept(instance.resource, place)
    }


async def untouched(looking: Looking, reads: Reads, instances: list[Instance]) -> list[Complaint]:
    """What should be as it was last written, and is not."""
    found: list[Complaint] = []
    for instance in instances:
        sight = await looking.sight(reads, instance)
        if sight is None:
            continue
        if sight.shown is ABSENT:
            found.append(_vanished(instance, sight, reads))
        else:
            found += _changed(instance, sight, reads)
    return found


async def fallen(looking: Looking, reads: Reads, instances: list[Instance]) -> list[Complaint]:
    """What should have gone with something else, and is still there."""
    found: list[Complaint] = []
    for instance in instances:
        sight = await looking.sight(reads, instance)
        if sight is not None and sight.shown is not ABSENT:
            found.append(_left(instance, reads, sight.path))
    return found


async def below(
    looking: Looking, reads: Reads, gone: Instance, instances: list[Instance]
) -> list[Complaint]:
    """What lies below something that is gone, and is still there."""
    path = looking.path(gone)
    sight = await looking.sight(reads, gone)
    if path is None or sight is None or sight.shown is not ABSENT:
        return []
    start = f"{path.rstrip('/')}/"
    lying = [one for one in instances if (looking.path(one) or "").startswith(start)]
    found = await fallen(looking, reads, lying)
    law = "what lies below something that is deleted goes with it"
    return [replace(one, promised=law, provenance=Provenance.LAW) for one in found]


def _left(instance: Instance, reads: Reads, path: str) -> Complaint:
    return Complaint(
        FRAME, Verdict.ERR, "what belongs to something that is deleted goes with it",
        f"{instance.resource} {instance.value} can still be read",
        Provenance.DECLARED, f"{instance.resource} left", exchanges=_numbers(reads, path),
    )  # fmt: skip


def _changed(instance: Instance, sight: Sight, reads: Reads) -> Iterator[Complaint]:
    for place, value in instance.kept.items():
        seen = at(sight.shown, place)
        if not same(value, seen):
            yield _not_kept(instance, place, (value, seen), FRAME, _numbers(reads, sight.path))


def _outgoing(resources: ResourceMap, schemas: Schemas) -> Iterator[tuple[str, Path]]:
    """The fields that are deprecated, as far as they are written."""
    for resource in resources.resources.values():
        for use in resource.uses:
            for leaf in leaves(use.request.schema, schemas) if use.request is not None else ():
                if keyword(leaf.schema, "deprecated", schemas) is True:
                    yield resource.name, leaf.path


def _should_be_kept(habit: Habit, place: Path) -> bool:
    """Whether a field is the service's to keep: secrets only where it shows them as they are."""
    return habit is Habit.KEPT or (habit is Habit.GARBLED and not _is_secret(place))


def _is_secret(path: Path) -> bool:
    return any(word in path[-1].lower() for word in _SECRET)


def _not_kept(
    instance: Instance,
    place: Path,
    values: tuple[Json, Json],
    check: str,
    exchanges: tuple[int, ...],
) -> Complaint:
    name, (value, seen) = ".".join(place), values
    law = "what is written reads back" if check == READ_BACK else "what is not touched stays"
    shown = "is not there" if seen is ABSENT else f"reads {seen!r}"
    return Complaint(
        check, Verdict.ERR, law,
        f"{name} of {instance.resource} {instance.value} was written as {value!r} and {shown}",
        Provenance.LAW, f"{instance.resource} {name}", exchanges=exchanges,
    )  # fmt: skip


def _vanished(instance: Instance, sight: Sight, reads: Reads) -> Complaint:
    return Complaint(
        FRAME, Verdict.ERR, "what is not deleted stays",
        f"{instance.resource} {instance.value} {sight.said}, and nothing deleted it",
        Provenance.LAW, f"{instance.resource} vanished", exchanges=_numbers(reads, sight.path),
    )  # fmt: skip


def refused_and_there(unborn: Instance, exchange: Exchange) -> Complaint:
    """The complaint about a creation that was refused and took place."""
    return Complaint(
        FRAME, Verdict.ERR, "what is refused changes nothing",
        f"the creation of {unborn.resource} {unborn.value} was refused with {exchange.status}, "
        "and it can be read now",
        Provenance.LAW, f"{unborn.resource} refused and created", exchanges=(exchange.number,),
    )  # fmt: skip


def _numbers(reads: Reads, path: str) -> tuple[int, ...]:
    exchange = reads.exchanges.get(path)
    return (exchange.number,) if exchange is not None else ()
