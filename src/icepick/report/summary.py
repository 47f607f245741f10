"""What a run comes to, on one screen of a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from rich.console import Console

from icepick.execute.events import DEVIATION, LEFT_OUT
from icepick.execute.types import Finding, Verdict
from icepick.report.advice import advice
from icepick.report.text import escape, fitted, line, plural
from icepick.report.types import Part, RunRecord

MOST_FINDINGS = 8
_STYLES = {Verdict.ERR: "bold red", Verdict.WARN: "yellow"}
_NARROWEST = 60
_MOST_LINES = 23
_INDENT = 12


def print_summary(
    console: Console,
    record: RunRecord,
    reports: Mapping[str, str] | None = None,
    known: Collection[str] = (),
) -> None:
    """Print it; `reports` are the files that were written, by kind."""
    for text in summary(record, reports, known, width=console.width):
        console.print(text, soft_wrap=True, highlight=False)


def summary(
    record: RunRecord,
    reports: Mapping[str, str] | None = None,
    known: Collection[str] = (),
    width: int = 80,
) -> list[str]:
    """Lines of markup that fit a screen: 23 at most, none longer than `width`."""
    wide = max(width, _NARROWEST)
    found = list(_findings(record, known, wide))
    tail = [escape(fitted(text, wide)) for text in _tail(record, reports or {}, known)]
    room = _MOST_LINES - len(found) - len(tail)
    title, *head = [escape(text) for text in _fitting(_facts(record), room, wide)]
    return [f"[bold]{title}[/]", *head, *found, *tail]


def _facts(record: RunRecord) -> list[tuple[str, list[str]]]:
    """What is said of a run as a whole: a word, and what follows it."""
    facts = [
        ("", [_head(record)]),
        ("hint", [*advice(record)]),
        ("operations", _reach(record)),
        ("left out", _left_out(record)),
        ("life cycles", _lives(record)),
        ("deviates", _deviations(record)),
        ("covered", _coverage(record)),
        ("calls", _calls(record)),
        ("not tested", _not_tested(record)),
    ]
    return [(name, parts) for name, parts in facts if parts]


def _fitting(facts: list[tuple[str, list[str]]], room: int, width: int) -> list[str]:
    """Each fact on as many lines as it needs while there is room, else cut to one."""
    blocks = [_wrapped(name, parts, width) for name, parts in facts]
    spare = room - len(blocks)
    lines: list[str] = []
    for block, (name, parts) in zip(blocks, facts, strict=True):
        if len(block) - 1 <= spare:
            spare -= len(block) - 1
            lines += block
        else:
            lines.append(fitted(_labelled(name, "; ".join(parts)), width))
    return lines


def _wrapped(name: str, parts: list[str], width: int) -> list[str]:
    lines = [""]
    for part in parts:
        joined = f"{lines[-1]}; {part}" if lines[-1] else part
        if len(joined) + _INDENT <= width or not lines[-1]:
            lines[-1] = joined
        else:
            lines.append(part)
    labels = [name, *[" "] * (len(lines) - 1)]
    return [fitted(_labelled(*pair), width) for pair in zip(labels, lines, strict=True)]


def _labelled(name: str, text: str) -> str:
    return f"{name:<{_INDENT}}{text}" if name else text


def _head(record: RunRecord) -> str:
    ending = record.ending.value if record.ending else "cut off"
    said = f" ({record.ending_text})" if record.ending_text else ""
    title = line(record.title, 30)
    return f"{title}  seed {record.seed}  {record.seconds:,.1f} s  {ending}{said}  {record.url}"


def _reach(record: RunRecord) -> list[str]:
    worked = sum(operation.succeeded for operation in record.operations)
    missing = [operation for operation in record.operations if not operation.succeeded]
    parts = [f"{worked} of {len(record.operations)} with a 2xx"]
    return parts + [f"not {one.label}: {line(one.reason, 60)}" for one in missing[:2]]


def _left_out(record: RunRecord) -> list[str]:
    """What nobody excluded and was not called: how many, and the first of them."""
    notes = [note for note in record.notes if note.kind == LEFT_OUT]
    if not notes:
        return []
    parts = [f"{plural(len(notes), 'operation')}, called with --include-dangerous"]
    return parts + [f"{note.subject}: {line(note.text, 60)}" for note in notes[:2]]


def _lives(record: RunRecord) -> list[str]:
    """How many were seen whole, and what is missing in some of the others."""
    lives = record.life_cycles
    if not lives:
        return []
    parts = [f"{sum(life.is_whole for life in lives)} of {len(lives)} whole"]
    broken = [life for life in lives if not life.is_whole]
    for life in broken[:2]:
        part, why = next(iter(life.missing.items()))
        parts.append(f"not {life.resource}: {part}: {line(why, 56)}")
    return parts


def _deviations(record: RunRecord) -> list[str]:
    """What the service does otherwise than REST conventions have it: no faults."""
    notes = [note for note in record.notes if note.kind == DEVIATION]
    return [f"{note.subject}: {line(note.text, 60)}" for note in notes[:4]]


def _coverage(record: RunRecord) -> list[str]:
    names = list(dict.fromkeys(name for model in record.models for name in model.parts))
    sums = {name: _sum(record, name) for name in names}
    return [f"{name} {p.covered:,}/{p.total:,}" for name, p in sums.items() if p.total]


def _sum(record: RunRecord, name: str) -> Part:
    parts = [model.parts[name] for model in record.models if name in model.parts]
    return Part(sum(part.covered for part in parts), sum(part.total for part in parts))


def _calls(record: RunRecord) -> list[str]:
    judged = ", ".join(f"{v.value} {n:,}" for v, n in record.verdicts.items() if n)
    parts = [f"{sum(record.verdicts.values()):,}" + (f": {judged}" if judged else "")]
    saved = f", {plural(record.saved, 'GET')} saved" if record.saved else ""
    return [*parts, f"{record.requests:,} sent{saved}"]


def _not_tested(record: RunRecord) -> list[str]:
    ranked = sorted(record.not_tested.items(), key=lambda item: -item[1])
    return [f"{line(reason, 56)} ({number:,})" for reason, number in ranked[:3]]


def _left_behind(record: RunRecord) -> str:
    """How many things stay on the service, and of what kind most of them are."""
    counted = Counter(left.resource for left in record.left_behind).most_common(2)
    most = ", ".join(f"{number:,} {name}" for name, number in counted)
    return f"{len(record.left_behind):,} left behind ({most})"


def _findings(record: RunRecord, known: Collection[str], width: int) -> Iterator[str]:
    for finding in record.findings[:MOST_FINDINGS]:
        yield from _finding(finding, width, known=finding.id in known)


def _finding(finding: Finding, width: int, *, known: bool) -> Iterator[str]:
    style = _STYLES.get(finding.level, "bold")
    mark = f"{finding.number:>3}. [{style}]{finding.level.value}[/] "
    plain = len(f"{finding.number:>3}. {finding.level.value} ")
    note = " (known)" if known else ""
    yield mark + escape(line(finding.title, width - plain - len(note)) + note)
    steps = plural(len(finding.steps), "call")
    yield f"     [dim]{escape(fitted(f'icepick replay {finding.id}  ({steps})', width - 5))}[/]"


def _tail(record: RunRecord, reports: Mapping[str, str], known: Collection[str]) -> Iterator[str]:
    total = len(record.findings)
    fresh = sum(finding.id not in known for finding in record.findings)
    parts = [plural(total, "finding") if total else "no findings"]
    parts += [f"{fresh:,} new"] if known else []
    parts += [f"{total - MOST_FINDINGS} not shown here"] if total > MOST_FINDINGS else []
    parts += [f"{len(record.unconfirmed)} unconfirmed"] if record.unconfirmed else []
    parts += [_left_behind(record)] if record.left_behind else []
    yield ", ".join(parts)
    if reports:
        yield "reports     " + ", ".join(reports.values())
    elif total:
        yield "curl lines and exchanges of each finding: --report html"
