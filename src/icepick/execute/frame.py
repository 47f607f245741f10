"""What was written reads back, and what a call does not touch stays as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

from icepick.execute.answers import at, fields_of
from icepick.execute.echo import Echo, Habit, is_completed, same
from icepick.execute.emulator import Instance
from icepick.execute.reads import Reads
from icepick.execute.types import Complaint, Exchange, Provenance, Verdict
from icepick.glacier import Answer
from icepick.openapi.types import ABSENT, Json, Operation
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
    """Looks at instances through the operations that read one."""

    def __init__(self, resources: ResourceMap, operations: Mapping[str, Operation]) -> None:
        self._readers: dict[str, tuple[Operation, Use]] = {}
        for resource in resources.resources.values():
            for use in resource.having(Role.READ):
                self._readers.setdefault(resource.name, (operations[use.operation], use))

    def path(self, instance: Instance) -> str | None:
        """Where an instance is read; None where that cannot be done."""
        found = self._readers.get(instance.resource)
        return instance.path_to(found[0]) if found is not None else None

    def operation(self, instance: Instance) -> str | None:
        """The operation that reads it."""
        found = self._readers.get(instance.resource)
        return found[0].id if found is not None else None

    def representation(self, instance: Instance, answer: Answer) -> Json:
        """The instance itself inside an answer, which may wrap it."""
        use = self._readers[instance.resource][1]
        inside = at(answer.body, use.response.path) if use.response is not None else ABSENT
        return answer.body if inside is ABSENT else inside


async def read_back(
    looking: Looking, echo: Echo, reads: Reads, instance: Instance, sent: Json, *, partial: bool
) -> list[Complaint]:
    """Compare what was just written with what is read; remember what the service keeps."""
    path = looking.path(instance)
    answer = await reads.look(path) if path is not None else None
    if path is None or answer is None or not 200 <= answer.status < 300:
        return []
    shown = looking.representation(instance, answer)
    expected = dict(instance.kept) if partial else {}
    expected |= dict(fields_of(sent))
    instance.sent, instance.kept = sent, {}
    wrong: list[Complaint] = []
    for place, value in expected.items():
        seen = at(shown, place)
        if echo.observe(instance.resource, place, value, seen):
            instance.kept[place] = value
        elif is_completed(value, seen):
            instance.kept[place] = seen
        elif _should_be_kept(echo.habit(instance.resource, place), place):
            wrong.append(
                _not_kept(instance, place, (value, seen), READ_BACK, _numbers(reads, path))
            )
    return wrong


def assume_kept(echo: Echo, instance: Instance, sent: Json) -> None:
    """Take it that fields are kept which always were, without looking."""
    instance.kept = {
        place: value
        for place, value in fields_of(sent)
        if echo.habit(instance.resource, place) is Habit.KEPT
    }


async def untouched(looking: Looking, reads: Reads, instances: list[Instance]) -> list[Complaint]:
    """What should be as it was last written, and is not."""
    found: list[Complaint] = []
    for instance in instances:
        path = looking.path(instance)
        answer = await reads.look(path) if path is not None else None
        if path is None or answer is None:
            continue
        if answer.status in {404, 410}:
            found.append(_vanished(instance, answer, reads, path))
        elif 200 <= answer.status < 300:
            found += _changed(looking, instance, answer, reads, path)
    return found


async def fallen(looking: Looking, reads: Reads, instances: list[Instance]) -> list[Complaint]:
    """What should have gone with something else, and is still there."""
    found: list[Complaint] = []
    for instance in instances:
        path = looking.path(instance)
        answer = await reads.look(path) if path is not None else None
        if path is not None and answer is not None and 200 <= answer.status < 300:
            found.append(_left(instance, reads, path))
    return found


def _left(instance: Instance, reads: Reads, path: str) -> Complaint:
    return Complaint(
        FRAME, Verdict.ERR, "what belongs to something that is deleted goes with it",
        f"{instance.resource} {instance.value} can still be read",
        Provenance.DECLARED, f"{instance.resource} left", exchanges=_numbers(reads, path),
    )  # fmt: skip


def _changed(
    looking: Looking, instance: Instance, answer: Answer, reads: Reads, path: str
) -> Iterator[Complaint]:
    shown = looking.representation(instance, answer)
    for place, value in instance.kept.items():
        seen = at(shown, place)
        if not same(value, seen):
            yield _not_kept(instance, place, (value, seen), FRAME, _numbers(reads, path))


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


def _vanished(instance: Instance, answer: Answer, reads: Reads, path: str) -> Complaint:
    return Complaint(
        FRAME, Verdict.ERR, "what is not deleted stays",
        f"{instance.resource} {instance.value} answers {answer.status}, and nothing deleted it",
        Provenance.LAW, f"{instance.resource} vanished", exchanges=_numbers(reads, path),
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
