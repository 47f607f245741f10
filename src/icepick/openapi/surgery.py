"""Put a key into mappings of a document and leave every other byte of its text as it is."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

import yaml

from icepick.errors import Code, DocumentError, Place
from icepick.openapi.options import ReadOptions
from icepick.openapi.source import Path, Source, pointer
from icepick.openapi.syntax import parse
from icepick.openapi.types import Json

Lines = list[str]


@dataclass(frozen=True, slots=True)
class Insertion:
    """A value to stand under a key of the mapping at `path`, in place of what is there."""

    path: Path
    key: str
    value: Json


@dataclass(frozen=True, slots=True)
class _Edit:
    start: int
    end: int
    text: str


def insert(source: Source, insertions: Iterable[Insertion]) -> str:
    """The text with the insertions made; one whose mapping is not in this text is passed over.

    DocumentError where the text cannot take them without changing more than they say.
    """
    found = [(one, node) for one in insertions if (node := _mapping(source, one)) is not None]
    _check_shared(source, found)
    starts = _line_starts(source.text)
    edits = [
        (_flow if node.flow_style else _block)(source.text, starts, node, one)
        for one, node in found
    ]
    text = source.text
    newline = "\r\n" if "\r\n" in text else "\n"
    for made in sorted(edits, key=lambda e: e.start, reverse=True):
        text = text[: made.start] + made.text.replace("\n", newline) + text[made.end :]
    _check_result(source, text, [one for one, _ in found])
    return text


def _mapping(source: Source, insertion: Insertion) -> yaml.MappingNode | None:
    node = source.node(insertion.path)
    return node if isinstance(node, yaml.MappingNode) else None


def _check_shared(source: Source, found: list[tuple[Insertion, yaml.MappingNode]]) -> None:
    """Two places that are one text, through a YAML alias, cannot get different keys."""
    owners: dict[int, Insertion] = {}
    for insertion, node in found:
        other = owners.setdefault(id(node), insertion)
        if other.value != insertion.value:
            raise DocumentError(
                Code.SHARED_BY_ALIAS,
                f"{pointer(insertion.path)} and {pointer(other.path)} are one text, by an alias",
                place=source.place(insertion.path),
                hint="write the mapping out in place of the alias, so that each can have its own",
            )


def _check_result(source: Source, text: str, insertions: list[Insertion]) -> None:
    """Nothing is written that does not read back as what it was, plus what was inserted."""
    # Through JSON, so that what an alias shares becomes two values.
    expected = json.loads(json.dumps(source.content))
    for insertion in insertions:
        target = expected
        for part in insertion.path:
            target = target[part]
        target[insertion.key] = insertion.value
    if parse(text, source.name, ReadOptions()).content != expected:
        raise DocumentError(
            Code.CANNOT_EXTEND,
            f"{source.name} is written in a way that cannot be extended without changing it",
            place=Place(source.name),
            hint="convert it to plain block YAML or JSON, and try again",
        )


def _line_starts(text: str) -> list[int]:
    starts = [0]
    for index, character in enumerate(text):
        if character == "\n":
            starts.append(index + 1)
    return starts


def _offset(mark: yaml.Mark, starts: list[int]) -> int:
    return starts[mark.line] + int(mark.column) if mark.line < len(starts) else starts[-1]


def _entry(node: yaml.MappingNode, key: str) -> tuple[yaml.Node, yaml.Node] | None:
    return next(((k, v) for k, v in node.value if k.value == key), None)


def _end(node: yaml.Node, starts: list[int], text: str) -> int:
    """Where a value really ends: a block collection's own mark is where the next thing starts."""
    if isinstance(node, (yaml.MappingNode, yaml.SequenceNode)) and not node.flow_style:
        if not node.value:
            return _offset(node.start_mark, starts)
        last = node.value[-1]
        return _end(last[1] if isinstance(last, tuple) else last, starts, text)
    end = _offset(node.end_mark, starts)
    while end > 0 and text[end - 1] in " \t\r\n" and end > _offset(node.start_mark, starts):
        end -= 1
    return end


def _block(text: str, starts: list[int], node: yaml.MappingNode, insertion: Insertion) -> _Edit:
    """A key of its own lines, indented like its neighbours."""
    column = _column(node)
    known = _entry(node, insertion.key)
    step = _step(node, column)
    lines = _yaml_lines(insertion.key, insertion.value, step)
    body = "\n".join(" " * column + line for line in lines)
    if known is not None:
        start = starts[known[0].start_mark.line]
        return _Edit(start, _line_end(_end(known[1], starts, text), text), body)
    end = _line_end(_end(node, starts, text), text)
    return _Edit(end, end, "\n" + body)


def _column(node: yaml.MappingNode) -> int:
    """Where keys stand: the mapping's own mark may be that of an anchor before it."""
    return int((node.value[0][0] if node.value else node).start_mark.column)


def _line_end(offset: int, text: str) -> int:
    """The end of the line that an offset is in, so that a comment behind a value stays with it."""
    end = text.find("\n", offset)
    end = len(text) if end < 0 else end
    return end - 1 if end > offset and text[end - 1] == "\r" else end


def _step(node: yaml.MappingNode, column: int) -> int:
    """How deep this document indents: as the first mapping inside this one does."""
    for _, value in node.value:
        if isinstance(value, yaml.MappingNode) and not value.flow_style and value.value:
            return max(1, _column(value) - column)
    return 2


def _yaml_lines(key: str, value: Json, step: int) -> Lines:
    if isinstance(value, dict) and value:
        inner = [line for name, part in value.items() for line in _yaml_lines(name, part, step)]
        return [f"{key}:", *(" " * step + line for line in inner)]
    if isinstance(value, list) and value and all(_is_word(part) for part in value):
        return [f"{key}: [{', '.join(value)}]"]
    if isinstance(value, list) and value:
        return [f"{key}:", *(" " * step + f"- {_yaml_scalar(part)}" for part in value)]
    return [f"{key}: {_yaml_scalar(value)}"]


def _is_word(value: Json) -> bool:
    """A text short and plain enough to stand in a row; digits alone would be read as a number."""
    return isinstance(value, str) and len(value) <= 10 and value.isalnum() and value[0].isalpha()


def _yaml_scalar(value: Json) -> str:
    if isinstance(value, str) and "\n" not in value:
        return "'" + value.replace("'", "''") + "'"
    return json.dumps(value, ensure_ascii=False)


def _flow(text: str, starts: list[int], node: yaml.MappingNode, insertion: Insertion) -> _Edit:
    """A key inside braces, on lines of its own where its neighbours have such."""
    known = _entry(node, insertion.key)
    opening, closing = _offset(node.start_mark, starts), _offset(node.end_mark, starts) - 1
    first = node.value[0][0] if node.value else None
    spread = first is not None and first.start_mark.line > node.start_mark.line
    column = int(first.start_mark.column) if first is not None and spread else 0
    closing_column = closing - starts[bisect_right(starts, closing) - 1]
    step = max(1, column - closing_column) if spread else None
    value = json.dumps(insertion.value, ensure_ascii=False, indent=step)
    body = f"{json.dumps(insertion.key)}: {value}".replace("\n", "\n" + " " * column)
    if known is not None:
        return _Edit(_offset(known[0].start_mark, starts), _end(known[1], starts, text), body)
    if first is None:
        return _Edit(opening + 1, closing, body)
    end = _end(node.value[-1][1], starts, text)
    return _Edit(end, end, f",\n{' ' * column}{body}" if spread else f", {body}")
