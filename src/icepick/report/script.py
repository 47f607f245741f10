"""One finding as a test: its calls, what is read around the last one, and what must hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import unquote

from icepick.execute.laws.tags import TAGS
from icepick.execute.transport.matching import IF_MATCH
from icepick.execute.types import Exchange, Finding, Headers, Response
from icepick.execute.wrong.findings import WRONG
from icepick.glacier.tree import Prev
from icepick.report.asserts import asserted, sent_line
from icepick.report.captures import Capture, captures
from icepick.report.literals import Names, body_literal, path_literal, shown_path
from icepick.report.promises import (
    Clause,
    Promise,
    Undecided,
    promise_of,
    shown,
    without_clause,
)
from icepick.report.removal import Deletes, Removal, deletable, pattern_of
from icepick.report.text import line, parsed
from icepick.report.translate import Check, translated

_DROPPED = {"host", "content-length", "transfer-encoding", "connection", "accept-encoding"}
_SECRET = {"authorization", "proxy-authorization", "cookie"}
_LOST = re.compile(r"\((\w+) is .* and null\) is false$")
_NEVER_MADE = 'raise AssertionError("the call was never made, so there is nothing to repeat")'
_UNDECIDED = 'pytest.skip("what was recorded is too little to tell; use icepick replay")'


@dataclass(frozen=True, slots=True)
class Service:
    """Where findings were made, and the labels of the operations there."""

    url: str
    labels: tuple[str, ...] = ()

    @property
    def deletes(self) -> Deletes:
        """What can be deleted."""
        return deletable(self.labels)

    def parameters(self, exchange: Exchange) -> dict[str, str]:
        """The path parameters of a call, by the operation whose path fits best."""
        path = shown_path(exchange.request.url, self.url).partition("?")[0]
        found: list[dict[str, str]] = []
        for label in self.labels:
            method, _, template = label.partition(" ")
            match = pattern_of(template).fullmatch(path)
            if match and method == exchange.request.method:
                names = re.findall(r"\{([^{}]*)\}", template)
                found.append(dict(zip(names, map(unquote, match.groups()), strict=True)))
        return min(found, key=len, default={})


def lines_of_test(finding: Finding, service: Service) -> Iterator[str]:
    """The function, line by line."""
    complaint = finding.complaint
    yield f"def test_{_slug(finding)}():"
    yield f"    # {line(finding.title, 200)}"
    yield (
        f"    # Promised ({complaint.provenance}, {line(complaint.check)}): "
        f"{line(complaint.promised, 2000)}"
    )
    yield f"    # Happened: {line(complaint.happened, 2000)}"
    yield f"    # To see it again: icepick replay {line(finding.id)}"
    promise = promise_of(finding)
    if promise is None:
        yield f"    {_NEVER_MADE}"
        return
    if isinstance(promise, Clause):
        script = _Script(finding, service, _calls(finding))
        check = script.check_of(promise)
        if check is not None:
            yield from script.with_clause(check)
            return
        promise = without_clause(finding)
    if isinstance(promise, Undecided):
        yield f"    {_UNDECIDED}"
        return
    yield from _Script(finding, service, _made(finding)).with_promise(promise)


def _slug(finding: Finding) -> str:
    words = re.sub(r"[^a-z0-9]+", "_", finding.title.lower()).strip("_")[:50].rstrip("_")
    name = re.sub(r"[^a-z0-9]+", "_", finding.id.lower())
    return f"{finding.number}_{words}_{name}" if words else f"{finding.number}_{name}"


def _calls(finding: Finding) -> tuple[Exchange, ...]:
    return tuple(step.exchange for step in finding.steps if step.exchange is not None)


def _made(finding: Finding) -> tuple[Exchange, ...]:
    """The calls, and the reads that show the fault, in their order."""
    every = {exchange.number: exchange for exchange in (*_calls(finding), *shown(finding))}
    return tuple(every[number] for number in sorted(every))


class _Script:
    """The body of a test: exchanges made again, one variable for each answer."""

    def __init__(self, finding: Finding, service: Service, made: Sequence[Exchange]) -> None:
        self._finding = finding
        self._service = service
        self._made = made
        self._found = [(c, _name(c, i)) for i, c in enumerate(captures(made))]
        self._removal = Removal(finding, made, service.url, service.deletes)

    def with_promise(self, promise: Promise) -> Iterator[str]:
        """All exchanges, and then what must be true of their answers."""
        yield "    with Service() as service:"
        for number in range(len(self._made)):
            yield from self._step(number)
        names = self._names(len(self._made))
        yield from _indented(asserted(promise, self._variable, names))

    def check_of(self, clause: Clause) -> Check | None:
        """What a clause asks around the last exchange, where it has a plain form."""
        last, known = self._made[-1], self._names(len(self._made) - 1)
        parameters = {
            name: known.get(value, repr(value))
            for name, value in self._service.parameters(last).items()
        }
        formula = Prev(clause.formula) if clause.required else clause.formula
        lost = _LOST.search(self._finding.complaint.happened)
        check = translated(formula, self._variable(last), parameters, lost[1] if lost else "")
        if check is None or (check.uses_sent and parsed(last.request.body) is None):
            return None
        if not clause.required:
            return check
        refused = f"{self._variable(last)}.status // 100 == 4"
        return replace(check, condition=f"{refused} or ({check.condition})", required=True)

    def with_clause(self, check: Check) -> Iterator[str]:
        """The calls, the reads that the clause asks for around the last one, and the clause."""
        last = len(self._made) - 1
        yield "    with Service() as service:"
        for number in range(last):
            yield from self._step(number)
        if check.uses_sent:
            yield f"        {sent_line(self._made[last].request.body or b'', self._names(last))}"
        yield from _indented(f"{name} = service.get({path})" for name, path in check.before)
        yield from self._step(last)
        yield from _indented(self._of_call(check))
        yield from _indented(f"{name} = service.get({path})" for name, path in check.after)
        yield f"        assert {check.condition}"

    def _of_call(self, check: Check) -> Iterator[str]:
        last = self._made[-1]
        variable = self._variable(last)
        if check.required:
            yield "# What was required did not hold, so the call had to be refused."
        elif last.stated is not None:
            yield f"assert {variable}.status // 100 == {last.stated // 100}, {variable}.body[:500]"

    def _is_tag_read(self, exchange: Exchange) -> bool:
        """Whether the entity tag of a call is the one that its target had at that time.

        No other is sent but by who wants to see what becomes of it.
        """
        tag = _header(exchange.request.headers, IF_MATCH)
        if tag is None or tag == "*":
            return False
        last, check = self._finding.steps[-1], self._finding.complaint.check
        if exchange is not last.exchange or (check != TAGS and last.kind != WRONG):
            return True
        replies = (one.reply for one in self._made)
        return tag in [one.header("ETag") for one in replies if isinstance(one, Response)]

    def _variable(self, exchange: Exchange) -> str:
        return f"answer_{self._made.index(exchange) + 1}"

    def _names(self, number: int) -> Names:
        """The captured values that are known when the exchange at that position is made."""
        return {capture.text: name for capture, name in self._found if capture.step < number}

    def _step(self, number: int) -> Iterator[str]:
        exchange, variable = self._made[number], f"answer_{number + 1}"
        names, path = self._names(number), shown_path(exchange.request.url, self._service.url)
        target = path_literal(path.partition("?")[0], names)
        tag = f"service.tag({target})" if self._is_tag_read(exchange) else ""
        yield from _indented(_call(exchange, variable, path_literal(path, names), names, tag))
        for capture, name in self._found:
            if capture.step == number:
                path = ", ".join(map(repr, capture.path))
                read = f"at({path})" if capture.path else "location()"
                yield f"        {name} = {variable}.{read}"
        yield from _indented(self._removal.line(exchange, number + 1, self._names(number + 1)))
        way = [step.exchange for step in self._finding.steps[:-1]]
        if exchange.stated is not None and any(exchange is made for made in way):
            yield f"        set_up({number + 1}, {variable}, {exchange.stated})"


def _indented(lines: Iterator[str]) -> Iterator[str]:
    return (f"        {text}" for text in lines)


def _name(capture: Capture, number: int) -> str:
    words = [part for part in capture.path if isinstance(part, str)]
    base = re.sub(r"[^a-z0-9]+", "_", words[-1].lower()).strip("_") if words else "made"
    usable = base[:1].isalpha() and base not in {"answer", "before", "after"}
    return f"{base if usable else 'value'}_{number + 1}"


def _header(headers: Headers, name: str) -> str | None:
    return next((value for known, value in headers if known.lower() == name.lower()), None)


def _call(
    exchange: Exchange, variable: str, path: str, names: Names, tag: str = ""
) -> Iterator[str]:
    """A call; `tag` is the expression that gives it its entity tag, where that is read anew."""
    request = exchange.request
    words = [repr(request.method), path]
    left_out = _DROPPED | _SECRET
    headers = [
        f"({name!r}, {tag if tag and name.lower() == IF_MATCH.lower() else repr(value)})"
        for name, value in request.headers
        if name.lower() not in left_out
    ]
    if request.body is not None:
        words.append(body_literal(request.body, names, 12))
    if headers:
        words.append(f"headers=[{', '.join(headers)}]")
    flat = f"{variable} = service.call({', '.join(words)})"
    if len(flat) <= 88 and "\n" not in flat:
        yield flat
        return
    yield f"{variable} = service.call("
    yield from (f"    {word}," for word in words)
    yield ")"
