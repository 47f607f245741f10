"""What a run comes to: terminal, HTML, JUnit, JSON, HAR, curl, pytest, and a baseline."""

from icepick.report.baseline import (
    Baseline,
    Comparison,
    compare,
    read_baseline,
    updated,
    write_baseline,
)
from icepick.report.curl import curl_lines
from icepick.report.export import export_tests
from icepick.report.har import write_har
from icepick.report.json_report import to_json
from icepick.report.junit import to_junit
from icepick.report.page import to_html
from icepick.report.record import Counts, Recorder
from icepick.report.summary import print_summary, summary
from icepick.report.terminal import Progress
from icepick.report.types import ModelRecord, OperationRecord, Part, RunRecord

__all__ = [
    "Baseline",
    "Comparison",
    "Counts",
    "ModelRecord",
    "OperationRecord",
    "Part",
    "Progress",
    "Recorder",
    "RunRecord",
    "compare",
    "curl_lines",
    "export_tests",
    "print_summary",
    "read_baseline",
    "summary",
    "to_html",
    "to_json",
    "to_junit",
    "updated",
    "write_baseline",
    "write_har",
]
