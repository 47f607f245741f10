"""The characters that a sentence allows: "only lowercase letters, digits and dashes"."""

from __future__ import annotations

import re

_ONLY = re.compile(
    r"(?i)\b(?:only (?:contains?|includes?|uses?|has|have|consists? of|allows?|be made of)?"
    r"|(?:contains?|includes?|uses?|have|has) (?:only|nothing but)|consist(?:s|ing)? (?:only )?of"
    r"|(?:composed|made up) (?:only )?of)\s*"
)
_ALLOWED = re.compile(r"(?i)\bonly (?P<list>.+?) (?:are|is) (?:allowed|permitted|accepted)")
_CLASSES = (
    (r"(?:lower ?-?case|small) alpha-?numerics?", "a-z0-9"),
    (r"(?:upper ?-?case|capital) alpha-?numerics?", "A-Z0-9"),
    (r"alpha-?numerics?", "A-Za-z0-9"),
    (r"(?:lower ?-?case|small)(?: (?:latin |ascii )?(?:letters?|characters?))?|a ?- ?z", "a-z"),
    (r"(?:upper ?-?case|capital)(?: (?:latin |ascii )?(?:letters?|characters?))?|A ?- ?Z", "A-Z"),
    (r"(?:latin |ascii |english )?letters|alphabetic(?:al)?", "A-Za-z"),
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
    listed = _ALLOWED.search(text)
    starts = [listed.start("list")] if listed else [one.end() for one in _ONLY.finditer(text)]
    found = (_listed(text[start:]) for start in starts)
    return next((f"^[{some}]+$" for some in found if some), None)


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
