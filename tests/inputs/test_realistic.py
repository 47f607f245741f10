"""Names and formats suggest values."""

from __future__ import annotations

import base64
import re
from random import Random

import pytest

from icepick.inputs import Generator, Made, Optionals, Options
from icepick.inputs.formats import FORMATS

TEXTS = {
    "email": r"[\w.]+@example\.com",
    "customerEmail": r"[\w.]+@example\.com",
    "phone_number": r"\+\d{10}",
    "country": r"[A-Z][a-z]+( [A-Z][a-z]+)?",
    "countryCode": "[A-Z]{2}",
    "currency": "[A-Z]{3}",
    "city": "[A-Z][a-z]+",
    "street": r"\d+ .+",
    "zipCode": r"\d{5}",
    "firstName": "[A-Z][a-z]+",
    "name": "[A-Z][a-z]+ [A-Z][a-z]+",
    "homepage_url": "https://.+",
    "description": r".+\.",
}
NUMBERS = {"price": (1, 500), "quantity": (1, 10), "latitude": (-90, 90), "maxPrice": (100, 1000)}


def _value(schema: dict[str, object], name: str, seed: int = 1) -> object:
    made = Generator({}).value(schema, Random(seed), name=name)
    assert isinstance(made, Made)
    return made.value


@pytest.mark.parametrize("name", TEXTS)
def test_texts(name: str) -> None:
    assert re.fullmatch(TEXTS[name], str(_value({"type": "string"}, name)))


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers(name: str) -> None:
    low, high = NUMBERS[name]
    for kind in ("integer", "number"):
        for seed in range(10):
            value = _value({"type": kind}, name, seed)
            assert isinstance(value, int | float)
            assert low <= value <= high


def test_the_schema_goes_before_the_name() -> None:
    assert re.fullmatch(
        "[0-9]{4}", str(_value({"type": "string", "pattern": "^[0-9]{4}$"}, "city"))
    )
    assert _value({"type": "integer", "minimum": 5000, "maximum": 5000}, "quantity") == 5000
    assert len(str(_value({"type": "string", "maxLength": 3}, "description"))) <= 3


@pytest.mark.parametrize("form", ["date", "date-time"])
@pytest.mark.parametrize(
    ("start", "end"), [("startDate", "endDate"), ("valid_from", "valid_until")]
)
def test_ranges_are_the_right_way_round(form: str, start: str, end: str) -> None:
    properties = {
        end: {"type": "string", "format": form},
        start: {"type": "string", "format": form},
    }
    schema = {"type": "object", "properties": properties}
    generator = Generator({})
    for seed in range(20):
        made = generator.value(schema, Random(seed), Options(Optionals.ALL))
        assert isinstance(made, Made)
        assert made.value[start] < made.value[end]


@pytest.mark.parametrize("form", FORMATS)
def test_formats(form: str) -> None:
    generator, schema = Generator({}), {"type": "string", "format": form}
    for seed in range(20):
        made = generator.value(schema, Random(seed))
        assert isinstance(made, Made)
        assert generator.fits(schema, made.value)


def test_bytes_are_base64() -> None:
    schema = {"type": "string", "format": "byte", "minLength": 5, "maxLength": 12}
    for seed in range(20):
        text = str(_value(schema, "x", seed))
        assert 5 <= len(text) <= 12
        base64.b64decode(text, validate=True)
