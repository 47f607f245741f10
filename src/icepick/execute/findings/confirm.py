"""From a suspicion to a finding: repeated alone, on the shortest way that still shows it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

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

Attempt = Callable[[Suspicion, range], Awaitable[Finding | Unconfirmed]]
"""Makes these of all the attempts that there are at showing something again."""

RunSteps = Callable[[tuple[Step, ...]], Awaitable[Confirmation]]

ALL = range(1_000)
"""Every attempt to show something again: there are not as many."""

_ROUNDS = (2, ALL.stop)
"""How many attempts there were after a round."""

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
    attempts: range = ALL,
) -> Finding | Unconfirmed:
    """A finding with its shortest sequence, or what did not repeat in these of all attempts.

    In a hurry, what was shown once is not made shorter, and what was not is given up.
    """
    made = attempts.start
    for example, candidate, origin in islice(_ways(suspicion, replays), made, attempts.stop):
        made += 1
        calls = await run(example.course, candidate, origin)
        shown = _shown(calls, suspicion.key)
        if shown is not None:
            calls, steps = calls[: shown + 1], candidate[: shown + 1]
            again, replay = partial(_again, run, example.course, origin), replays[example.course]
            calls = await _shortened(suspicion.key, calls, steps, replay, again, in_a_hurry)
            return _finding(suspicion, example, calls)
        if in_a_hurry():
            break
    return unconfirmed(suspicion, made)


async def in_rounds(
    suspicions: Sequence[Suspicion], attempt: Attempt
) -> AsyncGenerator[Finding | Unconfirmed, None]:
    """What becomes of suspicions, first the findings; each has a few attempts before any has more,
    since what does not show again takes the longest."""
    left = {one.key: unconfirmed(one, 0) for one in suspicions}
    for most in _ROUNDS:
        for one in suspicions:
            if one.key not in left:
                continue
            result = await attempt(one, range(left[one.key].attempts, most))
            if isinstance(result, Unconfirmed):
                left[one.key] = result
            else:
                del left[one.key]
                yield result
    for doubtful in left.values():
        yield doubtful


def _ways(
    suspicion: Suspicion, replays: Mapping[int, Replay]
) -> Iterator[tuple[Example, tuple[Step, ...], Origin | None]]:
    """All there is to try, the most promising first."""
    for example in (*suspicion.examples[:_EXAMPLES], *suspicion.longer[:_LONGER]):
        for candidate, origin in _candidates(example, replays[example.course]):
            yield example, candidate, origin


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
