"""There is room for several: the calls that lead to some of each resource are judged, too."""

from __future__ import annotations

from collections.abc import AsyncIterator

from icepick.execute.events import PhaseStarted
from icepick.execute.findings.confirm import title_of
from icepick.execute.findings.findings import sighting_of, titled
from icepick.execute.findings.suspicion import ANYWHERE, fingerprint, principal
from icepick.execute.laws.errands import Errands, Spread
from icepick.execute.phases import Stage
from icepick.execute.types import Complaint, Finding, Judged, Sighting

CROWDS = "several"


class Crowds:
    """Makes several instances of each resource: models have few, and some faults want more."""

    def __init__(self, errands: Errands) -> None:
        self._errands = errands

    async def run(self, stage: Stage) -> None:
        """Go to several of every resource twice: only what repeats counts."""
        stage.tell(PhaseStarted(CROWDS))
        for name in self._errands.kit.resources.resources:
            if stage.is_over():
                return
            first = {one.id async for one in self._found(name, stage)}
            if first:
                async for one in self._found(name, stage):
                    if one.id in first:
                        stage.found(one)

    async def _found(self, resource: str, stage: Stage) -> AsyncIterator[Finding]:
        async with self._errands.arrive(resource, stage, Spread.TOGETHER) as arrived:
            calls = arrived.calls if arrived is not None else ()
            for number, judged in enumerate(calls, 1):
                for key, complaint in principal(judged):
                    yield titled(
                        Finding(
                            fingerprint(key), 0, complaint.level, title_of(judged, complaint),
                            judged.operation, judged.label, judged.action, judged.status,
                            complaint, calls[:number], number,
                            sightings=_sightings(judged, complaint),
                        )
                    )  # fmt: skip


def _sightings(judged: Judged, complaint: Complaint) -> tuple[Sighting, ...]:
    return (sighting_of(judged, complaint),) if complaint.check in ANYWHERE else ()
