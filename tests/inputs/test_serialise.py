"""Parameters as the style table of the OpenAPI specification writes them."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, unquote

import pytest

from icepick.inputs import ABSENT, cookie_text, header_texts, path_text, query_text
from icepick.openapi.types import Parameter, ParameterLocation

PATH, QUERY = ParameterLocation.PATH, ParameterLocation.QUERY
HEADER, COOKIE = ParameterLocation.HEADER, ParameterLocation.COOKIE
EMPTY, TEXT, LIST = "", "blue", ["blue", "black", "brown"]
COLORS = {"R": 100, "G": 200, "B": 150}


def _parameter(location: ParameterLocation, style: str, explode: bool, **more: Any) -> Parameter:
    return Parameter(more.pop("name", "color"), location, True, {}, style, explode, **more)


def _sent(parameter: Parameter, value: Any) -> str:
    values = {parameter.name: value}
    if parameter.location is PATH:
        return path_text(f"{{{parameter.name}}}", [parameter], values)
    if parameter.location is QUERY:
        return query_text([parameter], values)
    if parameter.location is COOKIE:
        return cookie_text([parameter], values)
    return header_texts([parameter], values)[parameter.name]


@pytest.mark.parametrize(
    ("location", "style", "explode", "value", "expected"),
    [
        (PATH, "matrix", False, EMPTY, ";color"),
        (PATH, "matrix", False, TEXT, ";color=blue"),
        (PATH, "matrix", False, LIST, ";color=blue,black,brown"),
        (PATH, "matrix", False, COLORS, ";color=R,100,G,200,B,150"),
        (PATH, "matrix", True, EMPTY, ";color"),
        (PATH, "matrix", True, TEXT, ";color=blue"),
        (PATH, "matrix", True, LIST, ";color=blue;color=black;color=brown"),
        (PATH, "matrix", True, COLORS, ";R=100;G=200;B=150"),
        (PATH, "label", False, EMPTY, "."),
        (PATH, "label", False, TEXT, ".blue"),
        (PATH, "label", False, LIST, ".blue,black,brown"),
        (PATH, "label", False, COLORS, ".R,100,G,200,B,150"),
        (PATH, "label", True, EMPTY, "."),
        (PATH, "label", True, TEXT, ".blue"),
        (PATH, "label", True, LIST, ".blue.black.brown"),
        (PATH, "label", True, COLORS, ".R=100.G=200.B=150"),
        (PATH, "simple", False, EMPTY, ""),
        (PATH, "simple", False, TEXT, "blue"),
        (PATH, "simple", False, LIST, "blue,black,brown"),
        (PATH, "simple", False, COLORS, "R,100,G,200,B,150"),
        (PATH, "simple", True, LIST, "blue,black,brown"),
        (PATH, "simple", True, COLORS, "R=100,G=200,B=150"),
        (HEADER, "simple", False, TEXT, "blue"),
        (HEADER, "simple", False, LIST, "blue,black,brown"),
        (HEADER, "simple", False, COLORS, "R,100,G,200,B,150"),
        (HEADER, "simple", True, COLORS, "R=100,G=200,B=150"),
        (QUERY, "form", False, EMPTY, "color="),
        (QUERY, "form", False, TEXT, "color=blue"),
        (QUERY, "form", False, LIST, "color=blue,black,brown"),
        (QUERY, "form", False, COLORS, "color=R,100,G,200,B,150"),
        (QUERY, "form", True, EMPTY, "color="),
        (QUERY, "form", True, TEXT, "color=blue"),
        (QUERY, "form", True, LIST, "color=blue&color=black&color=brown"),
        (QUERY, "form", True, COLORS, "R=100&G=200&B=150"),
        (QUERY, "spaceDelimited", False, LIST, "color=blue%20black%20brown"),
        (QUERY, "spaceDelimited", False, COLORS, "color=R%20100%20G%20200%20B%20150"),
        (QUERY, "pipeDelimited", False, LIST, "color=blue%7Cblack%7Cbrown"),
        (QUERY, "pipeDelimited", False, COLORS, "color=R%7C100%7CG%7C200%7CB%7C150"),
        (QUERY, "deepObject", True, COLORS, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"),
        (COOKIE, "form", False, TEXT, "color=blue"),
        (COOKIE, "form", False, LIST, "color=blue,black,brown"),
        (COOKIE, "form", True, LIST, "color=blue; color=black; color=brown"),
    ],
)
def test_style_table(
    location: ParameterLocation, style: str, explode: bool, value: Any, expected: str
) -> None:
    assert _sent(_parameter(location, style, explode), value) == expected


@pytest.mark.parametrize(
    "value", ["a/b", "a b", "100%", "%2F", "å?ß#", "a;b,c", "x=y&z", "+", "..", "."]
)
def test_a_segment_stays_one_segment(value: str) -> None:
    path = path_text("/pets/{color}/tags", [_parameter(PATH, "simple", False)], {"color": value})
    assert path.count("/") == 3
    assert path.split("/")[2] not in {".", ".."}
    assert unquote(path.split("/")[2]) == value


@pytest.mark.parametrize("value", ["a b", "a&b=c", "+", "100%", "%20", "ü", "#", ""])
def test_what_is_sent_in_a_query_comes_back(value: str) -> None:
    text = query_text([_parameter(QUERY, "form", True)], {"color": value})
    assert parse_qsl(text, keep_blank_values=True) == [("color", value)]


@pytest.mark.parametrize(
    ("value", "expected"), [(True, "true"), (None, ""), (1.5, "1.5"), (3, "3"), (1.0, "1.0")]
)
def test_scalars(value: Any, expected: str) -> None:
    assert _sent(_parameter(PATH, "simple", False), value) == expected


def test_items_are_encoded_and_delimiters_are_not() -> None:
    assert _sent(_parameter(QUERY, "form", False), ["a,b", "c"]) == "color=a%2Cb,c"
    assert _sent(_parameter(PATH, "simple", False), ["a/b", "c"]) == "a%2Fb,c"


def test_reserved_characters() -> None:
    parameter = _parameter(QUERY, "form", True, allow_reserved=True)
    assert _sent(parameter, "http://a/?b&c#d+e") == "color=http://a/?b%26c%23d%2Be"


def test_documents_as_parameters() -> None:
    parameter = _parameter(QUERY, "form", True, content_type="application/json")
    assert unquote(_sent(parameter, {"a": [1, "ü"]})) == 'color={"a":[1,"ü"]}'
    header = _parameter(HEADER, "simple", False, content_type="application/json")
    assert _sent(header, {"a": "ü"}) == '{"a":"\\u00fc"}'


def test_deep_objects_nest() -> None:
    text = _sent(_parameter(QUERY, "deepObject", True), {"a": {"b": [1, 2]}})
    assert parse_qsl(text) == [("color[a][b]", "1"), ("color[a][b]", "2")]


def test_what_is_absent_is_not_sent() -> None:
    parameters = [_parameter(QUERY, "form", True), _parameter(QUERY, "form", True, name="x")]
    assert query_text(parameters, {"color": ABSENT, "x": 1}) == "x=1"
    assert query_text(parameters, {"color": []}) == ""
    assert path_text("/a/{color}", [_parameter(PATH, "simple", False)], {}) == "/a/{color}"


def test_headers_carry_only_what_they_can() -> None:
    assert _sent(_parameter(HEADER, "simple", False), "a b%\r\nX: ü") == "a b%%0D%0AX: %C3%BC"


def test_names_are_encoded() -> None:
    assert _sent(_parameter(QUERY, "form", True, name="filter[a b]"), 1) == "filter%5Ba%20b%5D=1"
