from __future__ import annotations

import json
from pathlib import Path

import pytest

from icepick.errors import Code, UsageError
from icepick.execute.events import Ending
from icepick.report.baseline import (
    Baseline,
    Known,
    compare,
    read_baseline,
    updated,
    write_baseline,
)
from tests.report import hostile, records


def test_what_is_new_known_and_gone() -> None:
    record = records.record()
    old = Baseline({name: Known(name, name) for name in ("0f9e8d7c", "gone")})
    found = compare(record, old)
    assert [finding.id for finding in found.new] == ["a1b2c3d4", "77aa66bb"]
    assert [finding.id for finding in found.known] == ["0f9e8d7c"]
    assert [known.id for known in found.gone] == ["gone"]


def test_a_baseline_reads_back_and_keeps_its_order(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    record = records.record()
    write_baseline(path, updated(record))
    first = path.read_bytes()
    assert [each["id"] for each in json.loads(first)["findings"]] == [
        "0f9e8d7c",
        "77aa66bb",
        "a1b2c3d4",
    ]
    assert compare(record, read_baseline(path)).new == ()
    backwards = records.replaced(record, findings=record.findings[::-1])
    write_baseline(path, updated(backwards))
    assert path.read_bytes() == first


def test_an_update_forgets_what_is_gone_only_after_a_whole_run() -> None:
    record = records.record()
    old = Baseline({"gone": Known("gone", "t")})
    assert "gone" not in updated(record, old).findings
    for ending in (None, Ending.MAX_TIME):
        cut = records.replaced(record, ending=ending)
        assert "gone" in updated(cut, old).findings


def test_a_hostile_title_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    finding = records.replaced(hostile.finding(), id="abc")
    write_baseline(path, updated(records.record(found=[finding])))
    assert set(read_baseline(path).findings) == {"abc"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("{\n  bad", "not JSON"),
        ("[]", "no baseline"),
        ('{"format": "other"}', "no baseline"),
        ('{"format": "icepick-baseline/1"}', "broken"),
        ('{"format": "icepick-baseline/1", "findings": [{"id": 7}]}', "broken"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_a_bad_file_is_an_error_with_place_and_hint(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "b.json"
    path.write_text(text)
    with pytest.raises(UsageError, match=words) as caught:
        read_baseline(path)
    assert caught.value.place is not None
    assert caught.value.place.source == str(path)
    assert caught.value.hint
    assert caught.value.code is Code.BAD_BASELINE


def test_a_place_that_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as missing:
        read_baseline(tmp_path / "none.json")
    with pytest.raises(UsageError) as folder:
        read_baseline(tmp_path)
    with pytest.raises(UsageError) as unwritable:
        write_baseline(tmp_path / "no" / "b.json", Baseline({}))
    codes = [each.value.code for each in (missing, folder, unwritable)]
    assert codes == [Code.NOT_FOUND, Code.NOT_A_FILE, Code.CANNOT_WRITE]
    path = tmp_path / "bytes"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="no text") as no_text:
        read_baseline(path)
    assert no_text.value.code is Code.BAD_BASELINE
