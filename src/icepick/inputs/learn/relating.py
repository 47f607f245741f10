"""What a sentence says about other inputs, and about what the service already has."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from icepick.inputs.learn.types import Kind
from icepick.openapi.types import ABSENT, Json

_NAME = (
    r"(?:the )?(?:value of |field |parameter )?[\"'`\[]?(?:ref:)?"
    r"(?P<other>[A-Za-z_][\w.\-]*(?: [a-z]\w*){0,2}?)[\"'`\]]?(?: field)?"
)
_IS = r"\s*(?:is set to|is equal to|is either|is|equals|==?|has (?:the )?value|are)\s*"
_WORD = r"[\w+-]+(?:\.[\w+-]+)*"
_VALUE = rf"[\"'`]?(?P<value>{_WORD}(?:[\"'`](?:\s*(?:,|or)\s*[\"'`]{_WORD})+)?)[\"'`]?"
_THERE = (
    r"(?:given|present|set|provided|specified|used|supplied|sent|filled|defined|included|there)"
)
_NEEDED = (
    rf"(?:required|mandatory|needed|must be {_THERE}|must not be (?:null|blank|empty)|missing)"
)
_CANNOT = r"(?:must not|cannot|can not|can't|may not|should not)"
_BANNED = (
    r"(?:must be (?:absent|empty|null|omitted|left out)|forbidden|prohibited|incompatible"
    r"|(?:is |are )?not (?:allowed|permitted|accepted)|conflicts?"
    rf"|{_CANNOT} be (?:{_THERE}|combined))"
)
_ONLY = (
    r"(?:only (?:be )?(?:allowed|valid|permitted|applicable|used|accepted|given|set|supported"
    r"|required)|(?:allowed|valid|permitted|applicable|accepted) only)"
)
_BESIDE = r"(?:together |combined )?(?:with|alongside|when|if)(?: forbidden peer)?"
_MUST_BE = r"(?:must|should|has to) be (?:strictly )?"
_EARLIER = (
    r"(?:before|earlier than|less than|smaller than|lower than|prior to|no later than"
    r"|on or before|at most|less than or equal to|<=?)"
)
_LATER = (
    r"(?:after|later than|greater than|larger than|higher than|more than|no earlier than"
    r"|on or after|at least|greater than or equal to|>=?)"
)
_END = r"\s*[.!;,)]?\s*(?:$|[;,.])"
_LIST = r"(?P<list>[\[(]?\s*[\"'`]?[A-Za-z_].*?)"
_DIFFER = r"(?:differ from|be different (?:from|to|than)|not (?:be )?(?:equal(?: to)?|the same as))"
_SAME = r"(?:(?:must|should) (?:match|equal|be equal to|be the same as)|does(?: not|n't) match)"
_APART = rf"(?:are mutually exclusive|{_CANNOT} (?:both )?be {_THERE})"

_TABLE = tuple(
    (re.compile(f"(?i){pattern}"), kind)
    for pattern, kind in (
        (rf"{_BANNED} unless {_NAME}{_IS}{_VALUE}{_END}", Kind.ONLY_IF),
        (rf"{_BANNED} unless {_NAME}{_END}", Kind.ONLY_IF),
        (rf"{_ONLY} (?:if|when|where|for|with) {_NAME}{_IS}{_VALUE}{_END}", Kind.ONLY_IF),
        (rf"{_ONLY} (?:if|when|where|with) {_NAME}{_END}", Kind.ONLY_IF),
        (
            rf"{_NEEDED}[,]? (?:if|when|where|because|since|as) {_NAME}{_IS}{_VALUE}{_END}",
            Kind.REQUIRES,
        ),
        (rf"{_NEEDED} for {_NAME}{_IS}{_VALUE}{_END}", Kind.REQUIRES),
        (rf"{_NEEDED} for (?P<other>\w+) {_VALUE}{_END}", Kind.REQUIRES),
        (rf"missing \w+ for (?P<other>\w+) {_VALUE}{_END}", Kind.REQUIRES),
        (rf"{_NEEDED} (?:together )?with {_NAME}{_END}", Kind.REQUIRES),
        (rf"{_BANNED} (?:if|when|where) {_NAME}{_IS}{_VALUE}{_END}", Kind.NOT_WITH),
        (rf"{_BANNED} {_BESIDE} {_NAME}{_END}", Kind.NOT_WITH),
        (rf"mutually exclusive (?:with|to) {_NAME}{_END}", Kind.NOT_WITH),
        (rf"[\"'`]?\w+[\"'`]? and {_NAME} {_APART}", Kind.NOT_WITH),
        (rf"{_MUST_BE}{_EARLIER} {_NAME}{_END}", Kind.BEFORE),
        (rf"{_CANNOT} be {_LATER} {_NAME}{_END}", Kind.BEFORE),
        (rf"{_MUST_BE}{_LATER} {_NAME}{_END}", Kind.AFTER),
        (rf"{_CANNOT} be {_EARLIER} {_NAME}{_END}", Kind.AFTER),
        (rf"(?:must|should) {_DIFFER} {_NAME}(?: [\"'].*)?{_END}", Kind.DIFFERENT),
        (rf"(?:{_SAME}|must be) (?:the )?{_NAME}(?: field)?{_END}", Kind.EQUAL),
    )
)
_AS_IN_PATH = re.compile(
    rf"(?i)(?:{_SAME}|(?:must|should) be the same as|differs? from|(?:is|are) not the same as)"
    r" (?:the )?(?:(?:\w+ )?(?:in|of|from) (?:the )?)?(?:request )?(?:ur[il]|path|route)\b"
)
IN_PATH = "{}"
"""What a relation calls the last parameter of the path, which messages hardly ever name."""
_ONE_OF = (
    re.compile(
        rf"(?i)(?:at least )?(?:one of|either)\s+{_LIST}\s*(?:is|must be|are|should be|has to be)"
        rf"\s+(?:required|{_THERE})"
    ),
    re.compile(
        r"(?i)must (?:contain|have|include|provide|specify) at least one of"
        rf"\s*:?\s*{_LIST}[.!]?$"
    ),
    re.compile(rf"(?i)(?:provide|specify|supply) (?:at least one of|either)\s+{_LIST}[.!]?$"),
)
_PEER = re.compile(
    r"(?i)missing required peers?\s+[\"'`\[]?(?P<other>\w+)"
    r"|\brequires\s+[\"'`]?(?P<also>\w+)[\"'`]?\s*(?:to be \w+)?$"
)
_NOT_NAMES = re.compile(
    r"(?i)^(?:an?|the|one|valid|well|of|in|unique|either|any|empty|null|blank|true|false|pattern|regex"
    r"|regular|required|positive|negative|zero|now|today|past|future|present|format|number|integer"
    r"|string|array|object|boolean|equal|greater|less|between|at|no|not|it|this|that|its)\b"
)
_ABSENT_WORDS = re.compile(rf"(?i)^(?:not null|{_THERE})$")
_UNIQUE = re.compile(
    r"(?i)\balready\b.{0,20}\b(?:exists?|taken|in use|used|registered|assigned|known|claimed)\b"
    r"|\b(?:exists?|taken|used|registered) already\b|\bmust be unique\b|\bis taken\b|\bnot unique\b"
    r"|\bduplicate|\bunique constraint\b|\bshould be unique\b|\b(?:named|given|used) twice\b"
    r"|\bis not available\b|\bthere is (?:already an?|an?)\b.*\balready\b|\bexists\.?$"
)
_EXISTING = re.compile(
    r"(?i)\b(?:does not|doesn't|do not|did not|must) exist\b|\bnot (?:be )?found\b|\bno such\b"
    r"|\bthere is no\b|\bmust be (?:an? )?(?:registered|existing|known)\b|\bmust (?:refer|belong)"
    r"|\bnot registered\b|\binvalid pk\b|\bforeign key\b|\bnot present in table\b|\bcannot find\b"
    r"|\bunknown \w+ ?id\b|\bhas no \w+ [\"']|\bis not a known \w+ id\b|\bmust be an? \w+ of\b"
)
_FORBIDDEN = re.compile(
    r"(?i)\bis not an? (?:known|allowed|recognized|valid) (?:field|property|parameter|attribute)\b"
    r"|\bis not (?:allowed|permitted|recognized|expected)[.!]?$|\bshould not exist\b"
    r"|\b(?:unknown|unexpected|unrecognized|additional|extra) (?:fields?|propert\w+|parameters?"
    r"|inputs?|keys?|attributes?|arguments?)\b|\bmust be (?:absent|omitted|left out)[.!]?$"
    r"|\bread-?only\b|\bmust not be (?:given|sent|set|present|provided|specified)[.!]?$"
)


@dataclass(frozen=True, slots=True)
class SaidRelation:
    """A dependency as a sentence puts it: the other inputs by the names used there."""

    kind: Kind
    others: tuple[str, ...]
    value: Json = ABSENT
    reverse: bool = False
    """It is the other that needs, or rules out, the one the sentence is about."""


@dataclass(frozen=True, slots=True)
class Demands:
    """What a sentence demands with regard to what the service keeps and knows."""

    unique: bool = False
    existing: bool = False
    forbidden: bool = False


def demands(text: str) -> Demands:
    """Whether a value must be new, must be known, or must not be there at all."""
    unique = bool(_UNIQUE.search(text))
    existing = not unique and bool(_EXISTING.search(text))
    return Demands(unique, existing, not unique and bool(_FORBIDDEN.search(text)))


def relations(text: str, is_name: Callable[[str], bool] = bool) -> tuple[SaidRelation, ...]:
    """The dependencies that a sentence states: at most one, the most specific."""
    for said in (*_as_in_path(text), *_alternatives(text), *_peers(text), *_dependencies(text)):
        if said.others and all(map(is_name, said.others)):
            return (said,)
    return ()


def _as_in_path(text: str) -> Iterator[SaidRelation]:
    if _AS_IN_PATH.search(text):
        yield SaidRelation(Kind.EQUAL, (IN_PATH,))


def _alternatives(text: str) -> Iterator[SaidRelation]:
    for pattern in _ONE_OF:
        match = pattern.search(text)
        if match is not None:
            listed = re.sub(r"\b(?:or|and|the|fields?|parameters?)\b", " ", match["list"])
            names = tuple(re.findall(r"[A-Za-z_][\w.]*", listed))
            yield SaidRelation(Kind.ONE_OF, names if len(names) > 1 else ())


def _peers(text: str) -> Iterator[SaidRelation]:
    peer = _PEER.search(text)
    if peer is not None:
        yield SaidRelation(Kind.REQUIRES, (peer["other"] or peer["also"],), reverse=True)


def _dependencies(text: str) -> Iterator[SaidRelation]:
    for pattern, kind in _TABLE:
        match = pattern.search(text)
        if match is not None and not _NOT_NAMES.match(match["other"]):
            yield SaidRelation(kind, (match["other"],), _value(match))


def _value(match: re.Match[str]) -> Json:
    value = match.groupdict().get("value")
    if value is None or _ABSENT_WORDS.match(value):
        return ABSENT
    return re.split(r"[\"'`]", value)[0]
