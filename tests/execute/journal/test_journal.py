from __future__ import annotations

import gc
import json
import math
import resource
import types
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass, replace
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from icepick.errors import Code, ExecuteError
from icepick.execute.events import (
    CallJudged,
    Ending,
    Event,
    Exchanged,
    FindingFound,
    Noted,
    PhaseStarted,
    RunEnded,
)
from icepick.execute.journal.codec import LONGEST_BODY, decode, dumps, encode, loads
from icepick.execute.journal.journal import (
    NAME,
    Journal,
    latest,
    new_run_id,
    open_journal,
    read_journal,
    runs,
)
from icepick.execute.transport.secrets import Secrets
from icepick.execute.types import (
    Complaint,
    Exchange,
    Finding,
    Judged,
    Provenance,
    Purpose,
    Request,
    Response,
    Verdict,
)
from icepick.openapi.types import ABSENT

TEXTS = st.text(st.characters(exclude_categories=()), max_size=20) | st.sampled_from(
    ["\ud83d\ude00", "\ud800", "\udc80", "\U0001f600", "$$text", "$set"]
)
NUMBERS = st.floats(allow_nan=False) | st.integers()
KEYS = TEXTS | st.integers() | st.booleans() | st.none()
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS | st.binary(max_size=20) | st.just(ABSENT),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.frozensets(TEXTS | st.integers(), max_size=3)
        | st.dictionaries(KEYS, inner, max_size=3)
        | st.dictionaries(st.sampled_from(["$set", "$object", "$$text"]), inner, max_size=1)
    ),
    max_leaves=8,
)


def anything(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a type, whatever fields it has."""
    origin, options = get_origin(hint), get_args(hint)
    if hint is Any:
        return VALUES
    if hint is str:
        return TEXTS
    if hint is float:
        return st.floats(allow_nan=False, allow_infinity=False)
    if origin is tuple and options[-1] is Ellipsis:
        return st.lists(anything(options[0]), max_size=3).map(tuple)
    if origin is tuple:
        return st.tuples(*map(anything, options))
    if origin in {Union, types.UnionType}:
        return st.one_of(*map(anything, options))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return st.dictionaries(TEXTS, anything(options[1]), max_size=3)
    if isinstance(hint, type) and is_dataclass(hint):
        hints = get_type_hints(hint)
        return st.deferred(
            lambda: st.builds(hint, **{f.name: anything(hints[f.name]) for f in fields(hint)})
        )
    return st.from_type(hint)


KINDS = get_args(Event)


def exchanges(event: Event) -> dict[int, Exchange]:
    if not isinstance(event, CallJudged):
        return {}
    found = [event.judged.exchange, *event.judged.reads]
    return {one.number: one for one in found if one is not None}


def apart(event: Event) -> Event:
    """A judged call whose exchanges have numbers of their own, as they have in a run."""
    if not isinstance(event, CallJudged):
        return event
    judged = event.judged
    reads = tuple(replace(read, number=n) for n, read in enumerate(judged.reads, 2))
    first = None if judged.exchange is None else replace(judged.exchange, number=1)
    return replace(event, judged=replace(judged, exchange=first, reads=reads))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_every_event_comes_back_as_it_was(kind: type, data: st.DataObject) -> None:
    event = apart(data.draw(anything(kind)))
    known = exchanges(event)
    assert decode(encode(event), known) == event
    line = dumps(event)
    assert line.isascii()
    assert "\n" not in line
    assert loads(line.encode(), known) == event


def alike(one: Any, other: Any) -> bool:
    """Equal in value and in type: to Python, 1, 1.0 and True are equal."""
    if type(one) is not type(other) or one != other:
        return False
    if isinstance(one, dict):
        return alike([*one.keys(), *one.values()], [*other.keys(), *other.values()])
    if isinstance(one, list | tuple):
        return all(map(alike, one, other))
    return not isinstance(one, float) or repr(one) == repr(other)


@given(VALUES)
def test_values_keep_their_types(value: Any) -> None:
    assert alike(_binding(loads(dumps(_bound(value)).encode())), value)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_number_too_long_to_be_written(sign: int) -> None:
    number = sign << 40_000
    assert _binding(loads(dumps(_bound(number)).encode())) == number


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, -0.0, 1e300, 5e-324])
def test_numbers_that_json_lacks(number: float) -> None:
    line = dumps(_bound(number))
    json.loads(line, parse_constant=pytest.fail)
    assert repr(_binding(loads(line.encode()))) == repr(number)


def _bound(value: Any) -> Event:
    complaint = Complaint("c", Verdict.ERR, "p", "h", Provenance.LAW, bindings={"x": value})
    finding = Finding("i", 1, Verdict.ERR, "t", "o", "l", "a", None, complaint, (), 1)
    return FindingFound(finding)


def _binding(event: Event) -> Any:
    assert isinstance(event, FindingFound)
    return event.finding.complaint.bindings["x"]


def exchange(number: int, body: bytes = b"{}", asked: bytes | None = None) -> Exchange:
    request = Request("POST", "http://h/x", (("Accept", "*/*"),), asked)
    reply = Response(201, (("A", "b"),), body, 0.5)
    return Exchange(number, 1.0, Purpose.CALL, request, reply, "op")


def judged_call(number: int, *reads: int) -> CallJudged:
    one = Judged(
        "l", "a", "o", "k", Verdict.OK, exchange=exchange(number), reads=tuple(map(exchange, reads))
    )
    return CallJudged(0, 0, 0, one)


def test_a_judged_call_names_its_exchanges_by_number() -> None:
    value = encode(judged_call(7, 8, 9))
    assert value["judged"]["exchange"] == 7
    assert value["judged"]["reads"] == [8, 9]
    back = decode(value, {8: exchange(8)})
    assert isinstance(back, CallJudged)
    assert back.judged.exchange is None
    assert back.judged.reads == (exchange(8),)


def test_a_finding_carries_its_exchanges_whole() -> None:
    call = judged_call(7, 8)
    event = _bound(1)
    assert isinstance(event, FindingFound)
    event = FindingFound(replace(event.finding, steps=(call.judged,)))
    assert loads(dumps(event).encode()) == event


@pytest.mark.parametrize("body", [b"", b"{}", "ä€😀".encode(), b"\xff\x00", b"x" * LONGEST_BODY])
def test_bodies_are_kept(body: bytes) -> None:
    event = Exchanged(exchange(1, body, body))
    assert loads(dumps(event).encode()) == event


@pytest.mark.parametrize("unit", [b"x", "ä".encode(), "€".encode(), "😀".encode(), b"\xfe\xff"])
def test_long_bodies_are_cut(unit: bytes) -> None:
    body = b"." + unit * LONGEST_BODY
    value = encode(Exchanged(exchange(1, body, body)))
    kept = value["exchange"]["reply"]["body"]
    assert kept["length"] == len(body)
    assert kept["sha256"] == sha256(body).hexdigest()
    assert ("base64" in kept) is (unit == b"\xfe\xff")
    back = decode(value)
    assert isinstance(back, Exchanged)
    assert isinstance(back.exchange.reply, Response)
    assert back.exchange.reply.truncated
    assert body.startswith(back.exchange.reply.body)
    assert LONGEST_BODY - 4 < len(back.exchange.reply.body) <= LONGEST_BODY
    assert back.exchange.request.body == back.exchange.reply.body


@pytest.mark.parametrize(
    "line",
    [
        b"[]",
        b"5",
        b"{}",
        b'{"event": "nonsense"}',
        b'{"event": []}',
        b'{"event": "noted"}',
        b'{"event": "exchanged", "exchange": 5}',
        b'{"event": "run-ended", "at": 1, "ending": "x", "requests": 1, "saved": 1}',
        b"[" * 100_000,
        b"\xff",
    ],
)
def test_what_is_no_event(line: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        loads(line)


def test_a_field_that_is_not_known_is_ignored() -> None:
    assert decode({"event": "phase-started", "name": "x", "new": 1}) == PhaseStarted("x")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with open_journal(tmp_path, "run", Secrets("hunter2"), pytest.fail) as found:
        yield found


EVENTS: list[Event] = [
    PhaseStarted("plan", 3),
    Exchanged(exchange(1), 4),
    Exchanged(exchange(2)),
    judged_call(1, 2),
    RunEnded(2.0, Ending.FINISHED, 2, 0),
]


def test_events_are_on_disk_at_once(journal: Journal) -> None:
    for number, event in enumerate(EVENTS, 1):
        journal.write(event)
        assert list(read_journal(journal.path)) == EVENTS[:number]
    assert journal.complete


def test_one_line_for_each_event(journal: Journal) -> None:
    journal.write(Noted("k", "s", "two\nlines\u2028three"))
    assert len(journal.path.read_bytes().splitlines()) == 2
    assert list(read_journal(journal.path)) == [Noted("k", "s", "two\nlines\u2028three")]


def test_secrets_are_not_written(journal: Journal) -> None:
    journal.write(Exchanged(exchange(1, b"\xff hunter2", b'{"p": "hunter2"}')))
    journal.write(Noted("k", "s", "hunter2"))
    assert b"hunter2" not in journal.path.read_bytes()
    first, second = read_journal(journal.path)
    assert isinstance(first, Exchanged)
    assert isinstance(first.exchange.reply, Response)
    assert first.exchange.reply.body == b"\xff ***"
    assert second == Noted("k", "s", "***")


def test_a_killed_run_leaves_a_cut_line(journal: Journal) -> None:
    for event in EVENTS:
        journal.write(event)
    whole = journal.path.read_bytes()
    for size in range(len(whole) - len(dumps(EVENTS[-1])), len(whole) - 1):
        journal.path.write_bytes(whole[:size])
        assert list(read_journal(journal.path)) == EVENTS[:-1]
    journal.path.write_bytes(whole[:-1])
    assert list(read_journal(journal.path)) == EVENTS


@pytest.mark.parametrize("broken", [b"{nonsense}\n", b'{"event": "nonsense"}\n', b"\n"])
def test_a_broken_line_in_the_middle_is_named(journal: Journal, broken: bytes) -> None:
    for event in EVENTS:
        journal.write(event)
    lines = journal.path.read_bytes().splitlines(keepends=True)
    journal.path.write_bytes(b"".join([*lines[:3], broken, *lines[3:]]))
    found: list[Event] = []
    with pytest.raises(ExecuteError) as caught:
        found.extend(read_journal(journal.path))
    assert caught.value.code is Code.BROKEN_JOURNAL
    assert caught.value.place is not None
    assert caught.value.place.line == 4


@pytest.mark.parametrize(
    "text", ["", "hello\n", '{"event": "noted"}\n', '{"journal": 99}\n', "[]\n"]
)
def test_a_file_that_is_no_journal(text: str, tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.write_text(text)
    with pytest.raises(ExecuteError) as caught:
        list(read_journal(path))
    assert caught.value.code is Code.BROKEN_JOURNAL


def test_a_journal_that_is_not_there(tmp_path: Path) -> None:
    for path in (tmp_path / "nope", tmp_path):
        with pytest.raises(ExecuteError) as caught:
            list(read_journal(path))
        assert caught.value.code is Code.NO_RUN


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("a file where a folder should be")
    with pytest.raises(ExecuteError) as caught:
        open_journal(tmp_path, "run", Secrets(), pytest.fail)
    assert caught.value.code is Code.CANNOT_WRITE
    assert caught.value.hint


def test_a_run_is_never_written_over(journal: Journal) -> None:
    folder = journal.path.parents[2]
    with pytest.raises(ExecuteError):
        open_journal(folder, "run", Secrets(), pytest.fail)


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """A disk that takes only so much."""
    gc.collect()  # whatever warns now must not have to write about it later
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_no_space_at_the_start(tmp_path: Path) -> None:
    with largest_file(5), pytest.raises(ExecuteError) as caught:
        open_journal(tmp_path, "run", Secrets(), pytest.fail)
    assert caught.value.code is Code.CANNOT_WRITE
    assert runs(tmp_path) == []


def test_no_space_in_the_middle(tmp_path: Path) -> None:
    warnings: list[str] = []
    with open_journal(tmp_path, "run", Secrets(), warnings.append) as journal:
        journal.write(EVENTS[0])
        with largest_file(journal.path.stat().st_size + 20):
            for event in EVENTS[1:]:
                journal.write(event)
        journal.write(EVENTS[-1])
    assert len(warnings) == 1
    assert "incomplete" in warnings[0]
    assert not journal.complete
    assert list(read_journal(journal.path)) == EVENTS[:1]


def test_the_newest_run(tmp_path: Path) -> None:
    with pytest.raises(ExecuteError) as caught:
        latest(tmp_path / "nothing")
    assert caught.value.code is Code.NO_RUN
    begun, rng = datetime(2026, 2, 28, 23, 59, 58, tzinfo=UTC), Random(3)
    ids = [new_run_id(begun + timedelta(seconds=2 * n), rng) for n in range(3)]
    for run in reversed(ids):
        open_journal(tmp_path, run, Secrets(), pytest.fail).close()
    assert latest(tmp_path) == tmp_path / "runs" / ids[-1] / NAME
    assert [path.name for path in runs(tmp_path)] == ids


def test_names_of_runs() -> None:
    now = datetime(2026, 11, 3, 15, 25, 30, tzinfo=timezone(timedelta(hours=1)))
    name = new_run_id(now, Random(1))
    assert name.startswith("20261103-142530-")
    assert name == new_run_id(now, Random(1)) != new_run_id(now, Random(2))
