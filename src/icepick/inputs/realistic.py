"""What a person would enter, by the name of the field."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import lru_cache
from random import Random

from icepick.inputs.formats import day, email, moment, new_uuid, password, word
from icepick.resources.words import singular, words

_FIRST = ("Ada", "Bruno", "Chiara", "Deniz", "Elif", "Farid", "Grace", "Hana", "Ivan", "Juno")
_LAST = ("Almeida", "Berg", "Costa", "Dubois", "Eriksen", "Fischer", "Garcia", "Haddad", "Ito")
_STREETS = ("Harbor Road", "Mill Lane", "Station Street", "Garden Way", "Church Square")
_PLACES = (
    ("NO", "NOR", "Norway", "Bergen", "Vestland", "NOK"),
    ("PT", "PRT", "Portugal", "Porto", "Norte", "EUR"),
    ("DE", "DEU", "Germany", "Bremen", "Bremen", "EUR"),
    ("FR", "FRA", "France", "Lyon", "Rhone", "EUR"),
    ("US", "USA", "United States", "Denver", "Colorado", "USD"),
    ("JP", "JPN", "Japan", "Kyoto", "Kansai", "JPY"),
)
_COMPANIES = ("Northwind", "Bluefield", "Contour", "Lumen", "Fairway")
_LANGUAGES = ("en", "de", "fr", "pt", "ja")
_ZONES = ("Europe/Oslo", "Europe/Lisbon", "America/Denver", "Asia/Tokyo")
_COLORS = ("red", "green", "blue", "amber", "violet")
_START = frozenset({"start", "begin", "from", "since", "after", "open", "starts", "begins"})
_END = frozenset({"end", "until", "to", "before", "till", "expire", "expiry", "close", "due"})

Namer = Callable[[Random], str]


def _place(part: int) -> Namer:
    return lambda rng: rng.choice(_PLACES)[part]


def _one(choices: tuple[str, ...]) -> Namer:
    return lambda rng: rng.choice(choices)


def _sentence(rng: Random) -> str:
    return f"The {word(rng)} and the {word(rng)} by the {word(rng)}."


def _digits(count: int) -> Namer:
    return lambda rng: "".join(rng.choices("123456789", k=count))


def _login(rng: Random) -> str:
    return f"{rng.choice(_FIRST).lower()}{rng.randrange(10_000)}"


_TEXTS: tuple[tuple[frozenset[str], Namer], ...] = tuple(
    (frozenset(names.split()), namer)
    for names, namer in (
        ("email", email),
        ("mail", email),
        ("password", password),
        ("uuid", new_uuid),
        ("guid", new_uuid),
        ("phone country", _place(0)),
        ("phone", lambda rng: f"+4755501{rng.randrange(1000):03}"),
        ("mobile", lambda rng: f"+4755502{rng.randrange(1000):03}"),
        ("telephone", lambda rng: f"+4755503{rng.randrange(1000):03}"),
        ("fax", lambda rng: f"+4755504{rng.randrange(1000):03}"),
        ("currency", _place(5)),
        ("country code", _place(0)),
        ("country", _place(2)),
        ("postal code", _digits(5)),
        ("post code", _digits(5)),
        ("postcode", _digits(5)),
        ("zip", _digits(5)),
        ("zipcode", _digits(5)),
        ("city", _place(3)),
        ("town", _place(3)),
        ("region", _place(4)),
        ("province", _place(4)),
        ("street", lambda rng: f"{rng.randint(1, 99)} {rng.choice(_STREETS)}"),
        ("address", lambda rng: f"{rng.randint(1, 99)} {rng.choice(_STREETS)}"),
        ("url", lambda rng: f"https://example.com/{word(rng)}"),
        ("uri", lambda rng: f"https://example.com/{word(rng)}"),
        ("website", lambda rng: f"https://example.com/{word(rng)}"),
        ("link", lambda rng: f"https://example.com/{word(rng)}"),
        ("color", _one(_COLORS)),
        ("colour", _one(_COLORS)),
        ("language", _one(_LANGUAGES)),
        ("locale", _one(_LANGUAGES)),
        ("timezone", _one(_ZONES)),
        ("time zone", _one(_ZONES)),
        ("gender", _one(("female", "male"))),
        ("company", _one(_COMPANIES)),
        ("organization", _one(_COMPANIES)),
        ("slug", lambda rng: f"{word(rng)}-{word(rng)}"),
        ("first name", _one(_FIRST)),
        ("given name", _one(_FIRST)),
        ("firstname", _one(_FIRST)),
        ("last name", _one(_LAST)),
        ("family name", _one(_LAST)),
        ("lastname", _one(_LAST)),
        ("surname", _one(_LAST)),
        ("user name", _login),
        ("username", _login),
        ("login", _login),
        ("file name", lambda rng: f"{word(rng)}.txt"),
        ("filename", lambda rng: f"{word(rng)}.txt"),
        ("name", lambda rng: f"{rng.choice(_FIRST)} {rng.choice(_LAST)}"),
        ("title", lambda rng: f"{word(rng).title()} {word(rng).title()}"),
        ("description", _sentence),
        ("comment", _sentence),
        ("note", _sentence),
        ("message", _sentence),
        ("summary", _sentence),
        ("timestamp", moment),
        ("birthday", lambda rng: day(rng, date(1960, 1, 1), 15_000)),
        ("date", day),
    )
)
_NUMBERS: dict[str, tuple[float, float]] = {
    "price": (1, 500), "amount": (1, 500), "cost": (1, 500), "total": (1, 500),
    "quantity": (1, 10), "qty": (1, 10), "count": (1, 10), "size": (1, 50), "limit": (1, 50),
    "page": (1, 1), "offset": (0, 0), "age": (18, 80), "year": (2020, 2027), "month": (1, 12),
    "day": (1, 28), "hour": (0, 23), "minute": (0, 59), "percent": (0, 100), "rating": (1, 5),
    "percentage": (0, 100), "discount": (0, 50), "stock": (1, 100), "capacity": (2, 50),
    "weight": (1, 100), "height": (1, 200), "width": (1, 200), "port": (1024, 65_535),
    "latitude": (-90, 90), "lat": (-90, 90), "longitude": (-180, 180), "lng": (-180, 180),
    "lon": (-180, 180), "min": (1, 10), "max": (100, 1000), "minimum": (1, 10),
    "maximum": (100, 1000),
}  # fmt: skip


@lru_cache(maxsize=20_000)
def _words(name: str) -> tuple[frozenset[str], tuple[str, ...]]:
    parts = words(name)
    return frozenset((*parts, *map(singular, parts))), parts


@lru_cache(maxsize=20_000)
def _namer(name: str) -> Namer | None:
    found = _words(name)[0]
    return next((namer for names, namer in _TEXTS if names <= found), None)


def text_for(name: str, form: str | None, rng: Random) -> str | None:
    """A text that fits the name; with a format only where the name says more than the format."""
    if form in {"date", "date-time"}:
        return _time(name, form, rng)
    namer = None if form else _namer(name)
    return namer(rng) if namer is not None else None


def numbers_for(name: str) -> tuple[float, float] | None:
    """The bounds within which numbers of this name usually lie."""
    parts = _words(name)[1]
    limit = next((part for part in parts if part in {"min", "max", "minimum", "maximum"}), None)
    usual = (_NUMBERS.get(part) for part in ([limit] if limit else reversed(parts)))
    return next((bounds for bounds in usual if bounds is not None), None)


def _time(name: str, form: str, rng: Random) -> str | None:
    """A start in one year and an end in a later one, so that a range is never upside down."""
    found = _words(name)[0]
    make = day if form == "date" else moment
    if "birth" in found or "birthday" in found:
        return make(rng, date(1960, 1, 1), 15_000)
    if found & _START:
        return make(rng, date(2026, 1, 1), 300)
    return make(rng, date(2027, 1, 1), 300) if found & _END else None
