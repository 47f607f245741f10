from __future__ import annotations

from typing import Any

import pytest

from icepick.errors import Code, DocumentError
from icepick.openapi.options import ReadOptions
from icepick.openapi.syntax import parse


def _value(text: str, **options: Any) -> Any:
    return parse(text, "api.yaml", ReadOptions(**options)).content


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("yes", "yes"),
        ("no", "no"),
        ("on", "on"),
        ("true", True),
        ("False", False),
        ("~", None),
        ("null", None),
        ("2020-01-01", "2020-01-01"),
        ("2020-01-01T10:00:00Z", "2020-01-01T10:00:00Z"),
        ("012", 12),
        ("0x1F", 31),
        ("1_000", "1_000"),
        ("1:30", "1:30"),
        ("1e3", 1000.0),
        ("'1e3'", "1e3"),
        ("3.0", 3.0),
        ("-7", -7),
        ("'200'", "200"),
        (".inf", float("inf")),
        ("!!str 5", "5"),
        ("=", "="),
    ],
)
def test_scalars_follow_json(text: str, value: Any) -> None:
    found = _value(f"a: {text}")["a"]
    assert found == value
    assert type(found) is type(value)


def test_an_endless_number_is_no_error() -> None:
    assert _value("a: " + "9" * 5000) == {"a": float("inf")}
    assert _value("a: 0x" + "F" * 5000)["a"] == 16**5000 - 1


def test_keys_are_texts() -> None:
    assert _value("200: a\ntrue: b\nnull: c\n1.5: d") == {
        "200": "a",
        "true": "b",
        "null": "c",
        "1.5": "d",
    }


def test_anchors_and_merge_keys() -> None:
    text = """
    base: &base {a: 1, b: 1}
    other: &other {b: 2, c: 2}
    one: {<<: *base, b: 3}
    two: {<<: [*base, *other], d: 4}
    again: *base
    """
    content = _value(text)
    assert content["one"] == {"a": 1, "b": 3}
    assert content["two"] == {"a": 1, "b": 1, "c": 2, "d": 4}
    assert content["again"] == {"a": 1, "b": 1}


@pytest.mark.parametrize(
    "text",
    [
        "a: !!python/object/apply:os.system [echo]",
        "a: !!python/name:os.system ''",
        "a: !custom 1",
        "a: !!set {b}",
        "? [a, b]\n: 1",
        "? {a: 1}\n: 1",
        "<<: 3",
        "<<: [3]",
    ],
)
def test_only_plain_yaml(text: str) -> None:
    with pytest.raises(DocumentError) as caught:
        _value(text)
    assert caught.value.code is Code.SYNTAX
    assert caught.value.place is not None
    assert caught.value.place.line == 1


def test_a_bomb_of_aliases() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    with pytest.raises(DocumentError) as caught:
        _value("\n".join(lines))
    assert caught.value.code is Code.ALIAS_BOMB


def test_a_bomb_of_merges() -> None:
    lines = ["a0: &a0 {k0: 1}"]
    lines += [f"a{n}: &a{n} {{l: *a{n - 1}, m: *a{n - 1}}}" for n in range(1, 40)]
    with pytest.raises(DocumentError) as caught:
        _value("\n".join(lines))
    assert caught.value.code is Code.ALIAS_BOMB


def test_an_alias_to_itself() -> None:
    with pytest.raises(DocumentError) as caught:
        _value("a: &a [*a]")
    assert caught.value.code is Code.ALIAS_BOMB


def test_depth_counts_through_aliases() -> None:
    lines = ["a0: &a0 [x]"] + [f"a{n}: &a{n} [[[[[*a{n - 1}]]]]]" for n in range(1, 12)]
    assert _value("\n".join(lines), max_depth=60)
    with pytest.raises(DocumentError) as caught:
        _value("\n".join(lines), max_depth=50)
    assert caught.value.code is Code.TOO_DEEP
