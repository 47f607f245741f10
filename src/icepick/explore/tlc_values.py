"""States as TLC prints them, read back into packed integers."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from icepick.errors import Code, ExploreError
from icepick.explore.layout import DANGLING, NULL, Array, Layout, value_text
from icepick.model.tla_names import Names, identifier, string_text
from icepick.model.types import Choice, Domain, Flag, Numbers

Value = str | int | bool | dict["Value", "Value"] | frozenset["Value"]
"""A model value by its name, a string with its quotes, a number, a boolean, a map or a set."""

_TOKEN = re.compile(r'\s*(<<|>>|:>|@@|\|->|/\\|[\[\](){},=]|"(?:[^"\\]|\\.)*"|-?\d+|\w+)')


def parse_state(text: str) -> dict[str, Value]:
    """The variables of a state written as `/\\ name = value` after another."""
    return _Reader(text).state()


class _Reader:
    """Reads values from a text, token by token."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(_tokens(text))
        self._at = 0

    def state(self) -> dict[str, Value]:
        variables: dict[str, Value] = {}
        while self._at < len(self._tokens):
            if self._peek() == "/\\":
                self._take()
            name = self._take()
            self._take("=")
            variables[name] = self._value()
        return variables

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self, wanted: str | None = None) -> str:
        token = self._peek()
        if not token or (wanted is not None and token != wanted):
            raise _unreadable(self._text)
        self._at += 1
        return token

    def _value(self) -> Value:
        token = self._take()
        match token:
            case "<<":  # the empty map: the model has no tuples
                self._take(">>")
                return {}
            case "(":
                return self._map(":>", "@@", ")")
            case "[":
                return self._map("|->", ",", "]")
            case "{":
                return frozenset(self._members())
            case "TRUE":
                return True
            case "FALSE":
                return False
        return int(token) if re.fullmatch(r"-?\d+", token) else token

    def _map(self, arrow: str, comma: str, close: str) -> dict[Value, Value]:
        entries: dict[Value, Value] = {}
        while True:
            key = self._take()
            self._take(arrow)
            entries[key] = self._value()
            if self._take() == close:
                return entries
            self._at -= 1
            self._take(comma)

    def _members(self) -> Iterator[Value]:
        while self._peek() != "}":
            yield self._value()
            if self._peek() == ",":
                self._take()
        self._take("}")


def _tokens(text: str) -> Iterator[str]:
    at = 0
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if match is None:
            raise _unreadable(text)
        yield match[1]
        at = match.end()


def _unreadable(text: str) -> ExploreError:
    return ExploreError(
        Code.NOT_A_STATE_GRAPH,
        f"this is not a state of the model: {text[:200]}",
        hint="Run TLC on the module that icepick wrote, unchanged.",
    )


class StateReader:
    """Packs states that TLC printed."""

    def __init__(self, layout: Layout, names: Names) -> None:
        self._layout = layout
        self._names = names
        self._codes = {r.name: self._record_codes(r.name) for r in layout.model.resources}

    def pack(self, states: list[dict[str, Value]]) -> Array:
        """The packed states, one row per word."""
        digits = np.zeros((len(self._layout.places), len(states)), dtype=np.int64)
        for column, state in enumerate(states):
            for row, place in enumerate(self._layout.places):
                digits[row, column] = self._digit(state, place.resource, place.value)
        return self._layout.pack(list(digits))

    def _digit(self, state: dict[str, Value], resource: str, value: int) -> int:
        instances = state.get(self._names.maps[resource])
        if not isinstance(instances, dict):
            raise _unreadable(str(state))
        key = identifier(self._layout.model.resource(resource).value_name(value))
        if key not in instances:
            return 0
        record = instances[key]
        if not isinstance(record, dict):
            raise _unreadable(str(state))
        return 1 + sum(
            codes[record[name]] * weight for name, weight, codes in self._codes[resource]
        )

    def _record_codes(self, resource: str) -> list[tuple[str, int, dict[Value, int]]]:
        """For each field its name, its weight and the digit of each value that TLC may print."""
        fields = self._layout.model.resource(resource).fields
        return [
            (
                place.name,
                place.weight,
                {self._printed(field.domain, code): d for d, code in enumerate(place.values)},
            )
            for field, place in zip(fields, self._layout.records[resource], strict=True)
        ]

    def _printed(self, domain: Domain, code: int) -> Value:
        if code in (NULL, DANGLING):
            return "Null" if code == NULL else "Dangling"
        if isinstance(domain, Numbers):
            return code
        if isinstance(domain, Flag):
            return bool(code)
        text = value_text(self._layout.model, domain, code, self._layout.symbols)
        return string_text(text) if isinstance(domain, Choice) else identifier(text)
