from __future__ import annotations

import re
from pathlib import Path

from icepick.errors import Code

PAGE = Path(__file__).parents[2] / "docs" / "errors.md"
ROW = re.compile(r"\| (ICP\d+) \| (\S.*\S) \| (\S.*\S) \|")


def _rows() -> list[tuple[str, str, str]]:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    matches = [ROW.fullmatch(line) for line in lines if line.startswith("| ICP")]
    assert all(matches)
    return [(m[1], m[2], m[3]) for m in matches if m]


def test_the_page_lists_every_code_once_and_no_other() -> None:
    listed = [code for code, _, _ in _rows()]
    assert sorted(listed) == sorted(code.value for code in Code)
    assert listed == sorted(listed)


def test_every_code_has_its_own_words() -> None:
    meanings = [meaning for _, meaning, _ in _rows()]
    assert len(set(meanings)) == len(meanings)


def test_codes_are_unique_and_of_one_form() -> None:
    values = [code.value for code in Code]
    assert len(set(values)) == len(Code.__members__) == len(values)
    assert all(re.fullmatch(r"ICP[0-9]{3}", value) for value in values)
