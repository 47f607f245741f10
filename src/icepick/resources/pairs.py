"""Pairs of fields that refer to a thing of any kind: one tells what it is, the other which."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product

from icepick.resources.reference_fit import noun_of
from icepick.resources.types import Field, Location, Resource
from icepick.resources.words import Words, noun, words

Pair = tuple[Field, Field]
"""The field that tells the kind, and the one that tells which of them."""

_KINDS = frozenset({"type", "kind", "model", "class", "collection", "table", "entity", "resource"})
_KEYS = frozenset({"id", "uuid", "guid", "uid", "key", "pk", "ref"})
_ANYTHING = frozenset(
    {"item", "object", "record", "row", "entity", "resource", "target", "subject", "instance"}
    | {"parent", "owner", "element", "thing"}
)
"""Words that do not say what something is."""

_PARTS = re.compile(r"[.:/\\]+")


def pairs(fields: Iterable[Field]) -> Iterator[Pair]:
    """The pairs in a body: `commentable_type` and `commentable_id`, `content_type` and `object_id`,
    `collection` and `item`."""
    plain = [
        one
        for one in fields
        if one.location is Location.BODY and not one.is_many and not one.read_only
    ]
    for kind, which in product(plain, plain):
        together = kind.path[:-1] == which.path[:-1] and kind is not which
        if together and _go_together(words(kind.name), words(which.name)):
            yield kind, which


def _go_together(kind: Words, which: Words) -> bool:
    if not which or kind[-1:] == () or kind[-1] not in _KINDS:
        return False
    what = which[:-1] if which[-1] in _KEYS else which
    about = kind[:-1]
    if what != which and what in {about, kind} and what:
        return True  # the same word before `type` and before `id`
    vague = about in {(), ("content",)} or about[-1] in _ANYTHING
    return vague and what[-1:] != () and what[-1] in _ANYTHING and what != kind


def called(value: str, resources: Iterable[Resource]) -> Iterator[Resource]:
    """The resources that a name of a kind can mean: `books`, `Book` and `library.book`."""
    names = {"".join(noun(part)) for part in (value, _PARTS.split(value)[-1])} - {""}
    for one in resources:
        if names & {"".join(noun_of(one)), "".join(words(one.name))}:
            yield one
