"""What the tournaments service keeps: players, tournaments and enrolments, as in its document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Player:
    """A person, and the tournaments that the person is enrolled in."""

    pid: str
    name: str
    email: str
    tournaments: tuple[int, ...] = ()

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Player:
        """The player that a client sends; its tournaments are never the client's to set."""
        return cls(pid=body["pid"], name=body["name"], email=body["email"])

    def to_json(self) -> dict[str, Any]:
        """The player as answered."""
        return {
            "pid": self.pid,
            "name": self.name,
            "email": self.email,
            "tournaments": list(self.tournaments),
        }


@dataclass(frozen=True, slots=True)
class Tournament:
    """An event for at most `capacity` players, and who is enrolled in it."""

    tid: int
    name: str
    capacity: int
    players: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Tournament:
        """The tournament that a client sends; its players are never the client's to set."""
        # 3.0 is a valid integer in JSON Schema, and must read back as the integer it is.
        return cls(int(body["tid"]), body["tournamentName"], int(body["capacity"]))

    def to_json(self) -> dict[str, Any]:
        """The tournament as answered."""
        return {
            "tid": self.tid,
            "tournamentName": self.name,
            "capacity": self.capacity,
            "players": list(self.players),
        }


@dataclass(frozen=True, slots=True)
class Enrolment:
    """The fact that one player takes part in one tournament."""

    eid: int
    pid: str
    tid: int

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Enrolment:
        """The enrolment that a client sends."""
        return cls(int(body["eid"]), body["pid"], int(body["tid"]))

    def to_json(self) -> dict[str, Any]:
        """The enrolment as answered."""
        return {"eid": self.eid, "pid": self.pid, "tid": self.tid}
