"""What came of the calls of a finding that were made again, for a person."""

from __future__ import annotations

from collections.abc import Sequence

from icepick.cli.output import Output, escape, plural
from icepick.execute.types import Failure, Finding, Judged, Verdict

_STYLES = {Verdict.OK: "green", Verdict.ERR: "bold red"}


def print_replayed(
    out: Output, finding: Finding, judged: Sequence[Judged], shown: bool | None
) -> None:
    """The calls, and whether the fault shows; None where nobody can tell."""
    out.line(f"[bold]{finding.id}[/] {escape(finding.title)}\n")
    for number, one in enumerate(judged, start=1):
        style = _STYLES.get(one.verdict, "yellow")
        out.line(f"{number:>3}. [{style}]{one.verdict.value}[/] {escape(one.label)}")
        out.line(f"     {escape(call_text(one))}")
        for complaint in one.complaints:
            out.line(f"     [{style}]{escape(complaint.happened)}[/]")
    says = {
        True: "[bold red]the fault still shows[/]",
        False: "[green]the fault does not show[/]",
        None: "[yellow]nobody can tell: not all of its calls could be made[/]",
    }
    out.line(f"\n{says[shown]} ({plural(len(judged), 'call')})")


def call_text(judged: Judged) -> str:
    """A call and its answer on one line."""
    exchange = judged.exchange
    if exchange is None:
        return f"not made: {judged.reason}"
    reply = exchange.reply
    answer = reply.message if isinstance(reply, Failure) else str(reply.status)
    return f"{exchange.request.method} {exchange.request.url} -> {answer}"
