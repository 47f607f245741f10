"""The SCHEMA argument and the options that say how to read it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import click

from icepick.cli.output import Output, plural
from icepick.errors import Severity
from icepick.openapi import ApiSpec, read_spec
from icepick.openapi.options import MEGABYTE, ReadOptions

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


def schema_argument(function: Callable[..., Any]) -> Callable[..., Any]:
    """SCHEMA with the options that say how to read it."""
    return click.argument("schema")(reading_options(function))


def reading_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """How to read a document; `read_options` makes them a `ReadOptions`."""
    for decorate in (
        click.option(
            "--max-size",
            type=click.FloatRange(min=0, min_open=True),
            default=64,
            show_default=True,
            metavar="MB",
            callback=_finite,
            help="Refuse a document larger than this.",
        ),
        click.option("--allow-remote-refs", is_flag=True, help="Follow references to other hosts."),
        click.option(
            "-H",
            "--header",
            "headers",
            multiple=True,
            metavar='"NAME: VALUE"',
            callback=_headers,
            help="Send a header, also when fetching SCHEMA.",
        ),
        click.option(
            "--wait-for-schema",
            "wait",
            type=click.FloatRange(min=0),
            default=0,
            metavar="SECONDS",
            callback=_finite,
            help="Wait this long for SCHEMA's URL to answer.",
        ),
    ):
        function = decorate(function)
    return function


def read_options(
    wait: float, headers: dict[str, str], allow_remote_refs: bool, max_size: float
) -> ReadOptions:
    """What the options say."""
    return ReadOptions(
        allow_remote_refs=allow_remote_refs,
        headers=headers,
        wait_seconds=wait,
        max_bytes=int(max_size * MEGABYTE),
    )


def read_document(out: Output, schema: str, options: ReadOptions) -> ApiSpec:
    """A document to work with; that parts of it were left out is said beside the result."""
    spec = read_spec(schema, options)
    errors = sum(1 for found in spec.diagnostics if found.severity is Severity.ERROR)
    if errors:
        out.status(
            f"[yellow]{plural(errors, 'error')} in the document[/]: `icepick check` says which"
        )
    return spec


def _finite(_context: click.Context, _parameter: click.Parameter, value: float) -> float:
    if not math.isfinite(value):
        raise click.BadParameter(f"{value} is not a number to count to")
    return value


def _headers(
    _context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    # Messages must not repeat the value: it is a secret more often than not.
    pairs = {}
    for number, value in enumerate(values, start=1):
        name, colon, content = value.partition(":")
        if not colon or not _TOKEN.fullmatch(name.strip()):
            raise click.BadParameter(f"header {number} is not of the form 'Name: value'")
        if not content.strip().isprintable():
            raise click.BadParameter(f"the value of {name.strip()} holds control characters")
        pairs[name.strip()] = content.strip()
    return pairs
