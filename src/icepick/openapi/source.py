"""A parsed text that can still say on which line each of its values stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import yaml

from icepick.errors import Place
from icepick.openapi.types import Json

YamlLoader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The C loader where PyYAML has it: ten times as fast, the same tree."""

Path = tuple[str, ...]


def pointer(path: Sequence[str]) -> str:
    """The JSON pointer of a path."""
    return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in path)


def path_of(text: str) -> Path:
    """The path that a JSON pointer means."""
    return tuple(unescaped(part) for part in text.split("/")[1:])


def unescaped(part: str) -> str:
    """A part of a JSON pointer as it is called."""
    return part.replace("~1", "/").replace("~0", "~")


@dataclass(frozen=True)
class Source:
    """One document: its name, its text and its content. Lines are worked out on demand only."""

    name: str
    text: str
    content: Json
    is_json: bool
    has_duplicate_keys: bool = False

    @cached_property
    def tree(self) -> yaml.Node | None:
        """The text as YAML nodes, which know their lines; JSON is YAML but for two details."""
        text = self.text
        if self.is_json:
            text = re.sub(r"\\u[0-9a-fA-F]{4}", r"\\u0020", text.replace("\t", " "))
        try:
            tree: yaml.Node | None = yaml.compose(text, Loader=YamlLoader)
        except yaml.YAMLError:
            return None
        return tree

    @cached_property
    def _members(self) -> dict[int, dict[str, tuple[yaml.Node, yaml.Mark]]]:
        """The members of each mapping of the tree asked for so far, by the mapping's id."""
        return {}

    def node(self, path: Path) -> yaml.Node | None:
        """The YAML node at a path, with its marks; None where the path leads nowhere."""
        node = self.tree
        for part in path:
            node, _ = self._child(node, part)
        return node

    def place(self, path: Path = ()) -> Place:
        """Where a value stands; as near as can be told if the path leads nowhere."""
        mark = None
        node = self.tree
        for part in path:
            node, found = self._child(node, part)
            mark = found or mark
        if mark is None and self.tree is not None:
            mark = self.tree.start_mark
        if mark is None:
            return Place(self.name, pointer=pointer(path) or None)
        return Place(self.name, mark.line + 1, mark.column + 1, pointer(path) or None)

    def _child(
        self, node: yaml.Node | None, part: str
    ) -> tuple[yaml.Node | None, yaml.Mark | None]:
        if isinstance(node, yaml.MappingNode):
            if id(node) not in self._members:
                # Of keys that stand twice the last one counts, here as in the content.
                self._members[id(node)] = {
                    str(key.value): (value, key.start_mark) for key, value in node.value
                }
            return self._members[id(node)].get(part, (None, None))
        if isinstance(node, yaml.SequenceNode) and part.isascii() and part.isdigit():
            element = node.value[int(part)] if int(part) < len(node.value) else None
            return element, element.start_mark if element else None
        return None, None

    def duplicate_keys(self) -> Iterator[tuple[Path, str]]:
        """Every key that stands twice in one mapping, with the path of that mapping."""
        if self.tree is not None:
            yield from _duplicates(self.tree, (), set())


def _duplicates(node: yaml.Node, path: Path, done: set[int]) -> Iterator[tuple[Path, str]]:
    if id(node) in done:
        return
    done.add(id(node))
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            name = str(key.value)
            if name in seen and name != "<<":
                yield path, name
            seen.add(name)
            yield from _duplicates(value, (*path, name), done)
    elif isinstance(node, yaml.SequenceNode):
        for index, element in enumerate(node.value):
            yield from _duplicates(element, (*path, str(index)), done)


@dataclass(frozen=True, slots=True)
class Node:
    """A value inside a document, which knows where it stands."""

    source: Source
    path: Path
    value: Json

    @property
    def pointer(self) -> str:
        """Its JSON pointer."""
        return pointer(self.path)

    @property
    def is_mapping(self) -> bool:
        """Whether it is a JSON object."""
        return isinstance(self.value, dict)

    def place(self) -> Place:
        """Where it stands."""
        return self.source.place(self.path)

    def get(self, key: str) -> Node | None:
        """The value of a key; None where the node is no mapping or the key is absent or null."""
        if not isinstance(self.value, dict) or self.value.get(key) is None:
            return None
        return Node(self.source, (*self.path, key), self.value[key])

    def text(self, key: str, default: str = "") -> str:
        """A string under a key; the default where there is none."""
        value = self.value.get(key) if isinstance(self.value, dict) else None
        return value if isinstance(value, str) else default

    def flag(self, key: str, *, default: bool = False) -> bool:
        """A boolean under a key; the default where there is none."""
        value = self.value.get(key) if isinstance(self.value, dict) else None
        return value if isinstance(value, bool) else default

    def items(self) -> Iterator[tuple[str, Node]]:
        """The members of a mapping; nothing for anything else."""
        if isinstance(self.value, dict):
            for key, value in self.value.items():
                yield key, Node(self.source, (*self.path, key), value)

    def elements(self) -> Iterator[Node]:
        """The elements of a list; nothing for anything else."""
        if isinstance(self.value, list):
            for index, value in enumerate(self.value):
                yield Node(self.source, (*self.path, str(index)), value)
