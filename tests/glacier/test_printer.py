from __future__ import annotations

import pytest

from icepick.glacier import parse_formula, print_formula


@pytest.mark.parametrize(
    "text",
    [
        "res_code(GET /players/req_body(@){pid}) = 404",
        "req_body(@) = prev(res_body(GET /players/{pid}))",
        (
            "for t in res_body(GET /tournaments) :- res_body(GET /tournaments/{t.tid}/players).len"
            " <= res_body(GET /tournaments/{t.tid}/capacity)"
        ),
        "for x, y in a, z in b :- x != y => !z",
        "a && for x in b :- c || d",
        "(for x in b :- c) || d",
        "a && (for x in b :- c) || d",
        "!for x in b :- c",
        "!(for x in b :- c) && d",
        "(for x in a :- b) => c",
        "a => b => c",
        "(a => b) => c",
        "(a || b) && c || d",
        "(a && b) && c",
        "!(a && b)",
        "!a = b",
        "(!a) = b",
        "(a = b) = c",
        "a - (b - c) - d = e",
        "(a + b) * c = d",
        "(a + b).len = 1",
        'a.b[0]["x y"]["len"].len = 1',
        'req_body(@){a.b-c}[0].d["e f"] = 1',
        "res_header(@){Content-Type} != null",
        'a in [1, -2.5, "x", true, false, null]',
        "a in []",
        "res_code(@) in 2xx",
        'contains(keys(a), min(b, "c.d"))',
        "strict(a != b)",
        "res_body(GET /a?b={c}&d=query_param(@){e}) = f",
        "res_body(GET /ab{req_body(@){c}}/{req_body(@)}{x}) = d",
        '(for x in (a && b) :- c) => "é" = "\\ud83d"',
    ],
)
def test_canonical_text_is_printed_as_it_is(text: str) -> None:
    assert print_formula(parse_formula(text)) == text


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("((a)) && ((b = (c)))", "a && b = c"),
        ("response_body(this).a.b == nil", "res_body(@){a.b} = null"),
        ('path_param(this["id"]) ≠ none', "path_param(@){id} != null"),
        ("∀ x ∈ c : ¬x ∧ T ∨ F", "for x in c :- !x && true || false"),  # noqa: RUF001
        ("length(a) == 'x'", 'a.len = "x"'),
        ("a.unique(id)", 'unique(a, "id")'),
        ("header(@){ETag} = previous(b)", "res_header(@){ETag} = prev(b)"),
        ("res_code(GET /a/{req_body(@).id}) = 1", "res_code(GET /a/req_body(@){id}) = 1"),
        ("a && (for x in b :- c)", "a && for x in b :- c"),
        ("a => (b => c)", "a => b => c"),
        ("(a * b) + (c - d) = 1", "a * b + (c - d) = 1"),
        ("x{a}.b = 1.0", "x.a.b = 1.0"),
    ],
)
def test_one_spelling_is_printed(text: str, printed: str) -> None:
    assert print_formula(parse_formula(text)) == printed
