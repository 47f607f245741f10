"""Values that a careless service may stumble over, made from a value and its schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from icepick.openapi.shape import Schemas, keyword, types
from icepick.openapi.types import Json, Schema

_LONG = 10_000
_HUGE = 10**400
_LARGE = 10**15
_NON_ASCII = "Żółć 日本 😀"
_CONTROL = "a\x01b\u0000c\u2028d"
_FORMATS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "date": ("2024-02-30", "2024-13-01", "tomorrow"),
        "date-time": ("2024-02-30T25:61:00Z", "2024-01-01", "now"),
        "time": ("25:61:00",),
        "uuid": ("00000000-0000-0000-0000-00000000000g", "not-a-uuid"),
        "email": ("nobody", "a@b@c", "@"),
        "uri": ("http://[", "no address"),
        "ipv4": ("999.1.1.1",),
        "byte": ("*not base64*",),
    }
)
_TYPES: Mapping[str, Json] = MappingProxyType(
    {"string": "text", "integer": 7, "boolean": True, "array": ["text"], "object": {"a": 1}}
)


@dataclass(frozen=True, slots=True)
class Wrong:
    """A value in place of another, and what is wrong with it in a word."""

    kind: str
    value: Json


def wrong_values(
    schema: Schema, schemas: Schemas, value: Json, *, as_text: bool = False
) -> Iterator[Wrong]:
    """What to put in place of a value: other types, nothing, too much, and odd ones of its own.

    `as_text` where the value is sent as text: then no type is another than that of a text.
    """
    kinds = types(schema, schemas)
    yield Wrong("null", None)
    textual = as_text and ("string" in kinds or not kinds)
    for kind, other in () if textual else _TYPES.items():
        if kind not in kinds and not (kind == "integer" and "number" in kinds):
            yield Wrong(f"{kind} for {' or '.join(sorted(kinds)) or 'anything'}", other)
    listed = keyword(schema, "enum", schemas)
    if listed is not None:
        yield Wrong("not in the list", "icepick-unknown" if "string" in kinds or not kinds else 987)
    if "string" in kinds or not kinds:
        yield from _texts(schema, schemas, value)
    if kinds & {"integer", "number"}:
        yield from _numbers(schema, schemas, value, whole="number" not in kinds)
    if "array" in kinds:
        yield from _arrays(schema, schemas, value)
    if "object" in kinds:
        yield Wrong("empty object", {})


def _texts(schema: Schema, schemas: Schemas, value: Json) -> Iterator[Wrong]:
    yield Wrong("empty text", "")
    yield Wrong("blank text", "   ")
    high = keyword(schema, "maxLength", schemas)
    if isinstance(high, int) and high < _LONG:
        yield Wrong("one character too long", "a" * (high + 1))
    low = keyword(schema, "minLength", schemas)
    if isinstance(low, int) and low > 1:
        yield Wrong("one character too short", "a" * (low - 1))
    yield Wrong("very long text", "a" * _LONG)
    yield Wrong("non-ASCII text", _NON_ASCII)
    yield Wrong("control characters", _CONTROL)
    if keyword(schema, "pattern", schemas):
        yield Wrong("against the pattern", f"!{value}" if isinstance(value, str) else "!")
    form = keyword(schema, "format", schemas)
    for index, text in enumerate(_FORMATS.get(str(form), ())):
        yield Wrong(f"not a {form} ({index + 1})", text)
    if isinstance(value, str) and value != value.swapcase():
        yield Wrong("other case", value.swapcase())


def _numbers(schema: Schema, schemas: Schemas, value: Json, *, whole: bool) -> Iterator[Wrong]:
    usable = isinstance(value, int | float) and not isinstance(value, bool)
    number = value if usable and abs(value) < _LARGE else 1
    yield Wrong("negative", -abs(number) or -1)
    yield Wrong("zero", 0)
    yield Wrong("huge", _HUGE)
    yield Wrong("beyond 64 bits", 2**63)
    if whole:
        yield Wrong("fraction", int(number) + 0.5)
    else:
        yield Wrong("many decimals", 0.1234567890123)
    yield Wrong("number as text", str(number))
    low, high = keyword(schema, "minimum", schemas), keyword(schema, "maximum", schemas)
    if isinstance(low, int | float):
        yield Wrong("below the minimum", low - 1)
    if isinstance(high, int | float):
        yield Wrong("above the maximum", high + 1)


def _arrays(schema: Schema, schemas: Schemas, value: Json) -> Iterator[Wrong]:
    yield Wrong("empty array", [])
    yield Wrong("null in the array", [None])
    some = value if isinstance(value, list) and value else ["text"]
    if keyword(schema, "uniqueItems", schemas):
        yield Wrong("repeated element", [some[0], some[0]])
    high = keyword(schema, "maxItems", schemas)
    if isinstance(high, int) and high < 1_000:
        yield Wrong("one element too many", (some * (high + 1))[: high + 1])
    yield Wrong("nested array", [some])
