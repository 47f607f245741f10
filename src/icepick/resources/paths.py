"""Paths taken apart: which of them address an item, which a collection."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from icepick.openapi.types import Operation, ParameterLocation
from icepick.resources.fields import request_schema, response_schema
from icepick.resources.words import Words, is_generic, noun, words

_FORMAT = re.compile(r"(?<=.)\.(?:json|xml|yaml|csv|html)$", re.IGNORECASE)
_SPLIT = re.compile(r"/|(?<=[^/])(?=\(\{)|(?<=[^/])(?=:[A-Za-z])")
_PARAMETER = re.compile(r"\{([^{}]+)\}")
CHANGING_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_VERSION = re.compile(r"v[0-9]+(\.[0-9]+)*|api|rest", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Segment:
    """The text between two slashes; `parameter` where it is a name in braces."""

    text: str
    parameter: str | None

    @property
    def name(self) -> str:
        """The text without the ending of a format: `players.json` is `players`."""
        return _FORMAT.sub("", self.text)

    @classmethod
    def parse(cls, text: str) -> Segment:
        """A segment such as `players`, `{pid}` or `{pid}.json`."""
        found = _PARAMETER.search(text)
        return cls(text, found.group(1) if found else None)


@dataclass(frozen=True, slots=True)
class PathNode:
    """A path that occurs in the document, by itself or as the beginning of another."""

    segments: tuple[Segment, ...]
    operations: tuple[Operation, ...]

    @property
    def path(self) -> str:
        """The template, without a trailing slash."""
        texts = [segment.text for segment in self.segments]
        return "".join(text if text[0] in "(:" else f"/{text}" for text in texts)

    @property
    def key(self) -> tuple[str, ...]:
        """What identifies it, whatever its parameters are called."""
        return key(self.segments)

    @property
    def last(self) -> Segment:
        """Its last segment."""
        return self.segments[-1]

    def by_method(self, method: str) -> Operation | None:
        """The operation of that method."""
        return next((o for o in self.operations if o.method == method), None)

    @property
    def methods(self) -> frozenset[str]:
        """The methods it has operations for."""
        return frozenset(operation.method for operation in self.operations)

    @property
    def changing(self) -> frozenset[str]:
        """The methods that change something; a POST that is GET spelled otherwise does not."""
        return frozenset(
            operation.method
            for operation in self.operations
            if operation.method in CHANGING_METHODS and not self._is_query(operation)
        )

    def _is_query(self, operation: Operation) -> bool:
        get = self.by_method("GET")
        if operation.method != "POST" or get is None or self.methods - {"GET", "POST"}:
            return False
        same_body = request_schema(operation) == request_schema(get)
        same_answer = response_schema(operation) == response_schema(get) is not None
        asked, told = (
            {p.name for p in one.parameters if p.location is not ParameterLocation.PATH}
            for one in (get, operation)
        )
        # The same answer alone could be an action: the question must be the same one too.
        same_question = asked == told and (bool(asked) or operation.summary == get.summary != "")
        return same_body and same_answer and same_question

    @property
    def noun(self) -> Words:
        """What the path names, in the singular.

        In `/books/id/{id}` and `/books/isbn/{isbn}` the segment before the parameter only says
        which key is meant.
        """
        fixed = [s.name for s in self.segments if s.parameter is None]
        named = [text for text in fixed if not _VERSION.fullmatch(text)]
        parameter = self.last.parameter
        if parameter and len(named) > 1 and _is_key(words(named[-1]), words(parameter)):
            named.pop()
        return noun(named[-1]) if named else ()


def _is_key(segment: Words, parameter: Words) -> bool:
    return segment == parameter or segment[-1:] == ("id",) or is_generic(segment) or "by" in segment


def place_of(item_path: str, template: str) -> str | None:
    """What the identifier of an item path is called in another path that begins like it.

    Below `/pools/{name}`, `/pools/{pool_name}/queues` calls it `pool_name`. None where the path
    does not begin so, or the item path does not end in an identifier.
    """
    ours, theirs = _segments(item_path), _segments(template)
    if not ours or key(theirs[: len(ours)]) != key(ours):
        return None
    return theirs[len(ours) - 1].parameter


def key(segments: Iterable[Segment]) -> tuple[str, ...]:
    """Segments with every parameter made alike."""
    return tuple("{}" if segment.parameter else segment.name for segment in segments)


def _segments(path: str) -> tuple[Segment, ...]:
    """The segments of a path; `Products({id})` is a collection and its item as well, and
    `/orders/{id}:cancel` an item and what is done to it."""
    return tuple(Segment.parse(part) for part in _SPLIT.split(path) if part)


class PathTree:
    """All paths of an API and their beginnings."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        found: dict[tuple[str, ...], tuple[tuple[Segment, ...], list[Operation]]] = {}
        for operation in operations:
            segments = _segments(operation.path)
            for length in range(1, len(segments)):
                found.setdefault(key(segments[:length]), (segments[:length], []))
            if segments:
                known, own = found.get(key(segments), (segments, []))
                # The spelling of a path with operations counts, not that of a beginning.
                found[key(segments)] = (known if own else segments, [*own, operation])
        self._nodes = {
            name: PathNode(segments, tuple(own)) for name, (segments, own) in found.items()
        }
        self._children: dict[tuple[str, ...], list[PathNode]] = defaultdict(list)
        for node in self._nodes.values():
            self._children[node.key[:-1]].append(node)

    def __iter__(self) -> Iterator[PathNode]:
        return iter(self._nodes.values())

    def parent(self, node: PathNode) -> PathNode | None:
        """The path one segment shorter."""
        return self._nodes.get(node.key[:-1])

    def children(self, node: PathNode) -> list[PathNode]:
        """The paths one segment longer."""
        return self._children.get(node.key, [])

    def beside(self, node: PathNode) -> list[PathNode]:
        """The other paths with the same beginning but for the last segment."""
        return [one for one in self._children.get(node.key[:-1], []) if one.key != node.key]
