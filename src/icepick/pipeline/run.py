"""From plans and a service to the engine that walks them, with all that comes before and after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from icepick.execute.binding.bind import Binder
from icepick.execute.binding.chance import Luck
from icepick.execute.binding.leaves import AllLeaves
from icepick.execute.binding.subject import Subject
from icepick.execute.binding.taught import Taught
from icepick.execute.budget import Budget, Shares
from icepick.execute.calibration.conventions import Conventions
from icepick.execute.calibration.manners import Manners
from icepick.execute.cleaning import Cleaner
from icepick.execute.engine import Engine, Phases, Timed
from icepick.execute.findings.alone import is_shared
from icepick.execute.judging.care import Care
from icepick.execute.judging.inspect import Inspector
from icepick.execute.judging.promises import Promises
from icepick.execute.kit import Course, Kit
from icepick.execute.laws.crowds import Crowds
from icepick.execute.laws.echo import Echo
from icepick.execute.laws.errands import Errands
from icepick.execute.laws.extremes import Extremes
from icepick.execute.laws.frame import Looking
from icepick.execute.laws.outliving import Outliving
from icepick.execute.laws.pages import Pages, paged_lists
from icepick.execute.laws.rebirth import Rebirth
from icepick.execute.laws.sessions import Sessions, SignIn
from icepick.execute.laws.tags import Tags
from icepick.execute.laws.twice import Twice
from icepick.execute.laws.views import Views
from icepick.execute.lessons import Lessons
from icepick.execute.ownership import Ownership
from icepick.execute.phases import Learning
from icepick.execute.reads import Scene
from icepick.execute.route import Route
from icepick.execute.routing import Routing, listings
from icepick.execute.shared import Shared, shared
from icepick.execute.transport.client import Client
from icepick.execute.types import Transport
from icepick.execute.ways import existing, replay_of
from icepick.execute.wrong.inputs import Count, WrongInputs
from icepick.inputs import CaseMaker, Fresh, Generator
from icepick.inputs.dice import dice
from icepick.inputs.learn import Learned, Setting
from icepick.openapi.types import ApiSpec
from icepick.pipeline.afterwards import afterwards
from icepick.pipeline.correction import Met
from icepick.pipeline.coverage_phase import Operations
from icepick.pipeline.errands import errand_finder
from icepick.pipeline.models import Described
from icepick.pipeline.once import FirstLook
from icepick.pipeline.planning import Planned
from icepick.pipeline.settings import RunSettings

_MOST_LESSONS = 600
_LESSON_BLOCK = 1 << 22
_WRONG_EACH = 40
_MOST_WRONG = 1_500


@dataclass(frozen=True, slots=True)
class Beforehand:
    """What there was before the engine begins: so many requests, and what is known of inputs.

    What the run learns is added to `learned`.
    """

    sent: int = 0
    learned: dict[str, Learned] = field(default_factory=dict)
    good: frozenset[str] = frozenset()
    """Operations that have given a 2xx."""
    manners: Mapping[str, Manners] = field(default_factory=dict)
    budget: Budget | None = None
    sign_in: SignIn = field(default_factory=SignIn)
    first: FirstLook = field(default_factory=FirstLook)
    met: Met = field(default_factory=Met)
    shared: Shared | None = None


def engine_for(
    api: Described,
    plans: tuple[Planned, ...],
    transport: Transport,
    url: str,
    settings: RunSettings,
    before: Beforehand | None = None,
) -> Engine:
    """The engine of a run against the service at this address."""
    begun = before or Beforehand()
    spec, seed = api.spec, settings.seed
    generator = Generator(spec.schemas)
    known = begun.shared or shared(spec.schemas, operations=spec.operations)
    client = Client(transport, url, spec.schemas, settings.engine.workers, known)
    client.sent, client.settle = begun.sent, settings.settle
    kit = _kit(api, client, settings, begun)
    lessons = _lessons(api, kit.scene, generator, seed, begun)
    maker = CaseMaker(generator, spec.schemas)
    taught = Taught(lessons.setting, lessons.learned, api.resources)
    leaves = AllLeaves(spec.schemas)
    subject = Subject(kit.operations, api.resources, spec.schemas, maker, leaves, taught)
    routes = tuple(_route(number, one, subject) for number, one in enumerate(plans))
    luck = Luck(generator, seed, settings.inputs, max(1, len(routes)))
    cleaner = Cleaner(client, api.resources, kit.operations)
    errands = Errands(kit, luck, cleaner, errand_finder(api, subject, len(routes)))
    learning = Learning(lessons, maker, cleaner, spec, _MOST_LESSONS)
    phases = _phases(api, client, learning, errands, settings, begun)
    return Engine(kit, luck, routes, settings.engine, cleaner, phases)


def _kit(api: Described, client: Client, settings: RunSettings, begun: Beforehand) -> Kit:
    """What sequences work with."""
    spec = api.spec
    operations = {operation.id: operation for operation in spec.operations}
    scene = Scene(
        client, spec.schemas, Routing(spec.operations), listings(api.resources), Ownership(),
        Inspector(spec.schemas),
    )  # fmt: skip
    promises = Promises(api.contracts, is_shared(scene.routing, scene.listings))
    looking = Looking(api.resources, operations, api.spec.schemas)
    views = Views(api.resources, operations, looking)
    rng = dice(settings.seed, "absent")
    conventions = Conventions(scene.routing, rng, _by_operation(api, begun))
    return Kit(
        scene, operations, api.resources, promises, looking, views, Echo(),
        Care(settings.judge), conventions, settings.frame,
    )  # fmt: skip


def _phases(
    api: Described, client: Client, learning: Learning, errands: Errands, settings: RunSettings,
    begun: Beforehand,
) -> Phases:  # fmt: skip
    """What comes before the walk and after it."""
    count, shares = _wrong(settings, api.spec, begun)
    first = _first(api, client, learning, begun, settings, shares)
    lessons, cleaner, chance = learning.lessons, learning.cleaner, dice(settings.seed, "wrong")
    wrong = WrongInputs(lessons, client, cleaner, api.spec, chance, count) if count.first else None
    last = _last(api, client, begun, wrong, shares)
    return Phases(tuple(first), (*_laws(errands, shares), *last), begun.budget, shares)


def _first(
    api: Described, client: Client, learning: Learning, begun: Beforehand, settings: RunSettings,
    shares: Shares,
) -> Iterator[Timed]:  # fmt: skip
    """What comes before the walk."""
    if settings.learn:
        yield learning, shares.learn
    if settings.operations:
        first = replace(begun.first, good=begun.good)
        others = Operations(api, client, learning.lessons, settings, first)
        yield others, shares.operations


def _laws(errands: Errands, shares: Shares) -> Iterator[Timed]:
    """What is looked at in states of their own, after the walk."""
    kit = errands.kit
    lists = tuple(paged_lists(kit.operations, kit.scene.listings))
    items = (Tags, Extremes, Rebirth, Outliving, Twice)
    for law in (Crowds(errands), Pages(errands, lists), *(one(errands) for one in items)):
        yield law, shares.laws


def _last(
    api: Described, client: Client, begun: Beforehand, mistakes: WrongInputs | None, shares: Shares
) -> Iterator[Timed]:
    """What does no good to a service, when everything else is done."""
    if mistakes is not None:
        yield mistakes, shares.wrong
    # Signing out may end more than one session, so it comes last of all.
    doors = replace(api.spec, operations=(*api.spec.operations, *api.ways_out))
    yield Sessions(doors, client, client.base, begun.sign_in), shares.sessions


def _by_operation(api: Described, begun: Beforehand) -> dict[str, Manners]:
    """The manners of the resource that each operation is about."""
    return {
        use.operation: begun.manners[name]
        for name, resource in api.resources.resources.items()
        for use in resource.uses
        if name in begun.manners
    }


def _wrong(settings: RunSettings, spec: ApiSpec, begun: Beforehand) -> tuple[Count, Shares]:
    """How many wrong inputs there will be, and how the time is shared so that there can."""
    usual = min(_MOST_WRONG, _WRONG_EACH * len(spec.operations))
    wanted = usual if settings.wrong is None else settings.wrong
    budget = begun.budget
    if budget is None or not wanted:
        return Count(wanted), Shares()
    calls, part = budget.afford(wanted)
    shares = Shares().with_wrong(part)
    if settings.wrong is not None:
        return Count(wanted), shares

    def further(made: int, seconds: float) -> int:
        return budget.further(made, wanted, seconds, shares.wrong)

    return Count(calls, further), shares


def _lessons(
    api: Described, scene: Scene, generator: Generator, seed: int, begun: Beforehand
) -> Lessons:
    fresh = Fresh(generator, dice(seed), _LESSON_BLOCK)
    setting = Setting(api.spec.schemas, generator, fresh, begun.met.there.copy())
    rng = dice(seed, "lessons")
    lessons = Lessons(api.spec, api.resources, scene.client, setting, rng, scene.ownership)
    lessons.crashes |= begun.met.crashes
    lessons.recall(begun.learned)
    return lessons


def _route(number: int, one: Planned, subject: Subject) -> Route:
    course = Course(number, Binder(subject, one.derivation), existing(one.exploration))
    replay = replay_of(one.exploration, one.plan.calls)
    later = tuple(afterwards(one.plan, course, replay))
    return Route(course, replay, one.plan.sequences(), one.summary.calls, later)
