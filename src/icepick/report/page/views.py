"""What the page shows of findings and exchanges: text only, cut to what can be read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from icepick.execute.types import Exchange, Finding, Headers, Judged, Response
from icepick.report.curl import short_curl_lines
from icepick.report.places import places
from icepick.report.text import line, outcome, plural, shown_body, size, visible

_LONGEST_BODY = 20_000
_FOLDED_LINES, _FOLDED_CHARS = 16, 1_200
_PAGE_BUDGET = 6_000_000
_LONGEST_CURL = 60_000


@dataclass(frozen=True, slots=True)
class BodyView:
    """A body as text; a long one is folded."""

    text: str
    note: str
    folded: bool


@dataclass(frozen=True, slots=True)
class ExchangeView:
    """A request and its answer; `shows` says that it is one of those that show the fault."""

    number: int
    method: str
    url: str
    outcome: str
    family: str
    time: str
    request_headers: Headers
    response_headers: Headers
    request_body: BodyView | None
    response_body: BodyView | None
    redirects: tuple[str, ...]
    shows: bool


@dataclass(frozen=True, slots=True)
class StepView:
    """A call of a sequence with the reads around it."""

    label: str
    verdict: str
    kind: str
    reason: str
    before: tuple[ExchangeView, ...]
    exchange: ExchangeView | None
    after: tuple[ExchangeView, ...]


@dataclass(frozen=True, slots=True)
class PlaceView:
    """One of the places where a finding shows."""

    text: str
    exchange: ExchangeView | None


@dataclass(frozen=True, slots=True)
class FindingView:
    """A finding, ready to be shown."""

    id: str
    number: int
    level: str
    title: str
    operation: str
    blamed: str
    label: str
    check: str
    provenance: str
    promised: str
    happened: str
    bindings: tuple[tuple[str, str], ...]
    steps: tuple[StepView, ...]
    places: tuple[PlaceView, ...]
    curl: str
    replay: str
    seen: str
    known: bool
    search: str


class Viewer:
    """Makes views, and leaves bodies and scripts out when the page would be too large to open."""

    def __init__(self) -> None:
        self._left = _PAGE_BUDGET

    def finding(
        self, finding: Finding, labels: Mapping[str, str], *, auth: bool, known: bool
    ) -> FindingView:
        """One finding; `labels` are those of operations, by id."""
        complaint = finding.complaint
        operation = labels.get(finding.operation, finding.operation)
        blamed = complaint.operation
        other = blamed is not None and blamed != finding.operation
        shown = frozenset(complaint.exchanges)
        return FindingView(
            id=line(finding.id),
            number=finding.number,
            level=finding.level.value,
            title=line(finding.title, 300),
            operation=line(operation),
            blamed=line(labels.get(blamed, blamed)) if blamed is not None and other else "",
            label=line(finding.label, 300),
            check=line(complaint.check),
            provenance=complaint.provenance.value,
            promised=visible(complaint.promised[:4000]),
            happened=visible(complaint.happened[:4000]),
            bindings=tuple((line(k), _value(v)) for k, v in complaint.bindings.items()),
            steps=tuple(self._step(step, shown) for step in finding.steps),
            places=tuple(self._places(finding, labels)),
            curl=self._curl(finding, auth=auth),
            replay=f"icepick replay {line(finding.id)}",
            seen=_seen(finding),
            known=known,
            search=_searched(finding.title, finding.id, operation, complaint.promised),
        )

    def _places(self, finding: Finding, labels: Mapping[str, str]) -> Iterator[PlaceView]:
        for text, one in zip(places(finding, labels), finding.sightings, strict=False):
            shown = self.exchange(one.exchange, frozenset()) if one.exchange else None
            yield PlaceView(line(text, 500), shown)

    def _curl(self, finding: Finding, *, auth: bool) -> str:
        script = short_curl_lines(finding, min(_LONGEST_CURL, max(self._left, 0)), auth=auth)
        self._left -= len(script)
        return script

    def _step(self, step: Judged, shown: frozenset[int]) -> StepView:
        reads = _once(step.reads)
        number = step.exchange.number if step.exchange else 0
        return StepView(
            label=line(step.label, 300),
            verdict=step.verdict.value,
            kind=line(step.kind),
            reason=line(step.reason, 500),
            before=tuple(self.exchange(r, shown) for r in reads if r.number < number),
            exchange=self.exchange(step.exchange, shown) if step.exchange else None,
            after=tuple(self.exchange(r, shown) for r in reads if r.number >= number),
        )

    def exchange(self, exchange: Exchange, shown: frozenset[int]) -> ExchangeView:
        """One exchange."""
        request, reply = exchange.request, exchange.reply
        answer = reply if isinstance(reply, Response) else None
        return ExchangeView(
            number=exchange.number,
            method=line(request.method),
            url=line(request.url, 2000),
            outcome=outcome(exchange),
            family=f"s{answer.status // 100}" if answer else "s0",
            time=f"{reply.seconds * 1000:,.0f} ms",
            request_headers=_headers(request.headers),
            response_headers=_headers(answer.headers) if answer else (),
            request_body=self._body(request.body) if request.body else None,
            response_body=self._body(answer.body, cut=answer.truncated) if answer else None,
            redirects=tuple(line(url, 500) for url in answer.redirects) if answer else (),
            shows=exchange.number in shown,
        )

    def _body(self, body: bytes, *, cut: bool = False) -> BodyView | None:
        if not body:
            return None
        note = size(len(body)) + (", cut when it was received" if cut else "")
        if self._left <= 0:
            return BodyView("", f"{note}; left out, the journal has it", folded=False)
        text = shown_body(body, _LONGEST_BODY)
        self._left -= len(text)
        folded = text.count("\n") > _FOLDED_LINES or len(text) > _FOLDED_CHARS
        return BodyView(text, note, folded)


def _once(reads: Sequence[Exchange]) -> list[Exchange]:
    """Each read once: two clauses may have asked for it."""
    return list({read.number: read for read in reads}.values())


def _searched(*texts: str) -> str:
    return line(" ".join(texts), 2000).lower()


def _value(value: object) -> str:
    return line(json.dumps(value, ensure_ascii=False, default=str), 500)


def _headers(headers: Headers) -> Headers:
    return tuple((line(name, 200), line(value, 2000)) for name, value in headers)


def _seen(finding: Finding) -> str:
    calls = plural(len(finding.steps), "call")
    shorter = f", from {finding.original}" if finding.original > len(finding.steps) else ""
    return f"{calls}{shorter}; seen {plural(finding.seen, 'time')}"


def distinct(values: Sequence[str]) -> list[str]:
    """Each value once, in the order of its first coming."""
    return list(dict.fromkeys(values))
