"""What is sent and received, what is thought of it, and what comes out of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from http import HTTPStatus
from typing import Protocol

from icepick.openapi.types import Json

Headers = tuple[tuple[str, str], ...]
"""Names as they were written; a name may come twice."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent. Credentials are no part of it: the transport adds them on the way."""

    method: str
    url: str
    headers: Headers = ()
    body: bytes | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """What came back; `redirects` are the addresses that were followed on the way.

    `repeated` where the request was sent again, since the connection broke at first or the service
    said that it was not available, so that it may have done twice what it was asked.
    """

    status: int
    headers: Headers = ()
    body: bytes = b""
    seconds: float = 0.0
    truncated: bool = False
    redirects: tuple[str, ...] = ()
    repeated: bool = False
    on_wire: int | None = None
    """The status that it came with, where its body stands for another."""

    @property
    def stated(self) -> int:
        """The status that it came with."""
        return self.status if self.on_wire is None else self.on_wire

    def header(self, name: str) -> str | None:
        """The first header of that name."""
        wanted, length = name.lower(), len(name)
        for key, value in self.headers:
            if len(key) == length and key.lower() == wanted:
                return value
        return None


class FailureKind(StrEnum):
    """Why there is no answer."""

    CONNECT = "connect"  # nobody listens, or the name is unknown
    RESET = "reset"  # the connection broke before the answer was whole
    TIMEOUT = "timeout"
    TLS = "tls"
    PROTOCOL = "protocol"  # what came is no HTTP
    REDIRECTS = "redirects"  # too many, or to another host


@dataclass(frozen=True, slots=True)
class Failure:
    """No answer; `attempts` is how often it was tried."""

    kind: FailureKind
    message: str
    seconds: float = 0.0
    attempts: int = 1


Reply = Response | Failure


def is_in_doubt(reply: Reply) -> bool:
    """Whether the service may have done what it was asked, though nothing says so."""
    if isinstance(reply, Failure):
        return reply.kind in {FailureKind.RESET, FailureKind.TIMEOUT, FailureKind.PROTOCOL}
    crashed = reply.status >= 500 and reply.status != HTTPStatus.NOT_IMPLEMENTED
    return crashed or (reply.repeated and reply.status >= 400)


class Transport(Protocol):
    """The seam between icepick and the network."""

    async def send(self, request: Request) -> Reply:
        """Send one request; what goes wrong on the way is a `Failure`, never an exception."""


class Purpose(StrEnum):
    """Why an exchange took place."""

    CALL = "call"  # a planned call
    READ = "read"  # a GET that a contract or a check asks for
    CLEAN_UP = "clean-up"


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and what became of it. `operation` is the operation's id where it is known."""

    number: int
    at: float
    purpose: Purpose
    request: Request
    reply: Reply
    operation: str | None = None

    @property
    def stated(self) -> int | None:
        """The status that the answer came with, where there is one."""
        return self.reply.stated if isinstance(self.reply, Response) else None

    @property
    def status(self) -> int | None:
        """The status of the answer, where there is one."""
        return self.reply.status if isinstance(self.reply, Response) else None


class Verdict(StrEnum):
    """What one call comes to."""

    OK = "OK"
    WARN = "WARN"
    ERR = "ERR"
    NOT_TESTED = "NOT_TESTED"


_SEVERITY = {Verdict.OK: 0, Verdict.NOT_TESTED: 1, Verdict.WARN: 2, Verdict.ERR: 3}


def worst(*verdicts: Verdict) -> Verdict:
    """The gravest of some verdicts; OK where there are none."""
    return max(verdicts, key=_SEVERITY.__getitem__, default=Verdict.OK)


class Provenance(StrEnum):
    """Who promised what was broken."""

    WRITTEN = "written"
    DECLARED = "declared"
    INFERRED = "inferred"
    LEARNED = "learned"
    LAW = "law"  # what makes a service a store of resources at all


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing that is wrong with one call.

    `check` names the check, or the role of the clause (`requires`, `ensures`, `invariant`);
    `promised` is the clause or the rule, `happened` what was seen instead. `about` tells apart
    complaints of one check, for example the field of a schema. `exchanges` are the numbers of the
    exchanges that show it. `operation` is the id of the operation that is to blame where that is
    not the one called.
    """

    check: str
    level: Verdict
    promised: str
    happened: str
    provenance: Provenance
    about: str = ""
    bindings: Mapping[str, Json] = field(default_factory=dict)
    exchanges: tuple[int, ...] = ()
    operation: str | None = None


class ClauseCount:
    """How often a clause was true, false and unknown, and the last reason for unknown."""

    __slots__ = ("false", "reason", "true", "unknown")

    def __init__(self) -> None:
        self.true = self.false = self.unknown = 0
        self.reason = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """A planned call after it was made, or why it was not.

    `label` is the call in the words of the model, `action` its kind without model values, which
    is what findings are told apart by. `source` and `target` are states of the model.
    """

    label: str
    action: str
    operation: str
    kind: str
    verdict: Verdict
    reason: str = ""
    complaints: tuple[Complaint, ...] = ()
    exchange: Exchange | None = None
    reads: tuple[Exchange, ...] = ()
    source: int | None = None
    target: int | None = None

    @property
    def status(self) -> int | None:
        """The status of the answer, where there is one."""
        return self.exchange.status if self.exchange is not None else None


@dataclass(frozen=True, slots=True)
class Sighting:
    """One of the places where a fault shows: an operation, what is wrong there, an exchange."""

    operation: str
    text: str
    exchange: Exchange | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A distinct fault with the shortest sequence of calls that shows it.

    `id` stays the same from run to run; `number` counts within a run. `steps` are the calls of a
    run of the sequence made alone, the last one being the one that fails; `original` is how many
    calls the sequence had in which it was first seen. `seen` counts the calls that showed it.
    `sightings` are all places of a fault that can show in several, such as a status that many
    operations answer and none declares.
    """

    id: str
    number: int
    level: Verdict
    title: str
    operation: str
    label: str
    action: str
    status: int | None
    complaint: Complaint
    steps: tuple[Judged, ...]
    original: int
    seen: int = 1
    sightings: tuple[Sighting, ...] = ()


@dataclass(frozen=True, slots=True)
class Unconfirmed:
    """What looked wrong once and did not repeat when it was tried alone."""

    id: str
    title: str
    operation: str
    label: str
    complaint: Complaint
    attempts: int
    seen: int = 1
