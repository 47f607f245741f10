"""The property graph of a service that runs: built from its document, corrected by its answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from icepick.execute.chains.types import ChainOptions
from icepick.execute.events import Event, Exchanged
from icepick.execute.transport.client import Client
from icepick.execute.transport.secrets import Secrets
from icepick.execute.types import Failure
from icepick.pipeline.acquaint import acquainted, creates_nothing
from icepick.pipeline.correction import Corrected, chain_outfit, corrected
from icepick.pipeline.models import Described
from icepick.pipeline.reach import Reach, base_url, connected


@dataclass(frozen=True, slots=True)
class Visit:
    """What came of calling a service: corrections, and events on the way."""

    corrected: Corrected
    events: tuple[Event, ...]

    @property
    def unanswered(self) -> str:
        """Why no call at all was answered; empty where one was."""
        replies = [one.exchange.reply for one in self.events if isinstance(one, Exchanged)]
        failures = [one for one in replies if isinstance(one, Failure)]
        return failures[-1].message if failures and len(failures) == len(replies) else ""


async def visited(
    api: Described,
    reach: Reach,
    options: ChainOptions,
    seed: int = 0,
    stopped: Callable[[], bool] = lambda: False,
) -> Visit:
    """Call the operations of a service and correct what is believed by what they answer."""
    spec, url = api.spec, base_url(api.spec, reach.url)
    told: list[Event] = []
    secrets = Secrets()
    async with connected(spec, reach, secrets) as (transport, _):
        client = Client(transport, url, spec.schemas)
        client.listen(told.append)
        if creates_nothing(api):
            api = await acquainted(api, client)
        outfit = chain_outfit(api.spec, client, seed, told.append)
        found = await corrected(api, outfit, options, stopped)
    return Visit(found, tuple(told))
