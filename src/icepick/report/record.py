"""From events to the record of a run: counts are kept, calls are not, findings are whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from icepick.execute.events import (
    FIRST_LOOK,
    OPERATION,
    CallJudged,
    ClauseCounted,
    Event,
    Exchanged,
    FindingFound,
    LeftBehind,
    LifeCycle,
    ModelCovered,
    ModelPlanned,
    NotConfirmed,
    Noted,
    PhaseStarted,
    RunEnded,
    RunStarted,
)
from icepick.execute.types import Finding, Unconfirmed, Verdict
from icepick.report.coverage import ModelTally
from icepick.report.operations import OperationTally
from icepick.report.text import plural
from icepick.report.types import Part, RunRecord

_MOST_REASONS = 200
_MOST_NOTES = 1000
_OTHER_REASONS = "other reasons"


@dataclass(frozen=True, slots=True)
class Counts:
    """Where a run stands; cheap enough to be asked for many times a second."""

    phase: str
    calls: int
    planned: int
    requests: int
    states: Part
    transitions: Part
    findings: int


class Recorder:
    """Takes the events of a run one by one, and says at any time what they come to."""

    def __init__(self) -> None:
        self._start: RunStarted | None = None
        self._end: RunEnded | None = None
        self._latest = 0.0
        self._phase = ""
        self._requests = 0
        self._verdicts: Counter[Verdict] = Counter()
        self._reasons: Counter[str] = Counter()
        self._models: dict[int, ModelTally] = {}
        self._operations: dict[str, OperationTally] = {}
        self._clauses: dict[tuple[str, str | None, str], ClauseCounted] = {}
        self._findings: dict[str, Finding] = {}
        self._unconfirmed: dict[str, Unconfirmed] = {}
        self._notes: dict[Noted, None] = {}
        self._notes_left_out = 0
        self._left_behind: dict[LeftBehind, None] = {}
        self._lives: dict[str, LifeCycle] = {}

    def add(self, event: Event) -> None:
        """Take the next event."""
        match event:
            case Exchanged():
                self._add_exchange(event)
            case CallJudged():
                self._add_call(event)
            case RunStarted():
                self._add_start(event)
            case ModelPlanned():
                self._models[event.model] = ModelTally(event)
            case PhaseStarted(name=name):
                self._phase = name
            case RunEnded():
                self._end = event
            case _:
                self._add_result(event)

    def _add_result(self, event: Event) -> None:
        match event:
            case FindingFound(finding=finding):
                self._findings[finding.id] = finding
            case NotConfirmed(unconfirmed=unconfirmed):
                self._unconfirmed[unconfirmed.id] = unconfirmed
            case ClauseCounted():
                self._clauses[event.role, event.operation, event.text] = event
            case LeftBehind():
                self._left_behind[event] = None
            case LifeCycle():
                self._add_life(event)
            case ModelCovered(model=model) if model in self._models:
                self._models[model].measured(event.parts)
            case Noted():
                self._add_note(event)

    def _add_start(self, event: RunStarted) -> None:
        """A run that is resumed starts again, and has the time and the name of its first start."""
        first = self._start
        self._start = event if first is None else replace(event, id=first.id, at=first.at)
        self._end = None
        self._latest = max(self._latest, event.at)
        for name in event.operations:
            self._operations.setdefault(name, OperationTally())

    def _add_exchange(self, event: Exchanged) -> None:
        exchange = event.exchange
        self._requests += 1
        self._latest = max(self._latest, exchange.at + exchange.reply.seconds)
        if exchange.operation is not None:
            self._operation(exchange.operation).add(exchange)

    def _add_call(self, event: CallJudged) -> None:
        judged = event.judged
        self._verdicts[judged.verdict] += 1
        if judged.verdict is Verdict.NOT_TESTED:
            reason = judged.reason or "no reason given"
            known = reason in self._reasons or len(self._reasons) < _MOST_REASONS
            self._reasons[reason if known else _OTHER_REASONS] += 1
            self._operation(judged.operation).not_tested(reason)
        elif event.model in self._models:
            self._models[event.model].add(judged)

    def _operation(self, name: str) -> OperationTally:
        if name not in self._operations:
            self._operations[name] = OperationTally()
        return self._operations[name]

    def _add_life(self, event: LifeCycle) -> None:
        """What a part of a run that was resumed has seen counts too."""
        earlier = self._lives.get(event.resource, event).missing
        missing = {part: why for part, why in event.missing.items() if part in earlier}
        self._lives[event.resource] = replace(event, missing=missing)

    def _add_note(self, event: Noted) -> None:
        """A note; what the first look says of an operation is told with that operation alone."""
        if event.kind in {FIRST_LOOK, OPERATION} and event.subject in self._operations:
            self._operation(event.subject).noted(event.text)
        if event.kind == FIRST_LOOK:
            return
        if event in self._notes or len(self._notes) < _MOST_NOTES:
            self._notes[event] = None
        else:
            self._notes_left_out += 1

    def counts(self) -> Counts:
        """Where the run stands."""
        tallies = self._models.values()
        return Counts(
            phase=self._phase,
            calls=self._verdicts.total(),
            planned=sum(tally.planned.calls for tally in tallies),
            requests=self._requests,
            states=_sum(tally.states for tally in tallies),
            transitions=_sum(tally.transitions for tally in tallies),
            findings=len(self._findings),
        )

    def record(self) -> RunRecord:
        """What the run comes to so far."""
        start = self._start or RunStarted("", 0.0, "", "", "", "", 0)
        end = self._end
        until = max(self._latest, start.at) if end is None else end.at
        return RunRecord(
            id=start.id,
            version=start.version,
            schema=start.schema,
            title=start.title,
            url=start.url,
            seed=start.seed,
            started=start.at,
            seconds=max(until - start.at, 0.0),
            ending=end.ending if end else None,
            ending_text=end.text if end else "",
            settings=dict(start.settings),
            verdicts={verdict: self._verdicts[verdict] for verdict in Verdict},
            requests=end.requests if end else self._requests,
            saved=end.saved if end else 0,
            operations=tuple(
                tally.record(name, start.operations.get(name, name))
                for name, tally in self._operations.items()
            ),
            models=tuple(self._models[number].record() for number in sorted(self._models)),
            clauses=tuple(self._clauses.values()),
            findings=tuple(sorted(self._findings.values(), key=lambda f: (f.number, f.id))),
            # What one part of a run had no time to show again, another may have.
            unconfirmed=tuple(
                one for one in self._unconfirmed.values() if one.id not in self._findings
            ),
            not_tested=dict(self._reasons.most_common()),
            notes=self._all_notes(),
            left_behind=tuple(self._left_behind),
            life_cycles=tuple(self._lives.values()),
        )

    def _all_notes(self) -> tuple[Noted, ...]:
        if not self._notes_left_out:
            return tuple(self._notes)
        text = f"{plural(self._notes_left_out, 'more note')} left out here; the journal has them"
        return (*self._notes, Noted("report", "notes", text))


def _sum(parts: Iterable[Part]) -> Part:
    found = list(parts)
    return Part(sum(part.covered for part in found), sum(part.total for part in found))
