"""The characters that a sentence allows: "only lowercase letters, digits and dashes"."""

from __future__ import annotations

import re
import string

_ONLY = re.compile(
    r"(?i)\b(?:only (?:contains?|includes?|uses?|has|have|consists? of|allows?|be made of)?"
    r"|(?:contains?|includes?|uses?|have|has) (?:only|nothing but)|consist(?:s|ing)? (?:only )?of"
    r"|(?:composed|made up) (?:only )?of)\s*"
)
_ALLOWED = re.compile(r"(?i)\bonly (?P<list>.+?) (?:are|is) (?:allowed|permitted|accepted)")
_CLASS = re.compile(r"\[((?:[^\]\[\\\s]|\\.)*(?:a-z|A-Z|0-9|\\w)(?:[^\]\[\\\s]|\\.)*)\]")
_REFUSED = re.compile(
    r"(?i)\b(?:not|cannot|no|invalid|illegal|forbidden|disallowed|except|other than|begin\w*"
    r"|start\w*|end\w*)\b|n't\b"
)
_CLAUSE = re.compile(r"[,;:.]\s|\band\b")
_EDGES = re.compile(
    r"(?i)(?P<not>\b(?:not|cannot|never) |n't )?\b(?:(?P<first>(?:start|begin)(?:s|n?ing)?)"
    r"(?: (?:and|or|nor) )?)?(?P<last>end(?:s|ing)?)? (?:with|in|by) (?:an? |the )?"
    r"(?:(?:single )?characters? (?:in|from|of|out of) )?"
)
_CLASSES = (
    (r"(?:lower ?-?case|small) alpha-?numerics?", "a-z0-9"),
    (r"(?:upper ?-?case|capital) alpha-?numerics?", "A-Z0-9"),
    (r"alpha-?numerics?", "A-Za-z0-9"),
    (r"(?:lower ?-?case|small)(?: (?:latin |ascii )?(?:letters?|characters?))?|a ?- ?z", "a-z"),
    (r"(?:upper ?-?case|capital)(?: (?:latin |ascii )?(?:letters?|characters?))?|A ?- ?Z", "A-Z"),
    (r"(?:latin |ascii |english )?letters?|alphabetic(?:al)?", "A-Za-z"),
    (r"digits?|numbers?|numerals?|numeric|0 ?- ?9", "0-9"),
    (r"underscores?", "_"),
    (r"dots?|periods?|full stops?|points?", "."),
    (r"spaces?|blanks?", " "),
    (r"(?:forward )?slash(?:es)?", "/"),
    (r"colons?", ":"),
    (r"dash(?:es)?|hyphens?(?: minus)?", "-"),
)
_TOKENS = tuple((re.compile(rf"{text}\b"), made) for text, made in _CLASSES)
_SIGN = re.compile(r"[\"'`(]([-_./: ])[\"'`)]|([-_])(?=[\s,)]|$)")
_BETWEEN = re.compile(r"(?i)\s*(?:characters?)?\s*(?:,|&|/)?\s*(?:and/or\b|and\b|or\b)?\s*")


def only_characters(text: str) -> str | None:
    """The pattern of texts with the characters that a sentence allows; None where it lists none."""
    every = _written(text) or _worded(text)
    if not every:
        return None
    first, last = _edge(text, "first", every), _edge(text, "last", every)
    if first == last == every:
        return f"^[{every}]+$"
    return f"^[{first}][{every}]*{'' if last == every else f'[{last}]'}$"


def _worded(text: str) -> str:
    listed = _ALLOWED.search(text)
    starts = [listed.start("list")] if listed else [one.end() for one in _ONLY.finditer(text)]
    return next((some for start in starts if (some := _listed(text[start:]))), "")


def _written(text: str) -> str:
    """A class as regular expressions write it, where its clause neither forbids it nor speaks of
    the first and the last character."""
    for match in _CLASS.finditer(text):
        before = [one.end() for one in _CLAUSE.finditer(text, 0, match.start())]
        clause = text[before[-1] if before else 0 : match.start()]
        if not _REFUSED.search(clause) and _compiles(match.group()):
            return match.group(1)
    return ""


def _edge(text: str, which: str, every: str) -> str:
    """The characters that a text may begin or end with: all, where nothing is said."""
    for match in _EDGES.finditer(text):
        if not match[which]:
            continue
        rest = text[match.end() :]
        found = _CLASS.match(rest)
        some = found.group(1) if found is not None else _listed(rest)
        wanted = _members(some) if some and _compiles(f"[{some}]") else ""
        refused = bool(match["not"])
        left = [sign for sign in _members(every) if (sign in wanted) is not refused]
        return _as_class(left) if wanted and left else every
    return every


def _members(some: str) -> str:
    return "".join(re.findall(f"[{some}]", string.printable))


def _as_class(signs: list[str]) -> str:
    """A class of these characters, the dash last as patterns want it."""
    ranges = ((string.ascii_uppercase, "A-Z"), (string.ascii_lowercase, "a-z"))
    left, found = signs, ""
    for letters, name in (*ranges, (string.digits, "0-9")):
        if set(letters) <= set(left):
            left, found = [sign for sign in left if sign not in letters], found + name
    return found + "".join(re.escape(sign) for sign in sorted(left, key="-".__eq__))


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True


def _listed(text: str) -> str:
    """The classes of characters that a text begins with, the dash last as patterns want it."""
    found: dict[str, None] = {}
    while text:
        size, made = _first(text)
        if not size:
            break
        found[made] = None
        text = text[size:]
        text = text[between.end() :] if (between := _BETWEEN.match(text)) else text
    return "".join(sorted(found, key=lambda made: made == "-"))


def _first(text: str) -> tuple[int, str]:
    for token, made in _TOKENS:
        # Only the ranges tell small letters from capitals.
        match = token.match(text) or (token.match(text.lower()) if text[1:2].isalpha() else None)
        if match is not None:
            return match.end(), made
    sign = _SIGN.match(text)
    return (sign.end(), sign.group(1) or sign.group(2)) if sign is not None else (0, "")
