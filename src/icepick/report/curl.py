"""A sequence of calls as lines of `curl`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import quote

from icepick.execute.transport.secrets import is_private
from icepick.execute.types import Exchange, Finding, Request, Response
from icepick.report.captures import Capture, captures, segments
from icepick.report.shell import comment, is_plain, octal, quoted
from icepick.report.text import line, outcome

_LONGEST_ARGUMENT = 30_000
_NEVER = {"content-length", "transfer-encoding", "connection"}
_WITH_BODY = {"POST", "PUT", "PATCH"}
_URL_CHARS = "".join(map(chr, range(33, 127)))
_CONTINUED = " \\\n  "


def curl_lines(what: Finding | Sequence[Exchange], *, auth: bool = False) -> str:
    """A script for any shell that makes the same calls again, byte for byte.

    With `auth`, each call also sends the header in `$ICEPICK_AUTH`, if that is set: credentials
    are never part of what was recorded.
    """
    exchanges = exchanges_of(what) if isinstance(what, Finding) else tuple(what)
    labels = _labels(what) if isinstance(what, Finding) else {}
    found = captures(exchanges)
    secret = auth or any(_secrets(exchange.request) for exchange in exchanges)
    lines = list(_preamble(exchanges, auth=auth)) if secret else []
    for step, exchange in enumerate(exchanges):
        title = (
            f"step {step + 1}: {labels.get(exchange.number, 'read')} answered {outcome(exchange)}"
        )
        lines.append(comment(line(title, 200)))
        lines += _origins(exchange.request, step, found)
        lines.append(curl_line(exchange, auth=auth))
    return "\n".join(lines) + "\n"


def short_curl_lines(finding: Finding, most: int, *, auth: bool = False) -> str:
    """The same where it is not longer than `most`, else nothing: bodies can have any size."""
    bodies = sum(len(exchange.request.body or b"") for exchange in exchanges_of(finding))
    script = curl_lines(finding, auth=auth) if bodies <= most else ""
    return script if len(script) <= most else ""


def exchanges_of(finding: Finding) -> tuple[Exchange, ...]:
    """The calls of a finding, and after the last one the reads that show the fault."""
    calls = [step.exchange for step in finding.steps if step.exchange is not None]
    if not calls:
        return ()
    reads = {read.number: read for step in finding.steps for read in step.reads}
    wanted = sorted(number for number in finding.complaint.exchanges if number in reads)
    shown = [reads[number] for number in wanted]
    return tuple(sorted([*calls, *shown], key=lambda exchange: exchange.number))


def curl_line(exchange: Exchange, *, auth: bool = False) -> str:
    """One call. What cannot be written as text comes from `printf` through a pipe."""
    request = exchange.request
    words = ["curl -sS -i --globoff --path-as-is", *_method(request)]
    if isinstance(exchange.reply, Response) and exchange.reply.redirects:
        words += ["--location --max-redirs 5"] if request.method in {"GET", "HEAD"} else []
    words += _headers(request)
    words += ['${ICEPICK_AUTH:+"-H$ICEPICK_AUTH"}'] if auth else []
    words.append(
        f"--url {quoted(quote(request.url, safe=_URL_CHARS, errors='surrogatepass'))} -w '\\n'"
    )
    if not request.body:
        return _CONTINUED.join(words)
    if is_plain(request.body) and len(request.body) <= _LONGEST_ARGUMENT:
        text = request.body.decode().replace("'", "'\\''")
        return _CONTINUED.join([*words[:-1], f"--data-raw '{text}'", words[-1]])
    piped = _CONTINUED.join([*words[:-1], "--data-binary @-", words[-1]])
    return f"printf {octal(request.body)} |\n{piped}"


def _method(request: Request) -> list[str]:
    if request.method == "HEAD":
        return ["--head"]
    method = request.method if request.method.isalpha() else quoted(request.method)
    return [] if request.method == "GET" and not request.body else [f"-X {method}"]


def _headers(request: Request) -> Iterator[str]:
    names = {name.lower() for name, _ in request.headers}
    for name, value in request.headers:
        if is_private(name):
            yield f'${{{_variable(name)}:+"-H{name}: ${_variable(name)}"}}'
        elif name.lower() not in _NEVER:
            yield f"-H {quoted(f'{name}: {value}' if value.strip() else f'{name};')}"
    if request.body and "content-type" not in names:
        yield "-H 'Content-Type:'"  # or curl would call it a form
    if request.body and len(request.body) > 1_000_000 and "expect" not in names:
        yield "-H 'Expect:'"
    if not request.body and request.method in _WITH_BODY:
        yield "-H 'Content-Length: 0'"


def _secrets(request: Request) -> list[str]:
    return [name for name, _ in request.headers if is_private(name)]


def _variable(name: str) -> str:
    return "ICEPICK_" + "".join(char if char.isalnum() else "_" for char in name.upper())


def _preamble(exchanges: Sequence[Exchange], *, auth: bool) -> Iterator[str]:
    if auth:
        yield comment("ICEPICK_AUTH is sent if set, such as Authorization: Bearer TOKEN")
    names = dict.fromkeys(name for each in exchanges for name in _secrets(each.request))
    for name in names:
        yield comment(f"{_variable(name)} is the value of {name}, which was not recorded")


def _labels(finding: Finding) -> dict[int, str]:
    """The call in the words of the model, by the number of its exchange."""
    return {step.exchange.number: step.label for step in finding.steps if step.exchange is not None}


def _origins(request: Request, step: int, found: Sequence[Capture]) -> Iterator[str]:
    """Say of which earlier answer a value is: the service may choose another one next time."""
    body = (request.body or b"").decode("utf-8", "replace")
    for capture in found:
        used = capture.text in segments(request.url) or capture.text in request.url + body
        if capture.step < step and used:
            where = ".".join(map(str, capture.path)) or "Location"
            text = f"{capture.text} is {where} of step {capture.step + 1}: put in what it answers"
            yield comment(line(text, 200))
