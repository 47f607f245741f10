"""Parameters as text: style and explode, percent-encoded once and nowhere twice."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from urllib.parse import quote

from icepick.openapi.types import ABSENT, Json, Parameter, ParameterLocation

_RESERVED = ":/?@!$'()*,;"
"""What `allowReserved` leaves as it is: not `&`, `=`, `+` and `#`, which mean something else."""

_DELIMITERS = {"spaceDelimited": "%20", "pipeDelimited": "%7C", "form": ","}
_SCALARS = (str, int)
_IN_PATHS = {"simple": ("", ","), "label": (".", "."), "matrix": (";", ";")}
_HOLE = re.compile(r"\{([^{}]+)\}")
Encode = Callable[[str], str]


def scalar(value: Json) -> str:
    """One value as plain text: JSON's words for true, false and numbers, nothing for null."""
    if type(value) is str:
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict | list):
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return str(value)


def encoded(text: str) -> str:
    """A text percent-encoded whole, so that a slash in an id stays in its segment."""
    # Most identifiers have nothing to encode.
    return text if text.isalnum() and text.isascii() else quote(text, safe="")


def path_text(template: str, parameters: Iterable[Parameter], values: Mapping[str, Json]) -> str:
    """The path with its parameters filled in; a hole without a value stays."""
    known = {one.name: one for one in parameters if one.location is ParameterLocation.PATH}
    parts = list(_parted(template))
    for index in range(1, len(parts), 2):
        name = parts[index]
        value = values.get(name, ABSENT) if name in known else ABSENT
        parts[index] = f"{{{name}}}" if value is ABSENT else in_path(known[name], value)
    made = "".join(parts)
    if "/." not in made:
        return made
    # A segment of dots alone would be taken for a step up.
    return re.sub(r"(?<=/)\.{1,2}(?=/|$)", lambda dots: "%2E" * len(dots.group()), made)


@lru_cache(maxsize=5_000)
def _parted(template: str) -> tuple[str, ...]:
    """The texts of a path, and between them the names of its parameters."""
    return tuple(_HOLE.split(template))


def in_path(parameter: Parameter, value: Json) -> str:
    """What stands in the path in place of the parameter."""
    if parameter.content_type is not None:
        return encoded(_document(value))
    return _simple(parameter, value, encoded)


def header_texts(parameters: Iterable[Parameter], values: Mapping[str, Json]) -> dict[str, str]:
    """The headers that have a value."""
    return {
        one.name: _document(values[one.name], ascii_only=True)
        if one.content_type is not None
        else _simple(one, values[one.name], _header)
        for one in parameters
        if one.location is ParameterLocation.HEADER and values.get(one.name, ABSENT) is not ABSENT
    }


def query_text(parameters: Iterable[Parameter], values: Mapping[str, Json]) -> str:
    """The query without its question mark."""
    return "&".join(_pairs(parameters, values, ParameterLocation.QUERY))


def cookie_text(parameters: Iterable[Parameter], values: Mapping[str, Json]) -> str:
    """The value of the Cookie header; empty where there is no cookie."""
    return "; ".join(_pairs(parameters, values, ParameterLocation.COOKIE))


def _pairs(
    parameters: Iterable[Parameter], values: Mapping[str, Json], location: ParameterLocation
) -> list[str]:
    found: list[str] = []
    for one in parameters:
        if one.location is location and values.get(one.name, ABSENT) is not ABSENT:
            found += pairs(one, values[one.name])
    return found


def pairs(parameter: Parameter, value: Json) -> list[str]:
    """The `name=value` pairs of a parameter of query, cookie or form; none for an empty array."""
    encode = _reserved if parameter.allow_reserved else encoded
    name = encoded(parameter.name)
    if parameter.content_type is not None:
        return [f"{name}={encode(_document(value))}"]
    if isinstance(value, dict):
        return _object_pairs(parameter, value, encode)
    if not isinstance(value, list):
        return [f"{name}={encode(scalar(value))}"]
    if parameter.explode or parameter.style == "deepObject":
        return [f"{name}={encode(scalar(item))}" for item in value]
    delimiter = _DELIMITERS.get(parameter.style, ",")
    return [f"{name}={delimiter.join(encode(scalar(item)) for item in value)}"] if value else []


def _object_pairs(parameter: Parameter, value: dict[str, Json], encode: Encode) -> list[str]:
    name = encoded(parameter.name)
    if parameter.style == "deepObject":
        return [
            f"{name}{keys}={encode(scalar(item))}"
            for key, inner in value.items()
            for keys, item in _deep(encoded(f"[{key}]"), inner)
        ]
    if parameter.explode:
        return [f"{encoded(key)}={encode(scalar(item))}" for key, item in value.items()]
    delimiter = _DELIMITERS.get(parameter.style, ",")
    parts = [part for key, item in value.items() for part in (encode(key), encode(scalar(item)))]
    return [f"{name}={delimiter.join(parts)}"] if parts else []


def _deep(keys: str, value: Json) -> list[tuple[str, Json]]:
    """The leaves of a value; deeper objects nest their brackets, as most readers expect."""
    if isinstance(value, dict):
        inner = ((f"{keys}{encoded(f'[{key}]')}", item) for key, item in value.items())
        return [pair for nested, item in inner for pair in _deep(nested, item)]
    if isinstance(value, list):
        return [pair for item in value for pair in _deep(keys, item)]
    return [(keys, value)]


def _simple(parameter: Parameter, value: Json, encode: Encode) -> str:
    """The styles without pairs: simple, label, matrix."""
    if parameter.style == "simple" and isinstance(value, _SCALARS):
        return encode(scalar(value))
    prefix, exploded = _IN_PATHS.get(parameter.style, ("", ","))
    name = encoded(parameter.name)
    joint = exploded if parameter.explode else ","
    if isinstance(value, dict):
        between = "=" if parameter.explode else ","
        text = joint.join(f"{encode(k)}{between}{encode(scalar(v))}" for k, v in value.items())
        named = parameter.style == "matrix" and not parameter.explode
        return f"{prefix}{name}={text}" if named else f"{prefix}{text}"
    items = [encode(scalar(item)) for item in (value if isinstance(value, list) else [value])]
    if parameter.style != "matrix":
        return prefix + joint.join(items)
    if parameter.explode:
        return "".join(_matrix(name, item) for item in items)
    return _matrix(name, ",".join(items))


def _matrix(name: str, text: str) -> str:
    return f";{name}={text}" if text else f";{name}"


def _document(value: Json, *, ascii_only: bool = False) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=ascii_only)


def _reserved(text: str) -> str:
    return quote(text, safe=_RESERVED)


def _header(text: str) -> str:
    """A header takes visible ASCII as it is; only what it cannot carry is encoded."""
    return re.sub(r"[^\x20-\x7e]+", lambda found: quote(found.group(), safe=""), text).strip(" ")
