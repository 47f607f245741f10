"""Every operation once, before anything is looked at closely.

A service may be slow, or wide: what needs one call only should not wait for what needs many.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from icepick.execute.chains.chains import Chains
from icepick.execute.chains.types import ChainOptions, Outfit
from icepick.execute.findings.suspicion import Suspicion
from icepick.pipeline.correction import Correcting, Met, met_by
from icepick.pipeline.models import Described
from icepick.resources.build import build_graph
from icepick.resources.correct import Observation

SHARE = 0.6
"""The part of the whole time that it may take; the shares of the others are of what it leaves."""

SHORTEST, LONGEST = 4.0, 0.05
"""An answer is waited for so many seconds at least, and for this part of the whole time: one that
never comes must not cost what all the others need. It is waited for again later."""

_CALLS_EACH = 4
_TRIES = 4


@dataclass(frozen=True, slots=True)
class FirstLook:
    """What calling every operation once has shown: what looks wrong, and what was refused."""

    suspicions: tuple[Suspicion, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)
    good: frozenset[str] = frozenset()
    """Operations that have given a 2xx so far."""
    observations: tuple[Observation, ...] = ()
    met: Met = field(default_factory=Met)


async def tidied(api: Described, outfit: Outfit) -> None:
    """Remove what earlier chains lost sight of, or tell that it stays."""
    graph = build_graph(api.spec, api.resources)
    await Chains(api.spec, api.resources, graph, outfit).settle()


async def called_once(
    api: Described, outfit: Outfit, stopped: Callable[[], bool], most: int | None = None
) -> FirstLook:
    """Call every operation once; what is learned of inputs is added to the outfit's."""
    calls = _CALLS_EACH * len(api.spec.operations)
    options = ChainOptions(
        calls if most is None else min(calls, most), float("inf"), tries=_TRIES, patient=False
    )
    chains = Chains(api.spec, api.resources, build_graph(api.spec, api.resources), outfit, options)
    chains.stop_when(stopped)
    await chains.once(Correcting(api.spec, api.resources, chains).step)
    await chains.settle(last=False)
    refused = {
        name: why
        for name, why in chains.record.reasons.items()
        if not chains.record.successes[name]
    }
    suspicions, seen = tuple(chains.record.suspicions.all()), tuple(chains.observations)
    return FirstLook(suspicions, refused, observations=seen, met=met_by(chains))
