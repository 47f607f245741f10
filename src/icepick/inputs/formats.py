"""Texts of the formats that OpenAPI and JSON Schema name."""

from __future__ import annotations

import base64
import ipaddress
import string
import uuid
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from random import Random

_FIRST_DAY = date(2020, 1, 1)
_DAYS = 365 * 8
_SECOND = 86_400
_PUNCTUATION = "!#$%&*+-=?@_"
_WORDS = (
    "alpha", "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "harbor", "indigo",
    "juniper", "kestrel", "lagoon", "maple", "nimbus", "opal", "prairie", "quartz", "river",
    "summit", "tundra", "umber", "valley", "willow", "yarrow", "zephyr",
)  # fmt: skip

Maker = Callable[[Random, int, int], str]
"""Makes a text, of a length between the two where its format leaves the choice."""


def word(rng: Random) -> str:
    """Some word."""
    return rng.choice(_WORDS)


def day(rng: Random, first: date = _FIRST_DAY, days: int = _DAYS) -> str:
    """A date."""
    return (first + timedelta(days=rng.randrange(days))).isoformat()


def moment(rng: Random, first: date = _FIRST_DAY, days: int = _DAYS) -> str:
    """A point in time, to the second."""
    start = datetime(first.year, first.month, first.day, tzinfo=UTC)
    moved = start + timedelta(seconds=rng.randrange(days * _SECOND))
    return moved.strftime("%Y-%m-%dT%H:%M:%SZ")


def new_uuid(rng: Random) -> str:
    """A random UUID."""
    return str(uuid.UUID(int=rng.getrandbits(128), version=4))


def _clock(rng: Random, _low: int, _high: int) -> str:
    return f"{rng.randrange(24):02}:{rng.randrange(60):02}:{rng.randrange(60):02}Z"


def _duration(rng: Random, _low: int, _high: int) -> str:
    return rng.choice((f"P{rng.randint(1, 30)}D", f"PT{rng.randint(1, 59)}M"))


def _padded(text: str, low: int, rng: Random) -> str:
    return text + "".join(rng.choices(string.ascii_lowercase, k=max(0, low - len(text))))


def email(rng: Random, low: int = 0, high: int = 100) -> str:
    """An address of the domain that is kept for examples."""
    host = "@example.com" if high >= 16 else "@a.io"
    room = max(1, min(high - len(host), 64))
    name = _padded(f"{word(rng)}.{word(rng)}{rng.randrange(1000)}", low - len(host), rng)
    return name[:room].rstrip(".") + host


def _uri(rng: Random, low: int, high: int) -> str:
    long = f"https://example.com/{word(rng)}/{rng.randrange(10_000)}"
    return _padded(long if len(long) <= high else "http://a.io"[: max(high, 6)], low, rng)


def _reference(rng: Random, low: int, high: int) -> str:
    return _padded(f"/{word(rng)}/{rng.randrange(10_000)}"[: max(high, 1)], low, rng)


def _hostname(rng: Random, low: int, high: int) -> str:
    name = f"{word(rng)}{rng.randrange(1000)}.example.com"
    while len(name) < low:
        name = _padded("", min(60, low - len(name)), rng) + "." + name
    return name if len(name) <= high else _padded("", max(1, min(high, 8)), rng)


def _ipv4(rng: Random, _low: int, _high: int) -> str:
    return str(ipaddress.IPv4Address(0xCB007100 + rng.randrange(256)))  # the block for examples


def _ipv6(rng: Random, _low: int, _high: int) -> str:
    return str(ipaddress.IPv6Address((0x20010DB8 << 96) + rng.getrandbits(48)))


def _length(rng: Random, low: int, high: int, usual: int) -> int:
    return rng.randint(low, max(low, min(high, low + usual)))


def _byte(rng: Random, low: int, high: int) -> str:
    groups = rng.randint(-(-low // 4), max(-(-low // 4), min(high // 4, low // 4 + 4)))
    size = groups * 3 - (rng.randrange(3) if groups else 0)
    return base64.b64encode(rng.randbytes(size)).decode("ascii")


def _binary(rng: Random, low: int, high: int) -> str:
    octets = [*range(0x20, 0x7F), *range(0xA0, 0x100)]
    return "".join(map(chr, rng.choices(octets, k=_length(rng, low, high, 16))))


def password(rng: Random, low: int = 8, high: int = 16) -> str:
    """Upper and lower case, digits and punctuation, at least twelve where they fit."""
    size = _length(rng, max(low, min(12, high)), high, 4)
    kinds = (string.ascii_uppercase, string.ascii_lowercase, string.digits, _PUNCTUATION)
    chosen = [rng.choice(kinds[index % 4]) for index in range(size)]
    rng.shuffle(chosen)
    return "".join(chosen)


FORMATS: dict[str, Maker] = {
    "date": lambda rng, _low, _high: day(rng),
    "date-time": lambda rng, _low, _high: moment(rng),
    "time": _clock,
    "duration": _duration,
    "uuid": lambda rng, _low, _high: new_uuid(rng),
    "email": email,
    "idn-email": email,
    "uri": _uri,
    "url": _uri,
    "iri": _uri,
    "uri-reference": _reference,
    "iri-reference": _reference,
    "uri-template": _reference,
    "hostname": _hostname,
    "idn-hostname": _hostname,
    "ipv4": _ipv4,
    "ipv6": _ipv6,
    "byte": _byte,
    "binary": _binary,
    "password": password,
    "json-pointer": _reference,
    "relative-json-pointer": lambda rng, _low, _high: str(rng.randrange(10)),
    "regex": lambda rng, _low, _high: f"^{word(rng)}$",
}
