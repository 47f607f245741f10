"""From the journal of a run back to its plan: what is done, and the steps behind a finding."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Sequence
from dataclasses import dataclass, field, replace

from icepick.execute.events import (
    CallJudged,
    Ending,
    Event,
    Exchanged,
    FindingFound,
    ModelPlanned,
    NotConfirmed,
    RunEnded,
    RunStarted,
    SequenceEnded,
)
from icepick.execute.findings.suspicion import ABOUT_STATES, Key, fingerprint, key_of, principal
from icepick.execute.types import Finding, Judged, Request, Verdict
from icepick.execute.ways import replay_of
from icepick.execute.wrong.findings import WRONG
from icepick.openapi.types import ApiSpec
from icepick.pipeline.planning import Planned, model_planned
from icepick.sequences.types import Step

_Place = tuple[int, int]
"""A sequence, by the number of its model and its own."""


@dataclass(slots=True)
class Past:
    """What a journal tells of its run."""

    start: RunStarted | None = None
    end: RunEnded | None = None
    models: dict[int, ModelPlanned] = field(default_factory=dict)
    findings: dict[str, Finding] = field(default_factory=dict)
    calls: dict[_Place, int] = field(default_factory=dict)
    examples: dict[Key, tuple[bool, int, _Place]] = field(default_factory=dict)
    settled: set[str] = field(default_factory=set)
    tainted: set[_Place] = field(default_factory=set)
    shown: dict[str, dict[int, None]] = field(default_factory=dict)
    """The models whose walks showed a fault, by its id, in the order in which they did."""
    requests: int = 0

    @property
    def has_finished(self) -> bool:
        """Whether nothing of it is left to do."""
        return self.end is not None and self.end.ending is Ending.FINISHED

    def add(self, event: Event) -> None:
        """Take the next event."""
        match event:
            case Exchanged():
                self.requests += 1
            case CallJudged():
                self._add_call(event)
            case SequenceEnded():
                self.calls[event.model, event.sequence] = event.calls
            case RunStarted():
                self.start, self.end = self.start or event, None
            case RunEnded():
                self.end = event
            case ModelPlanned():
                self.models.setdefault(event.model, event)
            case FindingFound(finding=finding):
                self.findings[finding.id] = finding
                self.settled.add(finding.id)
            case NotConfirmed(unconfirmed=unconfirmed):
                self.settled.add(unconfirmed.id)

    def _add_call(self, event: CallJudged) -> None:
        place = (event.model, event.sequence)
        for name in _faults(event.judged):
            self.shown.setdefault(name, {})[event.model] = None
        tainted = place in self.tainted
        for key, complaint in principal(event.judged):
            example = (tainted, event.index, place)
            self.examples[key] = min(self.examples.get(key, example), example)
            if complaint.level is Verdict.ERR:
                self.tainted.add(place)

    def unsettled(self) -> set[_Place]:
        """A sequence for each suspicion that was neither confirmed nor dismissed."""
        return {
            place for key, (_, _, place) in self.examples.items()
            if fingerprint(key) not in self.settled
        }  # fmt: skip


def past_of(events: Iterable[Event]) -> Past:
    """What the events of a run come to."""
    past = Past()
    for event in events:
        past.add(event)
    return past


def fits(past: Past, spec: ApiSpec, plans: Sequence[Planned]) -> bool:
    """Whether these are the document and the plans that the run was begun with."""
    labels = {operation.id: operation.label for operation in spec.operations}
    if past.start is None or past.start.operations != labels:
        return False
    now = {number: model_planned(number, one) for number, one in enumerate(plans)}
    return all(now.get(number) == model for number, model in past.models.items())


def done(past: Past, plans: Sequence[Planned]) -> frozenset[_Place]:
    """The sequences that need not be walked again: through to the end, with nothing in doubt."""
    again = past.unsettled()
    found: list[_Place] = []
    for number, one in enumerate(plans):
        for index, sequence in enumerate(one.plan.sequences()):
            place = (number, index)
            whole = past.calls.get(place, -1) >= len(sequence.steps)
            if whole and place not in again:
                found.append(place)
    return frozenset(found)


async def continued(events: AsyncGenerator[Event, None], past: Past) -> AsyncGenerator[Event, None]:
    """The events of the rest of a run, so that they go on where its journal ends."""
    numbers = {finding.id: finding.number for finding in past.findings.values()}
    requests = past.requests
    async for event in events:
        requests += isinstance(event, Exchanged)
        match event:
            case ModelPlanned() if event.model in past.models:
                # Whoever counts what was covered would begin anew with it.
                continue
            case FindingFound(finding=finding):
                latest = max(numbers.values(), default=0)
                number = numbers.setdefault(finding.id, latest + 1)
                yield FindingFound(replace(finding, number=number))
            case RunEnded():
                yield replace(event, requests=requests)
            case _:
                yield event


def steps_of(
    finding: Finding, plans: Sequence[Planned], past: Past | None = None
) -> tuple[Planned, tuple[Step, ...]] | None:
    """The steps of a finding in the model that it came from; None where no model has them.

    Several models may have calls of the same names. Which one showed the fault is known from the
    past of its run, and among several by the states that the finding went through.
    """
    shown = past.shown.get(finding.id, {}) if past is not None else {}
    found: list[tuple[bool, bool, int]] = []
    ways: dict[int, tuple[Step, ...]] = {}
    for number, one in enumerate(plans):
        steps = _restated(finding, one)
        if steps is not None:
            ways[number] = steps
            found.append((number not in shown, not _is_the_way(finding, steps), number))
    if not found:
        return None
    _, _, number = min(found)
    return plans[number], ways[number]


def _restated(finding: Finding, one: Planned) -> tuple[Step, ...] | None:
    calls = {call.name: call for call in one.plan.calls}
    labels = [judged.label for judged in finding.steps]
    if not all(label in calls for label in labels):
        return None
    replay = replay_of(one.exploration, one.plan.calls)
    return replay.restated(tuple(calls[label] for label in labels))


def _is_the_way(finding: Finding, steps: tuple[Step, ...]) -> bool:
    """Whether these steps lead through the states that the finding tells of."""
    pairs = zip(finding.steps, steps, strict=True)
    return all(judged.target in {None, step.state} for judged, step in pairs)


def without_sequences(planned: Planned) -> Planned:
    """The same model with a plan of nothing: what comes before the walk is done all the same."""
    summary = replace(planned.summary, paths=0, calls=0)
    return replace(planned, plan=replace(planned.plan, real=()), summary=summary)


def is_wrong_input(finding: Finding) -> bool:
    """Whether a finding is one request that is no part of a plan."""
    return len(finding.steps) == 1 and finding.steps[0].kind == WRONG


def elsewhere(request: Request, base: str, now: str) -> Request:
    """The request for a service that is at another address by now."""
    below = request.url.startswith(base)
    return replace(request, url=now + request.url[len(base) :]) if below else request


def shows(judged: Judged, finding: Finding) -> bool:
    """Whether a call shows the same fault."""
    names = {finding.id}
    if finding.steps:
        # One that stands for several places has a name of its own.
        names.add(fingerprint(key_of(finding.steps[-1], finding.complaint)))
    return not names.isdisjoint(_faults(judged))


def _faults(judged: Judged) -> list[str]:
    """The ids of the faults that a call may be taken to show."""
    keys = [key for key, _ in principal(judged)]
    for complaint in judged.complaints:
        key = key_of(judged, complaint)
        blaming = (key[0], key[1], f"{judged.kind} {judged.action}", "")
        keys += [key, blaming] if complaint.check in ABOUT_STATES else [key]
    return [fingerprint(key) for key in keys]
