"""The numbers between which a sentence wants a value, or its length, to be."""

from __future__ import annotations

import re
from dataclasses import dataclass

_N = r"[\"'`(]?(-?\d+(?:\.\d+)?)[\"'`)]?"
_MORE = r"(?:greater|larger|more|longer|higher|bigger|above)"
_LESS = r"(?:less|smaller|lower|fewer|shorter|below)"
_MUST = r"(?:must|should|has to|have to|needs to|required to)"
_NOT = r"(?:not|cannot|can't|may not|NOT)"


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the greatest value, as far as they are said."""

    low: float | None = None
    high: float | None = None


_TABLE = tuple(
    (re.compile(f"(?i){pattern}"), kind)
    for pattern, kind in (
        (rf"(?:between|from|range(?: of| is)?:?)\s+{_N}\s*(?:and|to|-|\.\.)\s*{_N}", "both"),
        (rf"{_N}\s*(?:-|to|\.\.)\s*{_N}\s+(?:characters|chars|letters)", "both"),
        (rf"(?:exactly|exact length of)\s+{_N}", "exact"),
        (rf"(?:be|have)\s+{_N}\s+(?:characters|chars|letters)(?: long)?\b", "exact"),
        (rf"{_LESS} than or equal to the minimum of\s+{_N}", "over"),
        (rf"{_MORE} than or equal to the maximum of\s+{_N}", "under"),
        (rf"{_LESS} than the minimum(?: value| length)? of\s+{_N}", "low"),
        (rf"{_MORE} than the maximum(?: value| length)? of\s+{_N}", "high"),
        (rf"{_NOT} (?:be |have )?{_LESS} than\s+{_N}", "low"),
        (rf"{_NOT} (?:be |have )?{_MORE} than\s+{_N}", "high"),
        (rf"no {_LESS} than\s+{_N}", "low"),
        (rf"no {_MORE} than\s+{_N}", "high"),
        (rf"{_MORE} than or equal(?: to)?\s+{_N}", "low"),
        (rf"{_LESS} than or equal(?: to)?\s+{_N}", "high"),
        (rf"(?:{_MUST} (?:be|have|contain) )(?:strictly )?{_MORE} than\s+{_N}", "over"),
        (rf"(?:{_MUST} (?:be|have|contain) )(?:strictly )?{_LESS} than\s+{_N}", "under"),
        (rf"(?:number must be |value must be )?{_MORE} than\s+(zero)", "over"),
        (rf"at least\s+{_N}", "low"),
        (rf"at most\s+{_N}", "high"),
        (rf"(?:minimum|min)(?: value| length| size)?(?: must be| of| is|:)?\s+{_N}", "low"),
        (rf"(?:maximum|max)(?: value| length| size)?(?: must be| of| is|:)?\s+{_N}", "high"),
        (rf"(?:exceeds?|exceed)(?: the)?(?: maximum| limit)*(?: of)?\s+{_N}", "high"),
        (rf"up to\s+{_N}", "high"),
        (rf"is {_LESS} than\s+{_N}", "low"),
        (rf"is {_MORE} than\s+{_N}", "high"),
        (rf">=\s*{_N}", "low"),
        (rf"<=\s*{_N}", "high"),
        (rf">\s*{_N}", "over"),
        (rf"<\s*{_N}", "under"),
        (rf"{_N} or (?:more|greater|higher|above)", "low"),
        (rf"{_N} or (?:less|fewer|lower|below)", "high"),
        (r"(?:non-?negative|not be negative|positive or zero|or equal to (zero))", "zero"),
        (r"(?:a )?positive(?: integer| number)?\b", "positive"),
    )
)  # fmt: skip
_ASIDE = re.compile(
    r"(?i)(?:at least )?\b\d+ (?:digits?|numbers?|upper|lower|special|symbols?|letters? and)"
    r"\b[\w -]*"
)


def bounds(text: str) -> Bounds:
    """What a sentence says of the size of a value; each part of it is read once."""
    text = _ASIDE.sub(" ", text)
    low: float | None = None
    high: float | None = None
    for pattern, kind in _TABLE:
        match = pattern.search(text)
        if match is None:
            continue
        at_least, at_most = _ends(kind, match)
        low = at_least if low is None else low
        high = at_most if high is None else high
        text = text[: match.start()] + " " + text[match.end() :]
    if low is not None and high is not None and low > high:
        return Bounds()
    return Bounds(low, high)


def _ends(kind: str, match: re.Match[str]) -> tuple[float | None, float | None]:
    numbers = [_number(group) for group in match.groups() if group is not None]
    if kind == "both":
        return numbers[0], numbers[1]
    first = numbers[0] if numbers else 0.0
    known: dict[str, tuple[float | None, float | None]] = {
        "exact": (first, first),
        "low": (first, None),
        "high": (None, first),
        "over": (_next(first, 1), None),
        "under": (None, _next(first, -1)),
        "zero": (0, None),
        "positive": (1, None),
    }
    return known[kind]


def _number(text: str) -> float:
    if text.lower() == "zero":
        return 0
    return float(text) if "." in text else int(text)


def _next(number: float, step: int) -> float:
    return number + step if isinstance(number, int) else number + step / 100
