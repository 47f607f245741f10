"""From protocols and a service to a run of them, as a stream of events."""

from __future__ import annotations

from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import aclosing, asynccontextmanager

from icepick.errors import Code, UsageError
from icepick.execute.cleaning import Cleaner
from icepick.execute.events import Ending, Event, LeftBehind, Noted
from icepick.execute.judging.inspect import Inspector
from icepick.execute.ownership import Ownership
from icepick.execute.reads import Scene
from icepick.execute.routing import Routing, listings
from icepick.execute.transport.secrets import Secrets
from icepick.execute.types import Judged, Transport
from icepick.inputs import CaseMaker, Generator, Options
from icepick.openapi.names import declared_names
from icepick.openapi.types import Json
from icepick.pipeline.leftovers import leftovers
from icepick.pipeline.models import Described
from icepick.pipeline.opening import started
from icepick.pipeline.reach import Reach, base_url, connected
from icepick.protocol import Coverage, Model, Protocols, Types, automaton_of
from icepick.protocol.carry import CarryingClient
from icepick.protocol.driver import Driver, DriverOptions
from icepick.protocol.passage import Kit
from icepick.protocol.scripts import Script
from icepick.protocol.tree import Send
from icepick.resources.types import Role


def models_of(protocols: Protocols, api: Described, names: Iterable[str] = ()) -> tuple[Model, ...]:
    """The models to run: those named, else all of the file; UsageError for a name it lacks."""
    types = Types(api.spec)
    wanted = tuple(dict.fromkeys(names)) or protocols.models
    for name in wanted:
        if name not in protocols.definitions:
            raise UsageError(
                Code.UNKNOWN_MODEL,
                f"there is no model {name!r}",
                hint=f"there are {', '.join(protocols.definitions)}",
            )
    return tuple(
        Model(automaton_of(name, protocols.definitions), types, protocols.functions)
        for name in wanted
    )


def driver_for(
    api: Described,
    models: Sequence[Model],
    transport: Transport,
    url: str,
    options: DriverOptions,
    *,
    signs: bool = False,
) -> Driver:
    """The driver of models against the service at this address.

    `signs` says that the transport has credentials of its own.
    """
    spec = api.spec
    client = CarryingClient(transport, url, spec, signs=signs)
    scene = Scene(
        client, spec.schemas, Routing(spec.operations), listings(api.resources), Ownership(),
        Inspector(spec.schemas),
    )  # fmt: skip
    generator = Generator(spec.schemas)
    kit = Kit(client, scene, CaseMaker(generator, spec.schemas), generator, Options())
    operations = {operation.id: operation for operation in spec.operations}
    cleaner = Cleaner(client, api.resources, operations)

    async def clean(events: Sequence[Event], sequence: int) -> Sequence[LeftBehind]:
        return await cleaner.clean(leftovers(api, events), sequence)

    return Driver(kit, models, options, clean)


class ProtocolSession:
    """One run of models. Whoever consumes its events may stop it."""

    def __init__(
        self,
        api: Described,
        models: Sequence[Model],
        reach: Reach,
        options: DriverOptions,
        run_id: str = "run",
    ) -> None:
        self._api = api
        self._models = models
        self._reach = reach
        self._options = options
        self._id = run_id
        self._driver: Driver | None = None
        self._stopped: Ending | None = None
        self.secrets = Secrets(names=declared_names(api.spec))
        self.url = base_url(api.spec, reach.url)

    def stop(self, ending: Ending = Ending.INTERRUPTED) -> None:
        """End soon and in good order."""
        self._stopped = ending
        if self._driver is not None:
            self._driver.stop(ending)

    @property
    def coverage(self) -> Mapping[str, Coverage]:
        """What was covered of each model so far."""
        return self._driver.coverage if self._driver is not None else {}

    async def events(self, about: Mapping[str, Json] | None = None) -> AsyncGenerator[Event, None]:
        """Everything that happens; `about` are the options as the person gave them."""
        spec, seed = self._api.spec, self._options.seed
        async with self._driving() as driver:
            yield started(self._id, spec, self.url, seed, about, _called(self._models))
            for note in unremovable(self._api, self._models):
                yield note
            async with aclosing(driver.events()) as events:
                async for event in events:
                    yield event

    async def replayed(self, model: Model, script: Script) -> tuple[Judged, ...]:
        """The calls of a script made once, alone; what was created is removed."""
        async with self._driving() as driver:
            return tuple(move.judged for move in await driver.again(model, script))

    @asynccontextmanager
    async def _driving(self) -> AsyncIterator[Driver]:
        async with connected(self._api.spec, self._reach, self.secrets) as (transport, auth):
            driver = driver_for(
                self._api, self._models, transport, self.url, self._options,
                signs=auth is not None,
            )  # fmt: skip
            self._driver = driver
            if self._stopped is not None:
                driver.stop(self._stopped)
            yield driver


def unremovable(api: Described, models: Sequence[Model]) -> Iterator[Noted]:
    """The calls of which nothing tells how to remove what they create."""
    deleted = {one.name for one in api.resources.resources.values() if one.having(Role.DELETE)}
    operations = {operation.id: operation for operation in api.spec.operations}
    for name, label in _called(models).items():
        uses = api.resources.uses_of(name)
        known = any(
            resource.name in deleted and (use.role is Role.CREATE or use.creates)
            for resource, use in uses
        )
        if not known and "201" in operations[name].responses:
            text = (
                "nothing tells how to remove what it creates; it stays, "
                "unless it goes with what it belongs to"
            )
            yield Noted("clean-up", label, text)


def _called(models: Sequence[Model]) -> dict[str, str]:
    """The labels of the operations that the models call, by id."""
    found: dict[str, str] = {}
    for model in models:
        for edge in model.automaton.edges:
            if isinstance(edge.branch, Send):
                operation = model.operation(edge.branch.operation)
                found[operation.id] = operation.label
    return found
