"""The choices of a run, so that it can be made again, and ways to make it shorter."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from icepick.protocol.automaton import Automaton, Edge, Key, Kind
from icepick.protocol.tree import Send


@dataclass(frozen=True, slots=True)
class Choice:
    """The branch of a call, and that of its response; None where it fitted none."""

    send: Key
    receive: Key | None


Script = tuple[Choice, ...]
"""What was chosen, one call after another."""


class ScriptPolicy:
    """Makes the calls of a script as long as the model offers them."""

    def __init__(self, automaton: Automaton, script: Script) -> None:
        self._automaton = automaton
        self._script = script
        self._calls = 0

    @property
    def is_done(self) -> bool:
        """Whether every call was made."""
        return self._calls >= len(self._script)

    def begin(self) -> None:
        """From the first call on."""
        self._calls = 0

    def next_send(self, state: int) -> Edge | None:
        """The call that comes next in the script; None where the run has left it."""
        if self.is_done:
            return None
        return _edge(self._automaton, state, self._script[self._calls].send)

    def took(self, edge: Edge) -> None:
        """Count calls."""
        self._calls += isinstance(edge.branch, Send)


def follows(automaton: Automaton, script: Script) -> bool:
    """Whether a script is a way through the model, up to the response to its last call."""
    state = 0
    for index, choice in enumerate(script):
        sent = _edge(automaton, state, choice.send)
        if sent is None:
            return False
        if index == len(script) - 1:
            break
        answered = _edge(automaton, sent.target, choice.receive or ())
        if answered is None:
            return False
        state = answered.target
    return True


def _edge(automaton: Automaton, state: int, key: Key) -> Edge | None:
    return next((edge for edge in automaton.edges_of(state) if edge.key == key), None)


def shortest(automaton: Automaton, last: Key, seen: Collection[Key]) -> Script | None:
    """The fewest calls that end with one branch, through responses that were seen before."""
    ways: dict[int, Script] = {0: ()}
    waiting = deque([0])
    while waiting:
        state = waiting.popleft()
        if automaton.states[state].kind is not Kind.CHOOSE:
            continue
        for sent in automaton.edges_of(state):
            if sent.key == last:
                return (*ways[state], Choice(last, None))
            for answered in automaton.edges_of(sent.target):
                if answered.key in seen and answered.target not in ways:
                    ways[answered.target] = (*ways[state], Choice(sent.key, answered.key))
                    waiting.append(answered.target)
    return None


def shorter(automaton: Automaton, script: Script) -> Iterator[Script]:
    """The script without rounds of loops, and whatever else can be left out; the shortest first.

    The last call stays.
    """
    size = len(script)
    for left_out in range(size - 1, 0, -1):
        for start in range(size - left_out):
            candidate = script[:start] + script[start + left_out :]
            if follows(automaton, candidate):
                yield candidate


def labelled(automaton: Automaton, labels: Sequence[str], last: str = "") -> Script | None:
    """The choices behind the labels of calls; None where the model has no such way.

    `last` is the branch of the last call as text, where that is known.
    """

    def found(state: int, index: int) -> Script | None:
        is_last = index == len(labels) - 1
        for sent in automaton.edges_of(state):
            if is_last and last and branch_text(sent.key) != last:
                continue
            if is_last and labels[index] == sent.label:
                return (Choice(sent.key, None),)
            for answered in automaton.edges_of(sent.target):
                if labels[index] != f"{sent.label} {answered.label}":
                    continue
                rest = () if is_last else found(answered.target, index + 1)
                if rest is not None:
                    return (Choice(sent.key, answered.key), *rest)
        return None

    return found(0, 0) if labels else None


def branch_text(key: Key) -> str:
    """A branch by the way down to it, which stays the same while the model does."""
    return "/".join(map(str, key))
