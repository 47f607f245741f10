"""Whatever the manner of a correct service, nothing is found and everything is seen; and no manner
hides what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from icepick.execute.engine import RunOptions
from icepick.execute.events import Event, FindingFound, LifeCycle
from icepick.execute.types import Verdict
from icepick.pipeline.settings import RunSettings
from tests.pipeline.office import Manner, Office, document
from tests.pipeline.running import quick, ran
from tests.pipeline.serving import serving

_REQUESTS = 500
_ENOUGH = 1_500
"""So many are needed to confirm what is wrong, too."""
_MANNERS = {
    "as usual": Manner(),
    "links and one envelope, no plural": Manner(
        plural=False, key="uid", wrap="result", listed="hal", paged="cursor", again=410,
        absent=403, gone=403, parent="orphan", invalid=422,
    ),
    "a slash at the end, PUT creates, in an envelope": Manner(
        slash=True, chooser="put", again=204, parent="cascade", nested=True, tags=True,
        invalid=422, normal=True, secret=True, nest="wrapped", merging=True, newest=True,
    ),
    "accepted, and there later": Manner(
        plural=False, slash=True, chooser="client", located=True, wrap="result", created=202,
        patch=True, updated=204, again=410, absent=403, gone=403, tags=True,
    ),
    "created, and there later": Manner(
        chooser="put", wrap="data", listed="hal", updated=204, deleted=202, gone=410,
        parent="cascade", secret=True, lag=True, silent=True, moving=True, newest=True, empty=204,
    ),
    "deleted later, and marked": Manner(
        camel=True, plural=False, key="uid", chooser="uuid", listed="items", paged="cursor",
        patch=True, updated=204, deleted=202, later=True, again=410, absent=403, gone=403,
        soft=True,
    ),
    "normalised, and sent in an envelope": Manner(
        plural=False, slash=True, key="uid", chooser="uuid", located=True, listed="hal",
        paged="offset", updated=204, absent=403, invalid=422, normal=True, silent=True,
        nest="wrapped", brief=True, strict=True,
    ),
    "every read counts": Manner(
        plural=False, key="uid", chooser="uuid", located=True, paged="offset", patch=True,
        again=410, absent=403, parent="cascade", nested=True, tags=True, unique=True,
        normal=True, moving=True, newest=True, strict=True,
    ),
    "codes of the service's own, only in Location": Manner(
        slash=True, key="code", chooser="uuid", located=True, listed="items", paged="offset",
        patch=True, deleted=202, absent=403, gone=403, parent="cascade", invalid=422,
        nest="wrapped", brief=True, newest=True,
    ),
    "attributes apart, deletions show what went": Manner(
        plural=False, key="code", chooser="client", paged="offset", deleted=200, nested=True,
        tags=True, normal=True, secret=True, nest="attributes", brief=True, shows=True,
    ),
}  # fmt: skip
_TRIED = [
    "as usual",
    "links and one envelope, no plural",
    "a slash at the end, PUT creates, in an envelope",
    "codes of the service's own, only in Location",
]


def _events(office: Office, folder: Path, requests: int | None = None) -> list[Event]:
    described = folder / "office.json"
    described.write_text(json.dumps(document(office.manner)))
    settings = RunSettings(seed=1, engine=RunOptions(max_requests=requests))
    with serving(*office.routes()) as url:
        return ran(str(described), quick(url), settings)


def _findings(events: list[Event]) -> list[str]:
    return [one.finding.title for one in events if isinstance(one, FindingFound)]


@pytest.mark.parametrize("manner", _MANNERS.values(), ids=_MANNERS)
def test_a_correct_service_has_no_findings(manner: Manner, tmp_path: Path) -> None:
    office = Office(manner)
    events = _events(office, tmp_path, _REQUESTS)
    assert _findings(events) == []
    lives = [one for one in events if isinstance(one, LifeCycle)]
    assert len(lives) == 2
    assert [one.missing for one in lives] == [{}, {}]


@pytest.mark.parametrize("fault", ["keeps", "loses"])
@pytest.mark.parametrize("name", _TRIED)
def test_no_manner_hides_what_is_wrong(name: str, fault: str, tmp_path: Path) -> None:
    events = _events(Office(_MANNERS[name], fault), tmp_path, _ENOUGH)
    levels = [one.finding.level for one in events if isinstance(one, FindingFound)]
    assert Verdict.ERR in levels
