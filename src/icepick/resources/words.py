"""Names as people read them: `petIds`, `pet_ids` and `pet-ids` are the words (pet, id)."""

from __future__ import annotations

import re
from functools import lru_cache

import inflection

Words = tuple[str, ...]

GENERIC = frozenset(
    {
        "id", "ids", "uid", "uuid", "guid", "key", "name", "code", "slug", "number", "path", "ref",
        "type",
    }
)  # fmt: skip
"""Words that say how something is identified, but not what it is."""

ATTRIBUTES = frozenset(
    {"status", "state", "type", "kind", "role", "level", "mode", "category"}
    | {"comment", "label", "message", "note"}
)
"""Words that usually name a property of a thing, even where a resource has the same name."""

ID_WORDS = ("id", "uuid", "guid", "uid", "key", "slug", "code", "name", "number", "sku", "ref")
"""The same in the order in which they are likely to be an identifier."""

_PARTS = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_UNCOUNTABLE = frozenset({"data", "media", "metadata", "news", "series", "status", "settings"})

_PLURALS_IN_US = frozenset({"skus", "cpus", "gpus", "menus", "emus", "gurus"})


@lru_cache(maxsize=50_000)
def words(name: str) -> Words:
    """The words of an identifier in lower case."""
    return tuple(part.lower() for part in _PARTS.findall(name))


@lru_cache(maxsize=50_000)
def singular(word: str) -> str:
    """The singular of one word; words that only look like plurals stay."""
    if word in _PLURALS_IN_US:
        return word[:-1]
    if word in _UNCOUNTABLE or word.endswith(("ss", "us", "is")) or len(word) < 3:
        return word
    return str(inflection.singularize(word))


def noun(name: str) -> Words:
    """The words of a name, the last one in the singular: what a collection holds."""
    parts = words(name)
    return (*parts[:-1], singular(parts[-1])) if parts else ()


def is_plural(name: str) -> bool:
    """Whether a name's last word is a plural."""
    parts = words(name)
    return bool(parts) and singular(parts[-1]) != parts[-1]


def title(parts: Words) -> str:
    """Words as the name of a resource: (order, line) is OrderLine."""
    return "".join(part[:1].upper() + part[1:] for part in parts)


def is_generic(parts: Words) -> bool:
    """Whether words alone do not say what is meant, as `id` or `name`."""
    return all(part in GENERIC for part in parts)
