"""From a suspicion to a finding: repeated alone, on the shortest way that still shows it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from icepick.execute.binding.chance import Origin
from icepick.execute.findings.findings import merged, sighting_of, titled
from icepick.execute.findings.shorter import shorter
from icepick.execute.findings.suspicion import (
    ABOUT_STATES,
    ANYWHERE,
    Example,
    Key,
    Suspicion,
    fingerprint,
    key_of,
    principal,
)
from icepick.execute.types import Complaint, Finding, Judged, Sighting, Unconfirmed, Verdict
from icepick.sequences.types import Call, Step

Confirmation = tuple[Judged, ...]
"""The calls of a sequence that was run alone."""

Run = Callable[[int, tuple[Step, ...], Origin | None], Awaitable[Confirmation]]
"""Runs calls of a model alone; with the inputs of an origin, where there is one."""

RunSteps = Callable[[tuple[Step, ...]], Awaitable[Confirmation]]

_MOST_RUNS = 40
"""How often a sequence is run to make it shorter."""

_REPEATS = 1
_EXAMPLES = 5
_LONGER = 4


@dataclass(frozen=True, slots=True)
class Replay:
    """What a model knows of shorter ways.

    `way` leads to a state, or is None where the model cannot tell; `shortest` gives ways to a
    state in which the call can be made, best first; `restated` says which states calls lead to,
    or None where the model does not allow them; `first` is the shortest way to a call of an
    operation, and includes it.
    """

    way: Callable[[int], tuple[Step, ...] | None]
    shortest: Callable[[Step, int], Iterator[tuple[Step, ...]]]
    restated: Callable[[tuple[Call, ...]], tuple[Step, ...] | None]
    first: Callable[[str], tuple[Step, ...] | None] = lambda _: None


async def confirmed(
    suspicion: Suspicion,
    replays: Mapping[int, Replay],
    run: Run,
    in_a_hurry: Callable[[], bool] = bool,
) -> Finding | Unconfirmed:
    """A finding with its shortest sequence, or what did not repeat.

    In a hurry, what was shown once is not made shorter.
    """
    attempts = 0
    for example in (*suspicion.examples[:_EXAMPLES], *suspicion.longer[:_LONGER]):
        replay = replays[example.course]
        for candidate, origin in _candidates(example, replay):
            attempts += 1
            made = await run(example.course, candidate, origin)
            shown = _shown(made, suspicion.key)
            if shown is not None:
                made, steps = made[: shown + 1], candidate[: shown + 1]
                again = partial(_again, run, example.course, origin)
                made = await _shortened(suspicion.key, made, steps, replay, again, in_a_hurry)
                return _finding(suspicion, example, made)
            if in_a_hurry():
                break
    return unconfirmed(suspicion, attempts)


def unconfirmed(suspicion: Suspicion, attempts: int) -> Unconfirmed:
    """What did not repeat in so many attempts; none where there was no time for any."""
    first = suspicion.examples[0]
    return Unconfirmed(
        fingerprint(suspicion.key), title_of(first.judged, first.complaint),
        first.judged.operation, first.judged.label, first.complaint, attempts, suspicion.seen,
    )  # fmt: skip


async def _again(
    run: Run, course: int, origin: Origin | None, steps: tuple[Step, ...]
) -> Confirmation:
    return await run(course, steps, origin)


def _candidates(
    example: Example, replay: Replay
) -> Iterator[tuple[tuple[Step, ...], Origin | None]]:
    """Ways to show it again: shorter ones, the same with the same inputs, and with others."""
    if example.complaint.check not in ABOUT_STATES:
        source = example.judged.source or 0
        for steps in replay.shortest(example.steps[-1], source):
            yield steps, example.origin
    yield example.steps, example.origin
    for _ in range(_REPEATS):
        yield example.steps, None


def _shown(made: Confirmation, key: Key) -> int | None:
    """The first call that shows the same fault."""
    for index, judged in enumerate(made):
        if any(one == key for one, _ in principal(judged)):
            return index
        if any(key_of(judged, one) == key for one in judged.complaints):
            return index
    return None


async def _shortened(
    key: Key, made: Confirmation, steps: tuple[Step, ...], replay: Replay, run: RunSteps,
    in_a_hurry: Callable[[], bool],
) -> Confirmation:  # fmt: skip
    """Leave out calls as long as the fault shows: those about other values, then one by one."""
    tried: set[tuple[Call, ...]] = set()
    shortening = True
    while shortening and len(tried) < _MOST_RUNS and not in_a_hurry():
        shortening = False
        for calls in shorter(tuple(one.call for one in steps)):
            candidate = None if calls in tried else replay.restated(calls)
            tried.add(calls)
            if candidate is None:
                continue
            again = await run(candidate)
            shown = _shown(again, key)
            if shown is not None and not _lacks(again[:shown]):
                made, steps, shortening = again[: shown + 1], candidate[: shown + 1], True
                break
            if len(tried) >= _MOST_RUNS or in_a_hurry():
                break
    return made


def _lacks(made: Confirmation) -> bool:
    return any(one.verdict is Verdict.NOT_TESTED for one in made)


def _finding(suspicion: Suspicion, example: Example, made: Confirmation) -> Finding:
    last = made[-1]
    key, complaint = _foremost(suspicion.key, last)
    return titled(
        Finding(
            fingerprint(_blamed(key, last)), 0, complaint.level, title_of(last, complaint),
            last.operation, last.label, last.action, last.status, complaint, made,
            len(example.steps), suspicion.seen, _sightings(suspicion, last, complaint),
        )
    )  # fmt: skip


def _sightings(suspicion: Suspicion, last: Judged, complaint: Complaint) -> tuple[Sighting, ...]:
    """Where else it was seen, if it is one fault wherever it shows; the confirmed one first."""
    if complaint.check not in ANYWHERE:
        return ()
    alike = key_of(last, complaint) == suspicion.key
    examples = suspicion.examples if alike else []
    shown = [(last, complaint), *((one.judged, one.complaint) for one in examples)]
    return merged(complaint.check, *(sighting_of(judged, one) for judged, one in shown))


def _foremost(key: Key, last: Judged) -> tuple[Key, Complaint]:
    """What a call shows first of all.

    Beside other sequences less can be decided than alone, so that a suspicion may rest on what
    is but an aspect of a fault; the fault has the same name whichever came first.
    """
    shown = dict(principal(last))
    if key in shown:
        return key, shown[key]
    own = [one for one in shown.items() if one[1].operation in {None, last.operation}]
    return (own or list(shown.items()))[0]


def _blamed(key: Key, last: Judged) -> Key:
    """Only when each call was looked at is it known which one is to blame."""
    return (key[0], key[1], f"{last.kind} {last.action}", "") if key[0] in ABOUT_STATES else key


def title_of(judged: Judged, complaint: Complaint) -> str:
    """A fault in one line."""
    match complaint.check:
        case "server-error":
            return complaint.happened
        case "undocumented-status":
            return f"{complaint.happened}, which it does not declare"
        case "accepted":
            return f"{judged.action} is accepted though it must not be: {complaint.promised}"
        case "refused":
            return complaint.happened
        case "ensures":
            return f"{judged.action} does not ensure {complaint.promised}"
        case "invariant":
            return f"{judged.action} breaks the invariant {complaint.promised}"
    elsewhere = complaint.operation not in {None, judged.operation}
    blamed = complaint.operation if elsewhere else judged.action
    return f"{blamed}: {complaint.happened}"
