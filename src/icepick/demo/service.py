"""What a demo service is: a domain of rules and state, routes over it, and named faults."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from aiohttp import web


class Domain(Protocol):
    """The state of a service and its rules; knows nothing of HTTP."""

    def reset(self) -> None:
        """Return to the state of a fresh start."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A named defect: a mix-in that overrides part of the domain and leaves the rest correct."""

    name: str
    summary: str
    mixin: type


@dataclass(frozen=True, slots=True)
class DemoService:
    """Everything needed to start one service, with or without its faults."""

    name: str
    summary: str
    document: str  # "package:file", the file lying beside the code
    domain: type
    routes: Callable[[Any], Sequence[web.RouteDef]]
    faults: tuple[Fault, ...]

    def with_faults(self, names: Iterable[str]) -> Domain:
        """A fresh domain with the named faults mixed in; an unknown name is a KeyError."""
        known = {fault.name: fault.mixin for fault in self.faults}
        mixins = [known[name] for name in dict.fromkeys(names)]
        faulty = type(self.domain.__name__, (*mixins, self.domain), {})
        domain: Domain = faulty()
        return domain
