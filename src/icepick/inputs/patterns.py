"""Texts that match a regular expression, of a wanted length where the expression allows it."""

from __future__ import annotations

import re
import re._constants as op  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
import string
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

import jsonschema_rs

_PRINTABLE = 2 * (string.ascii_letters + string.digits) + "!#$%&()*+-./:;<=>?@[]^_{|}~ ,'\""
_UNLIMITED = 4_294_967_295
_LONGEST = 10_000
_USUAL = 12
"""How much longer than it must be a text gets where nothing bounds it."""

_CATEGORIES = {
    op.CATEGORY_DIGIT: string.digits,
    op.CATEGORY_WORD: string.ascii_letters + string.digits + "_",
    op.CATEGORY_SPACE: " ",
    op.CATEGORY_NOT_DIGIT: string.ascii_letters + "-_ .",
    op.CATEGORY_NOT_WORD: " -.,:;!?",
    op.CATEGORY_NOT_SPACE: string.ascii_letters + string.digits + "-_.",
}
_PROPERTIES = {
    "L": "A-Za-z", "Lu": "A-Z", "Ll": "a-z", "N": "0-9", "Nd": "0-9", "P": "!-/:-@",
    "S": "$+<=>", "Z": " ", "Zs": " ", "Letter": "A-Za-z", "Alphabetic": "A-Za-z",
}  # fmt: skip
_PROPERTY = re.compile(r"\\p(?:\{\^?(\w+)\}|(\w))")
_CLASS = re.compile(r"\[(?:[^\]\\]|\\.)*\]")
_Captured = dict[int, str]


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of an expression: `kind` says how it is made, `low` and `high` how long it can be.

    `chars` belongs to single characters, `inner` to sequences, choices and repeats, `counts` to
    repeats, `group` to captures and what refers back to them.
    """

    kind: str
    low: int
    high: int
    chars: str = ""
    inner: tuple[Piece, ...] = ()
    counts: tuple[int, int] = (1, 1)
    group: int = 0


_NOTHING = Piece("sequence", 0, 0)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression that texts can be made from."""

    piece: Piece
    validator: jsonschema_rs.Validator
    open_start: bool
    open_end: bool

    def make(self, rng: Random, low: int = 0, high: int | None = None) -> str:
        """A text, of a length within the bounds where possible; whether it matches is not sure.

        Lookarounds are not followed: ask `matches`, and try again.
        """
        wanted = self._length(rng, low, high)
        made = _make(self.piece, wanted, rng, {})
        missing = low - len(made)
        if missing > 0 and (self.open_start or self.open_end):
            filler = "".join(rng.choices(string.ascii_lowercase, k=missing))
            made = made + filler if self.open_end else filler + made
        return made

    def _length(self, rng: Random, low: int, high: int | None) -> int:
        least = min(max(low, self.piece.low), self.piece.high)
        most = min(self.piece.high, least + _USUAL, _LONGEST if high is None else high)
        return rng.randint(least, max(least, most))

    def matches(self, text: str) -> bool:
        """Whether the expression matches somewhere in a text."""
        # Python's own engine would need exponential time for some expressions.
        return self.validator.is_valid(text)


@lru_cache(maxsize=2_000)
def pattern(expression: str) -> Pattern | None:
    """The pattern of an expression; None where it cannot be read."""
    translated = _translated(expression)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the nested sets that no version has brought yet
            tree = parser.parse(translated)
        validator = jsonschema_rs.validator_for({"pattern": expression})
    except (re.error, OverflowError, RecursionError, jsonschema_rs.ValidationError):
        return None
    found = list(tree)
    starts = bool(found) and found[0][0] is op.AT
    ends = bool(found) and found[-1][0] is op.AT
    return Pattern(_sequence(found), validator, not starts, not ends)


def _translated(expression: str) -> str:
    """ECMA's classes of Unicode and named groups as Python writes them."""

    def inside(found: re.Match[str]) -> str:
        return _PROPERTY.sub(_property, found.group())

    expression = _CLASS.sub(inside, expression)
    expression = _PROPERTY.sub(lambda one: f"[{_property(one)}]", expression)
    return re.sub(r"\(\?<(?=[A-Za-z_])", "(?P<", expression)


def _property(found: re.Match[str]) -> str:
    return _PROPERTIES.get(found.group(1) or found.group(2), "A-Za-z")


def _sequence(tokens: Iterable[Any]) -> Piece:
    pieces = [piece for token in tokens if (piece := _piece(*token)) is not _NOTHING]
    if len(pieces) == 1:
        return pieces[0]
    high = min(sum(piece.high for piece in pieces), _LONGEST)
    return Piece("sequence", sum(piece.low for piece in pieces), high, inner=tuple(pieces))


def _piece(kind: Any, argument: Any) -> Piece:
    if kind is op.LITERAL:
        return Piece("char", 1, 1, chr(argument))
    if kind in {op.NOT_LITERAL, op.ANY, op.IN}:
        return Piece("char", 1, 1, _characters(kind, argument))
    if kind in {op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT}:
        return _repeat(*argument)
    if kind is op.SUBPATTERN:
        return _captured(argument[0], _sequence(argument[-1]))
    if kind is op.BRANCH:
        return _choice([_sequence(branch) for branch in argument[1]])
    if kind is op.ATOMIC_GROUP:
        return _sequence(argument)
    if kind is op.GROUPREF:
        return Piece("back", 0, 0, group=argument)
    return _NOTHING  # anchors and lookarounds take no room


def _captured(group: int | None, inner: Piece) -> Piece:
    if group is None:
        return inner
    return Piece("group", inner.low, inner.high, inner=(inner,), group=group)


def _choice(branches: Sequence[Piece]) -> Piece:
    low = min(branch.low for branch in branches)
    return Piece("choice", low, max(branch.high for branch in branches), inner=tuple(branches))


def _repeat(least: int, most: int, tokens: Iterable[Any]) -> Piece:
    inner = _sequence(tokens)
    most = _LONGEST if int(most) >= _UNLIMITED else int(most)
    high = min(inner.high * most, _LONGEST)
    return Piece("repeat", inner.low * least, high, inner=(inner,), counts=(least, most))


def _characters(kind: Any, argument: Any) -> str:
    if kind is op.ANY:
        return _PRINTABLE
    if kind is op.NOT_LITERAL:
        return _PRINTABLE.replace(chr(argument), "")
    listed = "".join(map(_listed, argument))
    if argument[0][0] is not op.NEGATE:
        return listed
    left = "".join(char for char in _PRINTABLE if char not in listed)
    return left or next((c for c in map(chr, range(0xA1, 0x3000)) if c not in listed), "")


def _listed(token: Any) -> str:
    kind, argument = token
    if kind is op.LITERAL:
        return chr(argument)
    if kind is op.RANGE:
        first, last = argument
        # A class of all of Unicode is meant to say "anything"; what people type will do.
        usual = [char for char in _PRINTABLE if first <= ord(char) <= last]
        wide = last - first > 200 and usual
        return (
            "".join(usual) if wide else "".join(map(chr, range(first, min(last, first + 200) + 1)))
        )
    return _CATEGORIES.get(argument, "") if kind is op.CATEGORY else ""


def _make(piece: Piece, length: int, rng: Random, captured: _Captured) -> str:
    """A text of the piece, as near to the length as it comes."""
    if piece.kind == "char":
        return rng.choice(piece.chars) if piece.chars else ""
    if piece.kind == "sequence":
        return _joined(piece.inner, length, rng, captured)
    if piece.kind == "repeat":
        return _joined((piece.inner[0],) * _count(piece, length, rng), length, rng, captured)
    if piece.kind == "choice":
        fitting = [one for one in piece.inner if one.low <= length <= one.high]
        return _make(rng.choice(fitting or piece.inner), length, rng, captured)
    if piece.kind == "group":
        captured[piece.group] = _make(piece.inner[0], length, rng, captured)
    return captured.get(piece.group, "")


def _count(piece: Piece, length: int, rng: Random) -> int:
    """How often to repeat, so that the length can be reached."""
    inner, (least, most) = piece.inner[0], piece.counts
    if inner.high == 0:
        return least
    fewest = max(least, -(-length // inner.high))
    furthest = min(most, length // inner.low if inner.low else max(length, least))
    return rng.randint(fewest, max(fewest, furthest))


def _joined(pieces: Sequence[Piece], length: int, rng: Random, captured: _Captured) -> str:
    """The pieces one after another, what exceeds their least lengths dealt out at random."""
    spare = length - sum(piece.low for piece in pieces)
    extra = [0] * len(pieces)
    if spare > 0:
        for index in rng.sample(range(len(pieces)), len(pieces)):
            room = pieces[index].high - pieces[index].low
            if room:
                extra[index] = rng.randint(0, min(room, spare))
                spare -= extra[index]
        for index, piece in enumerate(pieces):
            more = min(piece.high - piece.low - extra[index], spare)
            extra[index], spare = extra[index] + more, spare - more
    return "".join(
        _make(piece, piece.low + extra[index], rng, captured) for index, piece in enumerate(pieces)
    )
