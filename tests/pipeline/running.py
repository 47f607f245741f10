"""Runs chains and corrections against a service."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from icepick.demo.catalogue import SERVICES
from icepick.execute.chains.chains import Chains
from icepick.execute.chains.types import ChainOptions
from icepick.execute.events import Event, Exchanged, LeftBehind
from icepick.execute.transport.auth import AuthOptions, auth_for
from icepick.execute.transport.client import Client
from icepick.execute.transport.http import http_transport
from icepick.execute.transport.login import Login
from icepick.execute.transport.secrets import Secrets
from icepick.execute.transport.settings import HttpSettings
from icepick.execute.types import Exchange
from icepick.inputs.learn import Learned
from icepick.openapi import read_spec
from icepick.pipeline.correction import Corrected, Correcting, chain_outfit
from icepick.pipeline.live import visited
from icepick.pipeline.models import Described, describe
from icepick.pipeline.reach import Reach, base_url
from icepick.pipeline.session import Session
from icepick.pipeline.settings import RunSettings
from icepick.resources.build import build_graph
from tests.glacier.live import served
from tests.glacier.test_inference import DEMO


@dataclass(frozen=True)
class Ran:
    """Chains that are through, and what was sent."""

    chains: Chains
    api: Described
    events: list[Event]

    @property
    def exchanges(self) -> list[Exchange]:
        return [one.exchange for one in self.events if isinstance(one, Exchanged)]

    @property
    def left(self) -> list[LeftBehind]:
        return [one for one in self.events if isinstance(one, LeftBehind)]

    def without_success(self) -> list[str]:
        names = (one.id for one in self.api.spec.operations)
        return [name for name in names if not self.chains.record.successes[name]]


def demo(name: str) -> str:
    return str(DEMO / name / "openapi.yaml")


def signing_in(name: str, url: str) -> AuthOptions:
    if name != "shop":
        return AuthOptions()
    who = {"username": "demo", "password": "demo-password"}
    return AuthOptions(login=Login(f"{url}/v1/sessions", who))


async def _covered(
    api: Described, reach: Reach, options: ChainOptions, seed: int, *, correction: bool,
    learned: dict[str, Learned] | None = None,
) -> Ran:  # fmt: skip
    url, told = base_url(api.spec, reach.url), list[Event]()
    auth = auth_for(api.spec.security_schemes, reach.auth)
    async with http_transport(replace(reach.http, origins=(url,)), auth, Secrets()) as transport:
        client = Client(transport, url, api.spec.schemas)
        client.listen(told.append)
        outfit = chain_outfit(api.spec, client, seed, told.append, learned)
        graph = build_graph(api.spec, api.resources)
        chains = Chains(api.spec, api.resources, graph, outfit, options)
        correcting = Correcting(api.spec, api.resources, chains)
        after = correcting.step if correction else (lambda: None)
        await chains.cover([one.id for one in api.spec.operations], after=after)
    return Ran(chains, api, told)


def covered(
    document: str,
    reach: Reach,
    options: ChainOptions | None = None,
    seed: int = 1,
    *,
    correction: bool = False,
    learned: dict[str, Learned] | None = None,
) -> Ran:
    """Try every operation of a service; what is learned is added to what is known."""
    api = describe(read_spec(document))
    chosen = options or ChainOptions()
    return asyncio.run(_covered(api, reach, chosen, seed, correction=correction, learned=learned))


def covered_demo(
    name: str,
    options: ChainOptions | None = None,
    seed: int = 1,
    document: str = "",
    *,
    correction: bool = False,
) -> Ran:
    """Try every operation of a demo service."""
    with served(SERVICES[name]) as url:
        reach = Reach(url, signing_in(name, url))
        return covered(document or demo(name), reach, options, seed, correction=correction)


def corrected(document: str, url: str, options: ChainOptions, seed: int = 1) -> Corrected:
    """What a document comes to under what its service answers."""
    api = describe(read_spec(document))
    return asyncio.run(visited(api, Reach(url), options, seed)).corrected


def ran(document: str, reach: Reach, settings: RunSettings) -> list[Event]:
    """All events of a whole run."""

    async def gathered() -> list[Event]:
        session = Session(describe(read_spec(document)), reach, settings)
        return [event async for event in session.events()]

    return asyncio.run(gathered())


def quick(url: str, seconds: float = 30.0) -> Reach:
    """A way to a service that is not waited for."""
    return Reach(url, http=HttpSettings(request_timeout=seconds, retries=0))
