"""A list that pays no heed to the parameters of its pages."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from icepick.execute.events import Exchanged, FindingFound
from icepick.pipeline.reach import Reach
from icepick.pipeline.settings import RunSettings
from tests.pipeline.running import ran
from tests.pipeline.serving import serving
from tests.pipeline.test_once import Desk
from tests.resources.documents import TEXT, crud, document, many, obj, op, ref


def test_it_is_not_asked_for_the_next_page_again_and_again(tmp_path: Path) -> None:
    desk = Desk()
    desk.folders |= {f"s{n}": {"id": f"s{n}", "label": "not ours"} for n in range(20)}
    operations = {
        **crud("/folders", "folderId", ref("Folder"), obj("label", label=TEXT)),
        "GET /folders": op(gives=many(ref("Folder")), query=["offset", "limit"]),
    }
    file = tmp_path / "desk.json"
    file.write_text(json.dumps(document(operations, {"Folder": obj(id=TEXT, label=TEXT)})))
    with serving(*desk.routes()) as url:
        events = ran(str(file), Reach(url), RunSettings(seed=1, wrong=0, settle=0.1))
    asked = [
        one.exchange.request.url.removeprefix(url) for one in events if isinstance(one, Exchanged)
    ]
    pages = Counter("offset=" in target for target in asked if target.startswith("/folders?"))
    lists = sum(target == "/folders" for target in asked)
    assert lists > 3
    assert pages[True] <= 2 * lists
    assert not any("twice" in one.finding.title for one in events if isinstance(one, FindingFound))
