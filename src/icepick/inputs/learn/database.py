"""What a database says of a value that it refuses: services pass its words on, often with a 500."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from icepick.inputs.learn.types import Complaint

_NUMBER = r"-?\d+(?:\.\d+)?"
_CHECK = re.compile(r"(?i)\bcheck constraint failed: (?P<rule>.+)")
_BETWEEN = re.compile(rf"(?i)\b(\w+)\W{{0,3}}\s+between\s+({_NUMBER})\s+and\s+({_NUMBER})")
_COMPARED = re.compile(rf"\b(\w+)[\"'`\]]?\s*(>=|<=|>|<)\s*({_NUMBER})")
_LENGTH = re.compile(r"(?i)\blength\s*\(\s*[\"'`\[]?(\w+)[\"'`\]]?\s*\)\s*(>=|<=)\s*(\d+)")
_ONE_OF = re.compile(r"(?i)\b(\w+)[\"'`\]]?\s+in\s*\(([^()]+)\)")
_SIGNS = {">=": "at least", "<=": "at most", ">": "greater than", "<": "less than"}
_SAID = (
    (re.compile(r"(?i)\bnot null constraint failed: (?:\w+\.)*(\w+)$"), "is required"),
    (re.compile(r"(?i)\bnull value in column [\"'`](\w+)"), "is required"),
    (re.compile(r"(?i)\bcolumn [\"'`](\w+)[\"'`] (?:cannot|can ?not) be null"), "is required"),
    (re.compile(r"(?i)\bunique constraint failed: (?:\w+\.)*(\w+)$"), "must be unique"),
    (re.compile(r"(?i)\bkey \((\w+)\)=\(.*\) already exists"), "must be unique"),
    (re.compile(r"(?i)\bduplicate entry .* for key [\"'`](?:\w+\.)*(\w+)"), "must be unique"),
    (re.compile(r"(?i)\bkey \((\w+)\)=\(.*\) is not present in table"), "does not exist"),
)
"""The constraints of SQLite, PostgreSQL and MySQL that name a column."""


def constraints(texts: Iterable[str]) -> tuple[Complaint, ...]:
    """The rules that a database holds against a call, each of the column it names."""
    return tuple(dict.fromkeys(one for text in texts for one in _constraints(text.strip())))


def _constraints(text: str) -> Iterator[Complaint]:
    for pattern, meaning in _SAID:
        found = pattern.search(text)
        if found is not None:
            yield Complaint(meaning, (found.group(1),))
    check = _CHECK.search(text)
    if check is not None:
        yield from _checked(check["rule"])


def _checked(rule: str) -> Iterator[Complaint]:
    """A condition as it stands in the definition of a table."""
    if re.search(r"(?i)\bor\b|\bnot\b|\bcase\b", rule):
        return  # which part of it was meant is not said
    for name, low, high in _BETWEEN.findall(rule):
        yield Complaint(f"must be between {low} and {high}", (name,))
    for name, sign, number in _LENGTH.findall(rule):
        yield Complaint(f"must have {_SIGNS[sign]} {number} characters", (name,))
    for name, sign, number in _COMPARED.findall(rule):
        yield Complaint(f"must be {_SIGNS[sign]} {number}", (name,))
    for name, values in _ONE_OF.findall(rule):
        yield Complaint(f"must be one of {values}", (name,))
