"""Models as files: checked, written for a start, and exchanged with Arazzo."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from icepick.cli.files import write_text
from icepick.cli.output import Output, escape, plural
from icepick.errors import Code, Diagnostic, Place, Severity, UsageError
from icepick.openapi.types import ApiSpec
from icepick.pipeline.models import describe
from icepick.protocol import (
    ProtocolError,
    Protocols,
    Tally,
    automaton_of,
    check_protocols,
    from_arazzo,
    print_text,
    to_arazzo,
    write_protocol,
)


def checked(out: Output, protocols: Protocols, spec: ApiSpec) -> int:
    """Say everything that is wrong with a file, and what its models hold; 1 for errors."""
    found = check_protocols(protocols, spec)
    counts = Counter(one.severity for one in found)
    models = [] if counts[Severity.ERROR] else [_size(protocols, name) for name in protocols.models]
    out.result({"models": models, "diagnostics": [one.to_json() for one in found]})
    for one in found:
        out.diagnostic(one)
    for model in models:
        parts = ", ".join(f"{model[what]} {what}" for what in ("branches", "responses", "pairs"))
        out.line(f"[bold]{escape(str(model['name']))}[/] {parts}")
    out.line(", ".join(plural(counts[severity], severity.value) for severity in Severity))
    return int(counts[Severity.ERROR] > 0)


def _size(protocols: Protocols, name: str) -> dict[str, str | int]:
    coverage = Tally(automaton_of(name, protocols.definitions)).coverage()
    return {
        "name": name,
        "branches": coverage.branches.total,
        "responses": coverage.responses.total,
        "pairs": coverage.pairs.total,
    }


def usable(out: Output, protocols: Protocols, spec: ApiSpec) -> None:
    """UsageError where a file has errors; they and the warnings are listed before."""
    found = check_protocols(protocols, spec)
    errors = [one for one in found if one.severity is Severity.ERROR]
    for one in found if not out.as_json else ():
        if one.severity is not Severity.NOTE:
            out.diagnostic(one)
    if errors:
        first = errors[0]
        raise UsageError(
            Code.UNUSABLE_PROTOCOL,
            f"the protocol has {plural(len(errors), 'error')}; the first: {first.message}",
            place=first.place,
            hint=first.hint or "`--check` lists them all",
        )


def first_model(out: Output, spec: ApiSpec, output: Path | None, *, force: bool) -> int:
    """Write a first model of an API."""
    api = describe(spec)
    text = write_protocol(spec, api.resources, api.contracts)
    if not text.strip():
        raise UsageError(
            Code.NOTHING_SELECTED,
            "nothing can be created through this API, so that there is no life cycle to model",
            place=Place(spec.source),
            hint="write the model by hand",
        )
    return _written(out, text, output, force=force)


def imported(out: Output, arazzo: Path, spec: ApiSpec, output: Path | None, *, force: bool) -> int:
    """Write the model of an Arazzo description."""
    try:
        text = arazzo.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ProtocolError(
            Code.NOT_ARAZZO,
            f"cannot read {arazzo}: {reason}",
            place=Place(str(arazzo)),
            hint="check that you named the right file",
        ) from error
    found = from_arazzo(text, str(arazzo), spec)
    _told(out, found.diagnostics)
    return _written(out, print_text(found.text), output, force=force)


def exported(out: Output, protocols: Protocols, spec: ApiSpec, target: Path, *, force: bool) -> int:
    """Write the linear models of a file as an Arazzo description."""
    found = to_arazzo(protocols, spec)
    _told(out, found.diagnostics)
    if found.document is None:
        raise UsageError(
            Code.NOT_LINEAR,
            "no model is a linear flow",
            hint="Arazzo has no choices and no loops: write the flow as a model of its own",
        )
    return _written(out, found.text(), target, force=force)


def _told(out: Output, diagnostics: Iterable[Diagnostic]) -> None:
    for one in diagnostics if not out.as_json else ():
        out.status(f"[yellow]{one.code.value}[/] {escape(one.message)}")


def _written(out: Output, text: str, output: Path | None, *, force: bool) -> int:
    if output is None:
        out.result({"text": text})
        out.line(escape(text.rstrip("\n")))
        return 0
    if output.exists() and not force:
        raise UsageError(
            Code.ANOTHER_DOCUMENT,
            f"{output} exists",
            place=Place(str(output)),
            hint="choose another file, or replace it with --force",
        )
    write_text(output, text)
    out.result({"output": str(output)})
    out.line(f"written to {escape(str(output))}")
    return 0
