"""Which inputs a message speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import pairwise

from icepick.inputs.case import Slot
from icepick.openapi.source import unescaped
from icepick.openapi.types import ABSENT, Json
from icepick.resources.types import Path
from icepick.resources.words import words

_COMMON = frozenset(
    [
        "id",
        "name",
        "type",
        "status",
        "state",
        "date",
        "time",
        "number",
        "value",
        "field",
        "body",
        "format",
        "size",
        "length",
        "message",
        "code",
        "data",
        "key",
        "title",
        "order",
        "user",
        "count",
        "active",
        "list",
        "item",
        "items",
        "text",
        "description",
        "range",
        "total",
        "to",
        "from",
        "is",
        "in",
        "of",
        "at",
        "on",
        "for",
        "and",
        "or",
        "not",
        "be",
        "with",
    ]
)
"""Words of ordinary sentences: such a name must look like one to be taken for it."""

_LEADS = re.compile(
    r"(?i)(?:^|[.;:,\"'`\[({]\s*|\b(?:if|when|unless|with|without|than|fields?|parameter|property"
    r"|invalid|missing|for|the|where|attribute|before|after|query|value of|and|or|until|from"
    r"|specify|provide|supply)\s+)$"
)
_ENDS = re.compile(
    r"(?i)(?:[\"'`\])}:]|\s+(?:is|are|must|should|has|may|can|cannot|does|was"
    r"|given|provided|specified|supplied)\b)"
)
_WANTED = re.compile(
    r"(?i)\b([\w-]+)s (?:must be (?:given|present|provided|set|specified|supplied)"
    r"|are (?:mandatory|required))\b"
)
"""What is wanted of each: "names must be provided" is about the name."""

_INDEX = re.compile(r"\[(\d*|\*)\]|\[[\"']([^\"']+)[\"']\]")
_SHORT = 3
_FEW_DIGITS = 2
"""What is shorter may stand in a message by chance."""


class Names:
    """Finds the inputs of one operation by what messages call them."""

    def __init__(self, slots: Iterable[Slot]) -> None:
        self._slots = tuple(slots)
        self._forms: dict[str, Slot] = {}
        for slot in self._slots:
            for form in _forms(slot[1]):
                self._forms.setdefault(form.lower(), slot)

    @cached_property
    def _known(self) -> re.Pattern[str]:
        """Any of the forms; most operations are never complained of, and need it not."""
        longest = sorted(self._forms, key=lambda form: (-len(form), form))
        joined = "|".join(map(re.escape, longest)) or r"(?!)"
        return re.compile(rf"(?i)(?<![\w])(?:{joined})(?![\w])")

    def slot(self, name: str) -> Slot | None:
        """The input that a name, a dotted path or a JSON pointer stands for."""
        path = _path(name)
        if not path:
            return None
        wanted = tuple(_key(part) for part in path)
        for length in range(len(wanted), 0, -1):
            tail = wanted[-length:]
            found = [slot for slot in self._slots if _keys(slot)[-length:] == tail]
            found = found or [slot for slot in self._slots if _keys(slot)[: len(tail)] == tail]
            if found:
                return min(found, key=lambda slot: len(slot[1]))
        return None

    def mentioned(self, text: str) -> tuple[Slot, ...]:
        """The inputs that a text names, in its order."""
        found = [one for one in self._known.finditer(text) if _looks_like_name(one, text)]
        said = [one.group().lower() for one in found]
        said = said or [one.group(1).lower() for one in _WANTED.finditer(text)]
        return tuple(dict.fromkeys(self._forms[one] for one in said if one in self._forms))


def valued(text: str, values: Mapping[Slot, Json]) -> dict[Slot, str]:
    """The inputs whose concrete value stands in a text, as it stands there."""
    found: dict[Slot, str] = {}
    for slot, value in values.items():
        spelled = _spelled(value)
        if spelled and re.search(rf"(?<![\w]){re.escape(spelled)}(?![\w])", text):
            found[slot] = spelled
    return found


def with_names(text: str, values: Mapping[Slot, Json]) -> str:
    """The text with every concrete value replaced by the name of its input."""
    found = valued(text, values)
    for slot, spelled in sorted(found.items(), key=lambda one: (-len(one[1]), one[0])):
        name = next((part for part in reversed(slot[1]) if part != "[]"), "")
        text = re.sub(rf"(?<!\w){re.escape(spelled)}(?!\w)", name.replace("\\", "\\\\"), text)
    return text


def _spelled(value: Json) -> str:
    """A value as it stands in messages; nothing where it is too short to be told from others."""
    if value is ABSENT or value is None or isinstance(value, bool | dict | list):
        return ""
    text = str(value)
    least = _SHORT if isinstance(value, str) and not text.isdigit() else _FEW_DIGITS
    return text if len(text) >= least else ""


def _looks_like_name(match: re.Match[str], text: str) -> bool:
    """Whether a word of ordinary language is used as a name here."""
    word = match.group()
    humped = any(one.islower() and next_one.isupper() for one, next_one in pairwise(word))
    if word.lower() not in _COMMON or "_" in word or humped:
        return True
    before, after = text[: match.start()], text[match.end() :]
    return bool(_LEADS.search(before) or _ENDS.match(after))


def _forms(path: Path) -> Iterable[str]:
    """How a service may write the name of an input."""
    named = [part for part in path if part != "[]"]
    for tail in (named, named[-1:]):
        if tail:
            yield ".".join(tail)
    parts = words(named[-1]) if named else ()
    if len(parts) > 1:
        yield "_".join(parts)
        yield "-".join(parts)
        yield " ".join(parts)
        yield parts[0] + "".join(part.title() for part in parts[1:])
        yield "".join(parts)


def _path(name: str) -> list[str]:
    """The parts of `a.b[0].c`, `/a/b/0/c` and `a[b][c]`, numbers as elements."""
    plain = _INDEX.sub(lambda found: f".{found.group(2) or '[]'}", name.strip().strip("\"'`"))
    plain = re.sub(r"\[(\w+)\]", r".\1", plain)
    parts = re.split(r"[./]", unescaped(plain))
    return ["[]" if part.isdigit() or part == "*" else part for part in parts if part]


def _key(part: str) -> str:
    return part if part == "[]" else "".join(words(part)) or part


def _keys(slot: Slot) -> tuple[str, ...]:
    return tuple(_key(part) for part in slot[1])
