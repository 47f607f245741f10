from __future__ import annotations

from hypothesis import given, settings

from icepick.protocol import parse_protocol, print_text
from icepick.protocol.tree import Text
from tests.protocol.documents import EXAMPLES
from tests.protocol.random_models import TEXTS


@settings(deadline=None)
@given(TEXTS)
def test_what_is_printed_parses_to_the_same(text: Text) -> None:
    printed = print_text(text)
    assert parse_protocol(printed) == text
    assert print_text(parse_protocol(printed)) == printed


def test_the_examples_survive_printing() -> None:
    files = sorted(EXAMPLES.glob("*.protocol"))
    assert len(files) >= 5
    for file in files:
        parsed = parse_protocol(file.read_text(encoding="utf-8"), file.name)
        assert parse_protocol(print_text(parsed)) == parsed


def test_one_branch_needs_no_braces_and_two_stand_on_lines_of_their_own() -> None:
    text = "S = rec X[2].(+{[3] !a(x: Int(5)).&{?200().X, ?C4XX(y: Int[] = body.a)<y = x>.end}})"
    assert print_text(parse_protocol(text)) == (
        "S =\n"
        "  rec X[2].(\n"
        "    +{\n"
        "      [3] !a(x: Int(5)) . &{\n"
        "        ?C200() . X,\n"
        "        ?C4XX(y: Int[] = body.a)<y = x> . end\n"
        "      }\n"
        "    }\n"
        "  )\n"
    )
