"""From bytes to answers, and to the identifiers that they carry."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from icepick.execute.types import Headers, Response
from icepick.glacier import Answer
from icepick.openapi.nested import leaves
from icepick.openapi.places import holes, pattern_of
from icepick.openapi.types import ABSENT, Json
from icepick.resources.types import Identifier, Path, Use
from icepick.resources.words import words

_DEEPEST = 4
_MOST_VALUES = 10_000
_DECODER = json.JSONDecoder()


class Content(NamedTuple):
    """The body of an answer: its media type without parameters, and its value.

    That is JSON where it is JSON, else its text; ABSENT where there is none. `is_broken` where it
    says that it is JSON, and is not.
    """

    kind: str
    value: Json
    is_broken: bool = False


def answer_of(response: Response) -> Answer:
    """A response as contracts see it; a body that is no JSON is a text."""
    headers = dict(reversed(response.headers))
    return Answer(response.status, headers, content_of(response).value)


def content_of(response: Response) -> Content:
    """The body of an answer, which several look at one after another."""
    return _content(response.headers, response.body)


def body_of(response: Response) -> Json:
    """The value of a body."""
    return content_of(response).value


def kind_of(response: Response) -> str:
    """The media type of a body, without its parameters."""
    return _kind(response.headers)


def says_json(kind: str) -> bool:
    """Whether a media type is JSON."""
    return kind.endswith(("/json", "+json"))


@lru_cache(maxsize=500)
def _kind(headers: Headers) -> str:
    stated = next((value for name, value in headers if name.lower() == "content-type"), "")
    return stated.split(";")[0].strip().lower()


@lru_cache(maxsize=32)
def _content(headers: Headers, body: bytes) -> Content:
    kind = _kind(headers)
    if not body:
        return Content(kind, ABSENT)
    if kind and not says_json(kind):
        return Content(kind, body.decode("utf-8", "replace"))
    try:
        return Content(kind, _loaded(body))
    except (ValueError, RecursionError):
        return Content(kind, body.decode("utf-8", "replace"), is_broken=bool(kind))


def _loaded(body: bytes) -> Json:
    # What begins with two bytes of ASCII is UTF-8; json.loads would look for other encodings.
    if body[0] < 0x80 and 0 not in body[:2]:
        return _DECODER.decode(body.decode("utf-8", "surrogatepass"))
    return json.loads(body)


def at(value: Json, path: Path) -> Json:
    """What stands at a place inside a body; ABSENT where there is nothing."""
    for part in path:
        if not isinstance(value, dict) or part not in value:
            return ABSENT
        value = value[part]
    return value


def fields_of(value: Json, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    """The fields of a body: objects are entered, lists are taken whole."""
    if isinstance(value, Mapping) and value and len(path) < _DEEPEST:
        for name, inner in value.items():
            yield from fields_of(inner, (*path, str(name)))
    elif path:
        yield path, value


def texts_in(body: Json) -> Iterator[str]:
    """The values in a body, as they would stand in a path."""
    for _, value in leaves(body, _MOST_VALUES):
        if isinstance(value, str | int | float):
            yield str(value).lower() if isinstance(value, bool) else str(value)


def identifier_in(answer: Answer, use: Use, identifier: Identifier, item_path: str | None) -> Json:
    """The identifier that a service gave to what it created; ABSENT where it does not say.

    It stands where the document says, or anywhere under the same name, or under the name that it
    has in paths, or in `Location`. A list of one is as good as that one.
    """
    start = use.response.path if use.response is not None else ()
    shown = at(answer.body, start)
    alone = shown[0] if isinstance(shown, list) and len(shown) == 1 else shown
    if identifier.property is not None:
        for body, path in ((alone, identifier.property), (answer.body, identifier.property)):
            found = at(body, path)
            if _is_identifier(found):
                return found
        found = _named(alone if shown is answer.body else answer.body, identifier.property[-1])
        if _is_identifier(found):
            return found
    for name in alone if isinstance(alone, Mapping) else ():
        if words(name) == words(identifier.parameter) and _is_identifier(alone[name]):
            return alone[name]
    return _located(answer, identifier, item_path)


def _is_identifier(value: Json) -> bool:
    return isinstance(value, str | int | float) and value != "" and not isinstance(value, bool)


def _named(body: Json, name: str) -> Json:
    """The value of that name nearest to the top, through objects only."""
    level = [body]
    while level:
        objects = [one for one in level if isinstance(one, Mapping)]
        for one in objects:
            if _is_identifier(one.get(name, ABSENT)):
                return one[name]
        level = [inner for one in objects for inner in one.values()]
    return ABSENT


def _located(answer: Answer, identifier: Identifier, item_path: str | None) -> Json:
    location = next((v for k, v in answer.headers.items() if k.lower() == "location"), None)
    if not isinstance(location, str):
        return ABSENT
    path = urlsplit(location).path.rstrip("/")
    if item_path is not None:
        match = re.search(f"{pattern_of(item_path.rstrip('/'))}$", path)
        names = holes(item_path)
        if match is not None and identifier.parameter in names:
            return _typed(unquote(match.group(names.index(identifier.parameter) + 1)), identifier)
    last = path.rpartition("/")[2]
    if not last or last == _list_name(item_path):
        # Where all of them are is not where this one is.
        return ABSENT
    return _typed(unquote(last), identifier)


def _list_name(item_path: str | None) -> str | None:
    """The last part of the path of the list that an item is in."""
    return item_path.rpartition("/{")[0].rpartition("/")[2] if item_path is not None else None


def _typed(text: str, identifier: Identifier) -> Json:
    kinds = identifier.schema.get("type")
    numeric = kinds in {"integer", "number"}
    return int(text) if numeric and re.fullmatch(r"-?\d{1,19}", text) else text
