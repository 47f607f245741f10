"""What a call leaves behind it: who sends nothing replaces nothing."""

from __future__ import annotations

from icepick.demo.catalogue import SERVICES
from icepick.execute.events import FindingFound
from icepick.pipeline.settings import RunSettings
from tests.execute.test_engine import run
from tests.glacier.live import served
from tests.glacier.test_inference import DEMO

NAMES = ("Product", "Feature", "Configuration", "Constraint", "ConfigurationFeature")


def test_a_form_without_fields_clears_nothing() -> None:
    document = str(DEMO / "features" / "openapi.yaml")
    settings = RunSettings(seed=1, bounds=dict.fromkeys(NAMES, 1), wrong=0, operations=False)
    with served(SERVICES["features"], "update-clears-description") as url:
        events = run("features", url, settings, document)
    findings = [one.finding for one in events if isinstance(one, FindingFound)]
    assert [one.complaint.about for one in findings] == ["Feature description"]
