"""Printing: colours for people at a terminal, plain lines for pipes, one object for `--json`."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.console import Console
from rich.markup import escape as _escape

from icepick.errors import Diagnostic, IcepickError, Severity

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


_INVISIBLE = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if code != 10}


def escape(text: str) -> str:
    """Text of others for a line of ours: no markup, and no control codes for the terminal."""
    return _escape(text.translate(_INVISIBLE))


class _Console(Console):
    """A console that leaves it to the entry point what a reader who has left means."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def _console(color: bool, *, stderr: bool = False) -> Console:
    # Emoji codes would turn `openapi.json:100:7` into a picture.
    return _Console(
        stderr=stderr,
        no_color=None if color else True,
        emoji=False,
        highlight=False,
        soft_wrap=True,
    )


class Output:
    """Where a command writes: results to standard output, everything else to standard error."""

    def __init__(self, *, color: bool = True, as_json: bool = False) -> None:
        self.as_json = as_json
        self._out = _console(color)
        self._err = _console(color, stderr=True)

    @property
    def is_terminal(self) -> bool:
        """Whether a person is looking."""
        return self._out.is_terminal

    def line(self, markup: str = "") -> None:
        """A line of the result; nothing under `--json`."""
        if not self.as_json:
            self._out.print(markup)

    def status(self, markup: str) -> None:
        """A line beside the result, for people only."""
        if self._err.is_terminal and not self.as_json:
            self._err.print(markup)

    def result(self, value: dict[str, Any]) -> None:
        """The one object that `--json` prints."""
        if self.as_json:
            click.echo(json.dumps(value, indent=2, ensure_ascii=False))

    def diagnostic(self, diagnostic: Diagnostic) -> None:
        """One line in the form that editors and compilers use, and the hint below it."""
        place = diagnostic.place
        spot = ":".join(str(p) for p in (place.source, place.line, place.column) if p is not None)
        style = _STYLES[diagnostic.severity]
        whose = diagnostic.operation
        known = whose is None or whose in diagnostic.message
        message = diagnostic.message if known else f"{whose}: {diagnostic.message}"
        self.line(
            f"{escape(spot)}: [{style}]{diagnostic.severity}[/] "
            f"[dim]{diagnostic.code.value}[/] {escape(message)}"
        )
        for text in (place.caret() or "").splitlines():
            self.line(f"    {escape(text)}")
        self.line(f"    [dim]at {escape(place.pointer)}[/]" if place.pointer else "    at the root")
        if diagnostic.hint:
            self.line(f"    [green]hint:[/] {escape(diagnostic.hint)}")

    def error(self, error: IcepickError) -> None:
        """What is wrong, where, what to do."""
        self.result({"error": error.to_json()})
        self._err.print(f"[bold red]error[/] [dim]{error.code.value}[/] {escape(error.message)}")
        if error.place is not None:
            self._err.print(f"  [dim]at[/] {escape(str(error.place))}")
            for text in (error.place.caret() or "").splitlines():
                self._err.print(f"    {escape(text)}")
        if error.hint:
            self._err.print(f"  [green]hint:[/] {escape(error.hint)}")


def plural(count: int, noun: str) -> str:
    """A number and what it counts: 1 error, 2 errors."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
