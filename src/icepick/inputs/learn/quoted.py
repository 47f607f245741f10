"""What a sentence says about the value it complains of: lists, patterns, lengths, formats."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from icepick.inputs.learn.bounds import Bounds, bounds
from icepick.inputs.learn.characters import only_characters
from icepick.inputs.learn.relating import SaidRelation, demands, relations
from icepick.inputs.types import Hint

_NO_HINT = Hint()
_MANY = 100
_LONG = 600
_MUST = r"(?:must|should|has to|can only|may only|needs to) be"
_LISTS = (
    re.compile(
        r"(?i)\b(?:accepted for enum class|permitted|expected one of|is not (?:one of|in|among)"
        r"|(?:allowed|valid|accepted|possible|supported|permitted) (?:values?|options?|choices?)"
        rf"(?: (?:are|is|include))?|{_MUST} (?:one of|either|any of|in|among)"
        r"(?: the following(?: values)?| these(?: values)?| the values)?|expected)"
        r"\s*:?\s*(?P<list>[\[({]?\s*\S.*)"
    ),
    re.compile(r"(?i)\b(?:input|value|it) (?:should|must) be (?P<list>[\"'].+)"),
    re.compile(r"(?i)\bcan only be (?P<list>\S.*)"),
    re.compile(
        r"(?i)\b(?:must|should) (?:be|(?:specify|provide|supply|give)\b.*? as) "
        r"(?P<list>[\"'][^\"']+[\"']\s*(?:,|or\b|\|)\s*[\"'].+)"
    ),
)
_QUOTED_ITEM = re.compile(r"\"([^\"]*)\"|'([^']*)'|`([^`]*)`")
_PLAIN_ITEM = re.compile(r"[\w.+:@/#&-]+(?: (?!(?:or|and)\b)[\w.+:@/#&-]+){0,2}")
_BETWEEN_ITEMS = re.compile(r"\s*(?:,\s*(?:or|and)\b|,|\||/|;|\bor\b|\band\b)\s*")
_PATTERNS = (
    re.compile(r"(?i:match|pattern|regex|regular expression|format).*?(?P<p>\^.*\$)"),
    re.compile(
        r"(?i:(?:match(?:es)?|pattern|regexp?|regular expression)[^\"'`/\n]{0,40})"
        r"(?P<q>[\"'`/])(?P<p>.+)(?P=q)"
    ),
    re.compile(r"(?i:pattern|regexp?|regular expression)[: ]+(?P<p>[^\s\"'`]*[\[\\(][^\s\"'`]*)"),
)
_LAYOUTS = (
    (re.compile(r"(?i)\byyyy-mm-dd['\"]?\s*(?:T|'T')\s*hh"), "date-time"),
    (re.compile(r"(?i)\byyyy-mm-dd\b"), "date"),
)
_DAY, _MONTH, _YEAR = "(0[1-9]|1[0-9]|2[0-8])", "(0[1-9]|1[0-2])", "20[0-2][0-9]"
_HOUR, _SIXTY = "([01][0-9]|2[0-3])", "[0-5][0-9]"
_LAYOUT_PATTERNS = (
    (re.compile(r"(?i)\bdd/mm/yyyy\b"), f"^{_DAY}/{_MONTH}/{_YEAR}$"),
    (re.compile(r"(?i)\bmm/dd/yyyy\b"), f"^{_MONTH}/{_DAY}/{_YEAR}$"),
    (re.compile(r"(?i)\bdd\.mm\.yyyy\b"), rf"^{_DAY}\.{_MONTH}\.{_YEAR}$"),
    (re.compile(r"\bHH:mm:ss\b"), f"^{_HOUR}:{_SIXTY}:{_SIXTY}$"),
    (re.compile(r"\bHH:mm\b"), f"^{_HOUR}:{_SIXTY}$"),
    (
        re.compile(r"(?i)\b(?:valid|be an?|invalid) (?:mobile |tele)?phone(?: number)?\b"),
        r"^\+[1-9][0-9]{9,12}$",
    ),
    (re.compile(r"(?i)\bonly (?:contain )?digits|\bdigits only|\bbe numeric\b"), "^[0-9]+$"),
    (
        re.compile(r"(?i)\bonly (?:contain )?letters\b|\bletters only\b|\bbe alphabetic\b"),
        "^[A-Za-z]+$",
    ),
    (
        re.compile(
            r"(?i)\burl[- ]?(?:friendly|safe)\b(?! base)|\b(?:valid|be an?) slug\b"
            r"|\bkebab[- ]?case\b"
        ),
        "^[a-z0-9]+(-[a-z0-9]+)*$",
    ),
    (re.compile(r"(?i)\balphanumeric\b|\bletters and (?:digits|numbers)\b"), "^[A-Za-z0-9]+$"),
)
_A = (
    r"(?i)(?:valid|well-formed|(?:must|should|has to) (?:be|look like)(?: an?| in)?|is not an?"
    r"|not an?|invalid|expected(?: an?)?|format:?|be an?)\s+(?:an? )?"
    r"(?:valid |ISO ?8601 |well-formed )*[\"'`]?"
)
_TYPE = r"\btype [`'\"]?java\."
"""A parser that tells which of Java's own types it could not make of a text."""
_FORMATS = (
    (re.compile(rf"{_A}e-?mail(?: address)?\b"), "email"),
    (
        re.compile(
            r"(?i)\b(?:upper|lower)-?\s?case|\bspecial character|\btoo (?:weak|common)\b"
            r"|\bcontain (?:at least )?(?:one |an? |\d+ )?(?:digit|number|letter|symbol)"
            r"|\bstrong enough\b"
        ),
        "password",
    ),
    (re.compile(rf"{_A}(?:uuid|guid)\b"), "uuid"),
    (re.compile(rf"{_A}(?:absolute )?(?:ur[il]|web address)\b"), "uri"),
    (
        re.compile(
            rf"{_A}(?:date-?time|timestamp|ISO[- ]?8601 date string|date string"
            r"|(?:RFC ?3339|ISO ?8601) date-?time)\b"
        ),
        "date-time",
    ),
    (re.compile(rf"{_A}date\b"), "date"),
    (re.compile(r"(?i)\bISO[- ]?8601 date\b|\bdate has wrong format\b"), "date"),
    (re.compile(rf"{_A}ip(?:v4)?(?: address)?\b"), "ipv4"),
    (re.compile(rf"{_A}ipv6(?: address)?\b"), "ipv6"),
    (re.compile(rf"{_A}host ?name\b"), "hostname"),
    (re.compile(rf"{_A}base-?64\b"), "byte"),
    (re.compile(rf"{_A}time\b"), "time"),
    (re.compile(rf"{_TYPE}util\.UUID\b"), "uuid"),
    (re.compile(rf"{_TYPE}time\.LocalDate\b"), "date"),
    (
        re.compile(rf"{_TYPE}(?:time\.(?:Offset|Zoned)DateTime|time\.Instant|util\.Date)\b"),
        "date-time",
    ),
    (re.compile(rf"{_TYPE}net\.UR[IL]\b"), "uri"),
)
_REQUIRED = re.compile(
    r"(?i)\bis (?:a )?required\b|\brequired (?:field|property|parameter|value|query)|^required\.?$"
    r"|field required|\brequired\b.*\bparameter\b|\bcan'?t be (?:blank|empty|null)|\bmissing\b"
    r"|\b(?:must|should|may|can) ?not be (?:null|blank|empty|undefined)|\bmandatory\b"
    r"|\bmust be (?:given|present|provided|set|specified|supplied)\b|\bnot allowed to be empty"
    r"|\breceived undefined|\bplease (?:enter|provide|specify)|\bis not provided\b"
    r"|\b(?:must|should|have to|need to) (?:specify|provide|supply|give)\b"
    r"|^no .{1,40} (?:was )?(?:given|provided|specified|supplied)\b"
)
_EMPTY = re.compile(r"(?i)(?:not|n'?t|allowed to) be (?:blank|empty)")
_EXAMPLE = re.compile(
    r"(?i)(?:\be\.g\.|\bfor example|\bfor instance|\bsuch as|\bexample:)[,:]?\s*"
    r"[\"'`]?([\w@.+:/-]*[\w/])"
)
_CHARACTERS = re.compile(
    r"(?i)\b(?:characters?|chars?|letters?|length|long|too short|symbols?|size must)\b"
)
_ITEMS = re.compile(r"(?i)\b(?:elements?|items?|entries|values)\b")
_DIGITS = re.compile(r"(?i)\b(?:be |exactly |have )(\d{1,2}) digits?\b")


@dataclass(frozen=True, slots=True)
class Said:
    """What one sentence says of the input it is about; the others stand as they are named."""

    hint: Hint = _NO_HINT
    unique: bool = False
    existing: bool = False
    forbidden: bool = False
    relations: tuple[SaidRelation, ...] = ()
    examples: tuple[str, ...] = ()


def read(text: str, is_name: Callable[[str], bool] = bool) -> Said:
    """What can be learned from a sentence; a sentence that says nothing known gives nothing.

    A dependency is one only where what it names are inputs.
    """
    text = " ".join(text.split())[:_LONG]
    found = relations(text, is_name)
    asked = demands(text)
    hint = _NO_HINT if found else _hint(text)
    if asked.unique or asked.existing or asked.forbidden:
        hint = replace(hint, required=None)
    examples = tuple(match.group(1) for match in _EXAMPLE.finditer(text))
    return Said(hint, asked.unique, asked.existing, asked.forbidden, found, examples)


def _hint(text: str) -> Hint:
    hint = Hint(allowed=_allowed(text))
    if hint.allowed:
        return replace(hint, required=_required(text))
    pattern = _pattern(text)
    form = None if pattern else _format(text)
    # Which characters there may be says nothing of how many; other patterns say it themselves.
    loose = pattern is None or pattern == only_characters(text)
    low, high = _lengths(text, bounds(text)) if loose else (None, None)
    found = bounds(text) if (low, high, pattern) == (None, None, None) else Bounds()
    if _ITEMS.search(text) and not _CHARACTERS.search(text):
        found = Bounds()
    if low is None and _EMPTY.search(text):
        low = 1
    return Hint(
        pattern=pattern,
        format=form,
        minimum=found.low if form is None else None,
        maximum=found.high if form is None else None,
        min_length=low,
        max_length=high,
        required=_required(text),
    )


def _required(text: str) -> bool | None:
    return True if _REQUIRED.search(text) else None


def _allowed(text: str) -> tuple[str, ...]:
    if re.search(r"(?i)\bat least one of\b|formats? instead", text):
        return ()
    for pattern in _LISTS:
        found = pattern.search(text)
        items = _items(found["list"]) if found else ()
        if len(items) > 1 or (items and found and found["list"].startswith("[")):
            return items
    return ()


def _items(text: str) -> tuple[str, ...]:
    """The elements of a list, bracketed or not; nothing where it is rather a sentence."""
    text = text[1:].lstrip() if text[:1] in "[({" else text
    item = _QUOTED_ITEM if _QUOTED_ITEM.match(text) else _PLAIN_ITEM
    found: list[str] = []
    while len(found) < _MANY and (match := item.match(text)) is not None:
        quoted = [group for group in match.groups() if group is not None]
        found.append(quoted[0] if quoted else match.group().rstrip(".,:"))
        text = text[match.end() :]
        joint = _BETWEEN_ITEMS.match(text)
        if joint is None:
            break
        text = text[joint.end() :]
    return tuple(dict.fromkeys(one for one in found if one))


def _pattern(text: str) -> str | None:
    for expression in _PATTERNS:
        match = expression.search(text)
        if match is not None and _compiles(match["p"]):
            return match["p"]
    digits = _DIGITS.search(text)
    if digits is not None:
        return f"^[0-9]{{{digits.group(1)}}}$"
    characters = only_characters(text)
    if characters is not None:
        return characters
    return next((made for layout, made in _LAYOUT_PATTERNS if layout.search(text)), None)


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return bool(re.search(r"[\[\\(^$*+?{|.]", pattern))


def _format(text: str) -> str | None:
    tables = (*_LAYOUTS, *_FORMATS)
    return next((form for expression, form in tables if expression.search(text)), None)


def _lengths(text: str, found: Bounds) -> tuple[int | None, int | None]:
    if not _CHARACTERS.search(text) or (_ITEMS.search(text) and "character" not in text.lower()):
        return None, None
    low = None if found.low is None else int(found.low)
    high = None if found.high is None else int(found.high)
    return low, high
