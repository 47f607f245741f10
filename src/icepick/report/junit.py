"""JUnit's XML, for continuous integration: a test case per operation, and one per finding."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime
from xml.etree.ElementTree import Element, SubElement, tostring

from icepick.execute.types import Finding, Verdict
from icepick.report.curl import short_curl_lines
from icepick.report.places import places
from icepick.report.text import line, plural, visible
from icepick.report.types import OperationRecord, RunRecord

_NOT_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LONGEST = 20_000


def to_junit(record: RunRecord, known: Collection[str] = ()) -> str:
    """The document; findings whose ids are `known` from a baseline do not fail."""
    root = Element("testsuites", name="icepick")
    suite = SubElement(root, "testsuite", name=_xml(record.title or "icepick"))
    cases = list(_cases(record, known))
    suite.extend(cases)
    for element in (root, suite):
        element.set("tests", str(len(cases)))
        element.set("failures", str(_count(cases, "failure")))
        element.set("skipped", str(_count(cases, "skipped")))
        element.set("errors", "0")
        element.set("time", f"{record.seconds:.3f}")
    started = datetime.fromtimestamp(record.started, UTC)
    suite.set("timestamp", started.strftime("%Y-%m-%dT%H:%M:%S"))
    suite.insert(0, _properties(record))
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _xml(text: str) -> str:
    """Text that XML can hold; what it cannot is written as a code."""
    return _NOT_XML.sub("?", visible(text))


def _count(cases: list[Element], tag: str) -> int:
    return sum(case.find(tag) is not None for case in cases)


def _properties(record: RunRecord) -> Element:
    properties = Element("properties")
    values = {"run": record.id, "seed": str(record.seed), "url": record.url}
    values |= {"schema": record.schema, "ending": record.ending or "cut off"}
    for name, value in values.items():
        SubElement(properties, "property", name=name, value=_xml(value))
    return properties


def _cases(record: RunRecord, known: Collection[str]) -> Iterator[Element]:
    labels = {operation.id: operation.label for operation in record.operations}
    failing = {finding.operation for finding in record.findings}
    for operation in record.operations:
        if operation.id not in failing:
            yield _operation(operation)
    for finding in record.findings:
        yield _finding(finding, labels, known=finding.id in known)


def _operation(operation: OperationRecord) -> Element:
    case = Element("testcase", classname="operations", name=_xml(operation.label), time="0")
    if not operation.succeeded:
        SubElement(case, "skipped", message=_xml(operation.reason))
    return case


def _finding(finding: Finding, labels: Mapping[str, str], *, known: bool) -> Element:
    label = labels.get(finding.operation, finding.operation)
    name = f"{label}: {line(finding.title, 200)} [{finding.id}]"
    seconds = sum(step.exchange.reply.seconds for step in finding.steps if step.exchange)
    case = Element("testcase", classname="findings", name=_xml(name), time=f"{seconds:.3f}")
    if known:
        SubElement(case, "skipped", message="known from the baseline")
        return case
    kind = finding.complaint.check if finding.level is not Verdict.WARN else "warning"
    failure = SubElement(case, "failure", type=_xml(kind), message=_xml(line(finding.title, 300)))
    failure.text = _xml(_told(finding, labels))[:_LONGEST]
    return case


def _told(finding: Finding, labels: Mapping[str, str]) -> str:
    complaint = finding.complaint
    lines = places(finding, labels)
    shown = "\n  ".join(["it shows in", *lines]) + "\n" if lines else ""
    return (
        f"promised ({complaint.provenance}): {complaint.promised}\n"
        f"happened: {complaint.happened}\n"
        f"{shown}"
        f"seen {plural(finding.seen, 'time')}, shown by {plural(len(finding.steps), 'call')}\n"
        f"icepick replay {finding.id}\n\n{short_curl_lines(finding, _LONGEST)}"
    )
