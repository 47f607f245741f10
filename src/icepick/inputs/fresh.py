"""Values that a run uses once: identifiers, and whatever else must be unique."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random

from icepick.inputs import numeric
from icepick.inputs.generate import Generator
from icepick.inputs.merge import Flat, types_of
from icepick.inputs.patterns import pattern
from icepick.inputs.realistic import text_for
from icepick.inputs.types import Made, NotMade, Options, Result
from icepick.openapi.types import Json, Schema

_DRAWS = 300
_BLOCK = 256
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_PLAIN = Options(realistic=False)


@dataclass(slots=True)
class _Scope:
    """The values of one kind that are used, and the number of the next one."""

    start: int
    count: int = 0
    used: set[str] = field(default_factory=set)


class Fresh:
    """Gives out values, never one twice within a scope; `rng` decides which.

    Two that start from equal `rng` and have different blocks give different values: that is how
    sequences that run side by side keep out of each other's way, whatever their order.
    """

    def __init__(self, generator: Generator, rng: Random, block: int = 0) -> None:
        self._generator = generator
        self._seed = rng.getrandbits(64)
        self._rng = Random(f"{self._seed} {block}")  # noqa: S311 (nothing here is a secret)
        self._first = block * _BLOCK
        self._scopes: dict[str, _Scope] = {}

    def value(
        self, schema: Schema, name: str = "", scope: str | None = None, *, in_path: bool = False
    ) -> Result:
        """A value that fits the schema and was neither given nor taken before.

        The scope is the name unless told otherwise. What stands in a path is one word: many
        services take no other there.
        """
        own = self._scope(name if scope is None else scope)
        found = self._candidates(schema, name, own)
        for candidate in map(_one_word, found) if in_path else found:
            key = _key(candidate)
            if key not in own.used and self._generator.fits(schema, candidate):
                own.used.add(key)
                return Made(candidate)
        if own.used:
            return NotMade(f"found no unused value; {len(own.used)} are in use")
        return self._generator.value(schema, self._rng, _PLAIN, name=name)

    def longer(self, value: Json, schema: Schema, scope: str) -> Json:
        """A value that begins like this one and was not given before; None where none fits."""
        own = self._scope(scope)
        for digit in range(1, 10):
            found: Json = None
            if isinstance(value, str):
                found = f"{value}{digit}"
            elif isinstance(value, int) and not isinstance(value, bool):
                found = value * 10 + digit
            if found is None or not self._generator.fits(schema, found):
                return None
            if _key(found) not in own.used:
                own.used.add(_key(found))
                return found
        return None

    def take(self, value: Json, scope: str) -> None:
        """Note that a value is in use, so that it is never given out."""
        self._scope(scope).used.add(_key(value))

    def _scope(self, name: str) -> _Scope:
        found = self._scopes.get(name)
        if found is None:
            # By name, so that the values of a scope do not depend on what others were asked.
            found = self._scopes[name] = _Scope(_start(f"{self._seed} {name}"), self._first)
        return found

    def _candidates(self, schema: Schema, name: str, scope: _Scope) -> Iterator[Json]:
        for flat in self._generator.variants(schema):
            kinds = types_of(flat) or []
            if "enum" in flat:
                yield from (one for one in flat["enum"] if one is not None)
            elif "string" in kinds or "patterns" in flat:
                yield from self._texts(flat, name, scope)
            elif {"integer", "number"} & set(kinds):
                yield from _numbers(flat, scope)
        for _ in range(_DRAWS):
            made = self._generator.value(schema, self._rng, _PLAIN, name=name)
            if isinstance(made, NotMade):
                return
            yield made.value

    def _texts(self, flat: Flat, name: str, scope: _Scope) -> Iterator[str]:
        scope.count += 1
        token = _token(scope.start + scope.count)
        form = flat.get("format")
        if form in {"email", "idn-email"} or "mail" in name.lower():
            yield f"user.{token}@example.com"
        if form in {"uri", "url", "iri"}:
            yield f"https://example.com/{token}"
        if form in {"hostname", "idn-hostname"}:
            yield f"{token}.example.com"
        if form is None:
            said = text_for(name, None, self._rng)
            yield from (f"{said} {token}",) if said and "@" not in said else ()
            yield from (f"x{token}", token)
            yield from self._short(flat)

    def _short(self, flat: Flat) -> Iterator[str]:
        """Texts that use every letter, for fields too short to hold a number."""
        if "patterns" in flat or "maxLength" not in flat:
            return
        low, high = int(flat.get("minLength", 0)), int(flat["maxLength"])
        found = (
            pattern(f"^[A-Za-z0-9]{{{max(low, min(1, high))},{high}}}$") if low <= high else None
        )
        for _ in range(_DRAWS if found else 0):
            yield found.make(self._rng, low, high) if found else ""


def _one_word(value: Json) -> Json:
    return "-".join(value.lower().split()) if isinstance(value, str) and " " in value else value


@lru_cache(maxsize=500)
def _start(scope: str) -> int:
    """The number that the values of a scope count from."""
    digest = hashlib.sha256(scope.encode()).digest()
    return 10**6 + int.from_bytes(digest[:8], "big") % 10**9


def _numbers(flat: Flat, scope: _Scope) -> Iterator[int]:
    """Numbers one after another, all of them once where there are few."""
    size, first, step = numeric.series(flat)
    for _ in range(min(size, len(scope.used) + _DRAWS)):
        scope.count += 1
        yield first + (scope.start + scope.count) % size * step


def _token(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits


def _key(value: Json) -> str:
    return repr(value) if isinstance(value, str | int) else json.dumps(value, sort_keys=True)
