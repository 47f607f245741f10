"""State graphs as DOT text: written for people and tools, read as TLC dumps them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from icepick.errors import Code, ExploreError
from icepick.errors import Place as TextPlace
from icepick.explore.graph import decode, edges_of, outgoing, state_text
from icepick.explore.types import Exploration

_TEXT = r'"((?:[^"\\]|\\.)*)"'
_NODE = re.compile(rf"(-?\d+) \[label={_TEXT}(.*)\];?$")
_EDGE = re.compile(rf"(-?\d+) -> (-?\d+) \[label={_TEXT}.*\];?$")
_ESCAPE = re.compile(r"\\(.)")
_CALL = re.compile(r"([^\s(]+)\s*(?:\((.*)\))?$", re.DOTALL)
_MEANING = {"n": "\n", "l": "\n", "r": "\n", "t": "\t"}


@dataclass(frozen=True, slots=True)
class DotEdge:
    """A transition; older versions of TLC leave out the arguments."""

    source: str
    target: str
    action: str
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DotGraph:
    """States by identifier with their text, and each distinct transition once.

    `lines` counts the lines that transitions were read from, repetitions included.
    """

    states: dict[str, str]
    initial: tuple[str, ...]
    edges: tuple[DotEdge, ...]
    lines: int


def write_dot(exploration: Exploration, path: Path) -> None:
    """Write the state graph, a line per state and per transition."""
    edges_of(exploration)
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in dot_lines(exploration))


def dot_lines(exploration: Exploration) -> Iterator[str]:
    """The lines of the DOT text."""
    yield f"digraph {_quote(exploration.model.name)} {{"
    yield "node [shape=box,style=rounded]"
    finals = set(exploration.finals.tolist())
    layout = exploration.machine.layout
    for state in range(exploration.states.shape[1]):
        text = _quote(state_text(decode(layout, exploration.states[:, state])))
        style = ",style=filled" if state == 0 else ",peripheries=2" if state in finals else ""
        yield f"{state} [label={text}{style}];"
        for action, target in outgoing(exploration, state):
            yield f"{state} -> {target} [label={_quote(exploration.actions[action].name)}];"
    yield "}"


def _quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def read_dot(path: Path) -> DotGraph:
    """Read a dump of TLC (`-dump dot,actionlabels`) or what `write_dot` wrote."""
    states: dict[str, str] = {}
    initial: list[str] = []
    edges: dict[DotEdge, None] = {}
    lines = 0
    with path.open(encoding="utf-8") as file:
        for line in map(str.rstrip, file):
            if match := _EDGE.match(line):
                edges[_edge(*match.groups())] = None
                lines += 1
            elif (match := _NODE.match(line)) and match[1] not in states:
                states[match[1]] = _unescape(match[2])
                initial += [match[1]] if "filled" in match[3] else []
    if not states:
        raise ExploreError(
            Code.NOT_A_STATE_GRAPH,
            "no state of a state graph was found",
            place=TextPlace(str(path)),
            hint="Write the file with `-dump dot,actionlabels` of TLC.",
        )
    return DotGraph(states, tuple(initial), tuple(edges), lines)


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda match: _MEANING.get(match[1], match[1]), text)


def _edge(source: str, target: str, label: str) -> DotEdge:
    match = _CALL.match(_unescape(label).strip())
    if match is None:
        return DotEdge(source, target, "", ())
    return DotEdge(source, target, match[1], tuple(_arguments(match[2] or "")))


def _arguments(text: str) -> Iterator[str]:
    """Split at commas outside of brackets."""
    depth, start = 0, 0
    for i, char in enumerate(text):
        depth += (char in "({[<") - (char in ")}]>")
        if char == "," and depth == 0:
            yield text[start:i].strip()
            start = i + 1
    if text[start:].strip():
        yield text[start:].strip()
