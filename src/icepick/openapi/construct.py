"""From YAML nodes to the values that JSON knows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import yaml

from icepick.errors import Code, DocumentError, Place
from icepick.openapi.limits import too_deep
from icepick.openapi.options import ReadOptions
from icepick.openapi.types import Json

_TAG = "tag:yaml.org,2002:"
_INTEGER = re.compile(r"[-+]?[0-9]+|0x[0-9a-fA-F]+|0o[0-7]+")
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_POWER = re.compile(_NUMBER.pattern.removesuffix("?"))
_DIGITS = 4000  # Python converts no longer ones
_INFINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


@dataclass(frozen=True, slots=True)
class _Built:
    """A value with the number of values in it and its depth, both with aliases expanded."""

    value: Json
    size: int
    height: int


def _around(value: Json, parts: Sequence[_Built]) -> _Built:
    height = 1 + max((part.height for part in parts), default=0)
    return _Built(value, 1 + sum(part.size for part in parts), height)


class Constructor:
    """Builds values from YAML nodes as JSON would have them: string keys, no dates, no `yes`.

    PyYAML's own constructor follows YAML 1.1, in which `no` is false and `2020-01-01` a date; the
    OpenAPI specification asks for the JSON schema rules of YAML 1.2.
    """

    def __init__(self, name: str, options: ReadOptions) -> None:
        self._name = name
        self._options = options
        self._built: dict[int, _Built] = {}
        self._open: set[int] = set()
        self.duplicated = False

    def construct(self, node: yaml.Node) -> Json:
        """The value of a whole document."""
        return self._build(node, 0).value

    def _build(self, node: yaml.Node, depth: int) -> _Built:
        built = self._built.get(id(node))
        if depth + (built.height if built else 0) > self._options.max_depth:
            raise too_deep(self._name, self._options)
        if built is not None:
            return built
        if id(node) in self._open:
            raise self._error(Code.ALIAS_BOMB, "an alias refers to the mapping it stands in", node)
        self._open.add(id(node))
        built = self._value(node, depth)
        self._open.discard(id(node))
        if built.size > self._options.max_nodes:
            message = f"aliases expand to more than {self._options.max_nodes:,} values"
            raise self._error(Code.ALIAS_BOMB, message, node)
        self._built[id(node)] = built
        return built

    def _value(self, node: yaml.Node, depth: int) -> _Built:
        if isinstance(node, yaml.ScalarNode):
            return _Built(self._scalar(node), 1, 0)
        if isinstance(node, yaml.SequenceNode):
            self._check_tag(node, "seq")
            parts = [self._build(element, depth + 1) for element in node.value]
            return _around([part.value for part in parts], parts)
        self._check_tag(node, "map")
        return self._mapping(node, depth)

    def _mapping(self, node: yaml.Node, depth: int) -> _Built:
        own: dict[str, Json] = {}
        merged: dict[str, Json] = {}
        parts = []
        for key, child in node.value:
            part = self._build(child, depth + 1)
            parts.append(part)
            if key.tag == _TAG + "merge":
                self._merge(merged, part.value, child)
            else:
                name = self._key(key)
                self.duplicated |= name in own
                own[name] = part.value
        return _around({**merged, **own}, parts)

    def _merge(self, into: dict[str, Json], value: Json, node: yaml.Node) -> None:
        parts = value if isinstance(value, list) else [value]
        for part in parts:
            if not isinstance(part, dict):
                raise self._error(Code.SYNTAX, "`<<` merges mappings only", node)
            for key, item in part.items():
                into.setdefault(key, item)

    def _key(self, node: yaml.Node) -> str:
        if not isinstance(node, yaml.ScalarNode):
            raise self._error(Code.SYNTAX, "a key must be a plain text", node)
        return str(node.value)

    def _scalar(self, node: yaml.ScalarNode) -> Json:
        text = str(node.value)
        kind = node.tag.removeprefix(_TAG)
        if kind == "str" and not node.style and _POWER.fullmatch(text):
            return float(text)  # YAML 1.1 takes 1e3 for a text
        if kind in {"str", "timestamp", "value", "binary", "merge"}:
            return text
        if kind == "null":
            return None
        if kind == "bool":
            return {"true": True, "false": False}.get(text.lower(), text)
        if kind in {"int", "float"}:
            return _number(text)
        raise self._error(Code.SYNTAX, f"the tag {node.tag} is not allowed", node)

    def _check_tag(self, node: yaml.Node, kind: str) -> None:
        if node.tag != _TAG + kind:
            raise self._error(Code.SYNTAX, f"the tag {node.tag} is not allowed", node)

    def _error(self, code: Code, message: str, node: yaml.Node) -> DocumentError:
        mark = node.start_mark
        return DocumentError(
            code,
            f"{self._name}: {message}",
            place=Place(self._name, mark.line + 1, mark.column + 1),
            hint="icepick reads plain YAML only: texts, numbers, lists and mappings",
        )


def _number(text: str) -> Json:
    if _INTEGER.fullmatch(text):
        base = {"0x": 16, "0o": 8}.get(text[:2], 10)
        return int(text, base) if base != 10 or len(text) <= _DIGITS else float(text)
    if _NUMBER.fullmatch(text):
        return float(text)
    if _INFINITE.fullmatch(text):
        return float(text.replace(".", ""))
    return text  # 1:30 or 1_000: numbers in YAML 1.1 only
