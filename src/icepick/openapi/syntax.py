"""From text to values: JSON and YAML, guarded against documents made to exhaust memory."""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath

import yaml

from icepick.errors import Code, DocumentError, Place
from icepick.openapi.construct import Constructor
from icepick.openapi.limits import too_deep, too_many
from icepick.openapi.options import ReadOptions
from icepick.openapi.source import Source, YamlLoader
from icepick.openapi.types import Json

_MARKUP = re.compile(r"<[!?a-zA-Z]")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_YAML_SUFFIXES = {".yaml", ".yml"}


def parse(text: str, name: str, options: ReadOptions) -> Source:
    """The content of a document; every failure is a DocumentError that says where."""
    start = text.lstrip()[:200]
    if not start:
        raise DocumentError(Code.EMPTY, f"{name} is empty", place=Place(name))
    if _MARKUP.match(start):
        raise _markup(start, name)
    if start[0] in "{[":
        try:
            return _parse_json(text, name, options)
        except DocumentError as error:
            # Flow-style YAML also opens with a brace.
            if error.code is not Code.SYNTAX or not _looks_like_yaml(name):
                raise
    return _parse_yaml(text, name, options)


def _looks_like_yaml(name: str) -> bool:
    return PurePosixPath(name).suffix.lower() in _YAML_SUFFIXES


def _markup(start: str, name: str) -> DocumentError:
    kind = "an HTML page" if "html" in start.lower() else "XML"
    return DocumentError(
        Code.HTML,
        f"{name} is {kind}, not an OpenAPI document",
        place=Place(name, 1, 1),
        hint="a documentation page links to the document itself, often /openapi.json, "
        "/v3/api-docs or /swagger.json",
    )


def _excerpt(text: str, line: int) -> str | None:
    lines = text.splitlines()
    if not 0 < line <= len(lines) or len(lines[line - 1]) > 200:
        return None
    return lines[line - 1].replace("\t", " ")


def _parse_json(text: str, name: str, options: ReadOptions) -> Source:
    duplicated = False

    def built(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        nonlocal duplicated
        values = dict(pairs)
        duplicated |= len(values) < len(pairs)
        return values

    try:
        content = json.loads(text, object_pairs_hook=built, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        cut_off = error.pos >= len(text.rstrip())
        raise DocumentError(
            Code.SYNTAX,
            f"{name} is not valid JSON: {error.msg}",
            place=Place(name, error.lineno, error.colno, excerpt=_excerpt(text, error.lineno)),
            hint="the text ends too early; was the file cut off?" if cut_off else None,
        ) from error
    except RecursionError:
        raise too_deep(name, options) from None
    except ValueError as error:  # NaN, or an integer of more digits than Python converts
        raise DocumentError(
            Code.SYNTAX, f"{name} is not usable JSON: {error}", place=Place(name)
        ) from error
    _check_extent(content, name, options)
    if _SURROGATE.search(text):
        content = _well_formed(content)
    return Source(name, text, content, is_json=True, has_duplicate_keys=duplicated)


def _no_number(text: str) -> Json:
    raise ValueError(f"{text} is not a number in JSON")


def _well_formed(value: Json) -> Json:
    """The value with halves of characters, which JSON can escape, made whole replacements."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_well_formed(element) for element in value]
    if isinstance(value, dict):
        return {_well_formed(key): _well_formed(member) for key, member in value.items()}
    return value


def _check_extent(content: Json, name: str, options: ReadOptions) -> None:
    level, count = [content], 1
    for _ in range(options.max_depth):
        level = [
            child
            for value in level
            if isinstance(value, (dict, list))
            for child in (value.values() if isinstance(value, dict) else value)
        ]
        count += len(level)
        if count > options.max_nodes:
            raise too_many(name, options)
        if not level:
            return
    raise too_deep(name, options)


def _parse_yaml(text: str, name: str, options: ReadOptions) -> Source:
    try:
        _check_events(text, name, options)
        tree = yaml.compose(text, Loader=YamlLoader)
    except yaml.MarkedYAMLError as error:
        raise _yaml_error(error, text, name) from error
    except yaml.YAMLError as error:
        raise DocumentError(
            Code.SYNTAX, f"{name} is not valid YAML: {error}", place=Place(name)
        ) from error
    if tree is None:
        raise DocumentError(Code.EMPTY, f"{name} is empty", place=Place(name))
    constructor = Constructor(name, options)
    content = constructor.construct(tree)
    return Source(name, text, content, False, constructor.duplicated)


def _yaml_error(error: yaml.MarkedYAMLError, text: str, name: str) -> DocumentError:
    mark = error.problem_mark or error.context_mark
    reason = " ".join(part for part in (error.context, error.problem) if part)
    line, column = (mark.line + 1, mark.column + 1) if mark else (None, None)
    return DocumentError(
        Code.SYNTAX,
        f"{name} is not valid YAML: {reason}",
        place=Place(name, line, column, excerpt=_excerpt(text, line) if line else None),
        hint="YAML is indented with spaces, never with tabs" if _at_tab(text, mark) else None,
    )


def _at_tab(text: str, mark: yaml.Mark | None) -> bool:
    return mark is not None and text[mark.index : mark.index + 1] == "\t"


def _check_events(text: str, name: str, options: ReadOptions) -> None:
    """Refuse what the composer cannot bear: it overflows the C stack, and its nodes are large."""
    depth = 0
    for number, event in enumerate(yaml.parse(text, Loader=YamlLoader)):
        if number > 2 * options.max_nodes:
            raise too_many(name, options)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > options.max_depth:
                raise too_deep(name, options)
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
