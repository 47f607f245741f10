# ruff: noqa: INP001, N802 - it lies beside the models, and the paper chose the names
"""Generators and assertions of the protocols in this folder.

A generator may take the source of chance, and after it the variables bound so far.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from string import ascii_lowercase
from typing import Any


def genApiKey() -> str:
    """The key that the demo shop accepts."""
    return "demo-key"


def genCustInfo(rng: Random) -> dict[str, Any]:
    """A customer whom nobody has met before."""
    name = _word(rng, 12)
    return {"username": name, "email": f"{name}@example.com"}


def getCardInfo(rng: Random) -> dict[str, Any]:
    """A payment card."""
    digits = "".join(rng.choice("0123456789") for _ in range(16))
    return {"number": digits, "expires": f"{rng.randint(1, 12):02}/{rng.randint(27, 35)}"}


def getAddrInfo(rng: Random) -> dict[str, Any]:
    """An address."""
    return {"street": f"{_word(rng, 8)} {rng.randint(1, 99)}", "city": _word(rng, 8)}


def checkCustomer(sent: dict[str, Any], got: dict[str, Any]) -> bool:
    """Whether a customer has all that was sent for it."""
    return all(got.get(name) == value for name, value in sent.items())


def genFeatName(rng: Random) -> str:
    """A name that no other feature has."""
    return _word(rng, 16)


def genText(rng: Random) -> str:
    """A short text."""
    return _word(rng, 10)


def genQuantity(rng: Random) -> int:
    """How much of something is ordered."""
    return rng.randint(1, 20)


def genStatus(rng: Random) -> str:
    """The status of a pet."""
    return rng.choice(["available", "pending", "sold"])


def genAsked(_rng: Random, bound: Mapping[str, Any]) -> list[str]:
    """The status that a pet was given last."""
    return [bound["status"]]


def genLimit(rng: Random) -> float:
    """A credit limit in quarters, which every machine adds up alike."""
    return rng.randint(1, 4000) / 4


def genHuge() -> int:
    """A number that no float can hold."""
    return 10**309


def genLong() -> str:
    """A text that is too long for a note."""
    return "x" * 501


def genLoud(_rng: Random, bound: Mapping[str, Any]) -> str:
    """The address of a customer, in upper case."""
    return str(bound["email"]).upper()


def genUser(rng: Random) -> dict[str, Any]:
    """A visitor who keeps all the rules."""
    name = _word(rng, 12)
    return {
        "username": name,
        "email": f"{name}@example.com",
        "password": "Secret-1234",
        "gender": "diverse",
    }


def genUsers(rng: Random, bound: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Two users who are new, and between them one who is there, with another password."""
    names = [_word(rng, 12), bound["username"], _word(rng, 12)]
    return [{"username": name, "password": _word(rng, 8)} for name in names]


def isLast(users: list[dict[str, Any]], user: dict[str, Any]) -> bool:
    """Whether a user is the last one of a list."""
    return bool(users[-1]["username"] == user["username"])


def genLast(_rng: Random, bound: Mapping[str, Any]) -> str:
    """The name of the last user of a list."""
    return str(bound["users"][-1]["username"])


def _word(rng: Random, size: int) -> str:
    return "".join(rng.choice(ascii_lowercase) for _ in range(size))
