"""The functions on values: each takes JSON and gives JSON, or says why it cannot."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from icepick.glacier.comparison import order
from icepick.glacier.values import Unknown, describe, is_number, kind
from icepick.openapi.types import Json


def length(value: Json) -> Json:
    """The number of elements, fields or characters."""
    if isinstance(value, list | str | Mapping):
        return len(value)
    return Unknown(f"{describe(value)} has no length")


def keys(value: Json) -> Json:
    """The names of an object's fields."""
    if isinstance(value, Mapping):
        return list(value)
    return Unknown(f"{kind(value)} has no keys")


def elements(value: Json, path: str | None) -> list[Json] | Unknown:
    """The elements of a list, or a field of each of them; one without it is an Unknown."""
    if not isinstance(value, list):
        return Unknown(f"{describe(value)} is not a collection")
    return value if path is None else [_at(element, path) for element in value]


def _at(value: Json, path: str) -> Json:
    for name in path.split("."):
        if not isinstance(value, Mapping) or name not in value:
            return Unknown(f"{describe(value)} has no field `{name}`")
        value = value[name]
    return value


def unique(value: Json, path: str | None = None) -> Json:
    """Whether all elements differ; a pair of equals decides, whatever else is unknown."""
    found = elements(value, path)
    if isinstance(found, Unknown):
        return found
    seen: set[object] = set()
    doubt: Unknown | None = None
    for element in found:
        if isinstance(element, Unknown):
            doubt = doubt or element
            continue
        key = _key(element)
        if key in seen:
            return False
        seen.add(key)
    return True if doubt is None else doubt


def _key(value: Json) -> object:
    """Equal keys for the same JSON: 1 and 1.0 are one number, 1 and true are two values."""
    if isinstance(value, Mapping):
        return dict, frozenset((name, _key(item)) for name, item in value.items())
    if isinstance(value, list):
        return list, tuple(_key(item) for item in value)
    return (bool, value) if isinstance(value, bool) else value


def total(value: Json, path: str | None = None) -> Json:
    """The sum of numbers; 0 where there are none."""
    found = elements(value, path)
    if isinstance(found, Unknown):
        return found
    result: Json = 0
    for element in found:
        result = added(result, element)
        if isinstance(result, Unknown):
            return result
    return result


def smallest(value: Json, path: str | None = None) -> Json:
    """The least element."""
    return _extreme(value, path, -1)


def largest(value: Json, path: str | None = None) -> Json:
    """The greatest element."""
    return _extreme(value, path, 1)


def _extreme(value: Json, path: str | None, sign: int) -> Json:
    found = elements(value, path)
    if isinstance(found, Unknown):
        return found
    if not found:
        return Unknown("an empty collection has no least or greatest element")
    best = found[0]
    for element in found:
        if isinstance(element, Unknown):
            return element
        relation = order(element, best)
        if isinstance(relation, Unknown):
            return relation
        best = element if relation * sign > 0 else best
    return best


def _on_numbers(sign: str, combine: Callable[[Json, Json], Json]) -> Callable[[Json, Json], Json]:
    def apply(left: Json, right: Json) -> Json:
        for value in (left, right):
            if isinstance(value, Unknown):
                return value
        if not (is_number(left) and is_number(right)):
            return Unknown(f"{describe(left)} {sign} {describe(right)} is not a number")
        try:
            result = combine(left, right)
        except OverflowError:
            result = math.inf
        if isinstance(result, float) and not math.isfinite(result):
            return Unknown(f"{describe(left)} {sign} {describe(right)} is too large")
        return result

    return apply


added = _on_numbers("+", lambda left, right: left + right)
subtracted = _on_numbers("-", lambda left, right: left - right)
multiplied = _on_numbers("*", lambda left, right: left * right)
