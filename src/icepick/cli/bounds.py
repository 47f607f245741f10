"""FILE and `--bounds`: which models a command is about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from icepick.cli.output import Output
from icepick.cli.schema import read_document, read_options, schema_argument
from icepick.model.derive.derive import Derivation
from icepick.pipeline.models import describe, models


def model_argument(function: Callable[..., Any]) -> Callable[..., Any]:
    """SCHEMA with its options, and `--bounds`; `derivations` makes models of them."""
    option = click.option(
        "--bounds",
        callback=_bounds,
        metavar="NAME=N,...",
        help="How many values each resource has, such as Player=2,Tournament=2.",
    )
    return schema_argument(option(function))


def derivations(
    out: Output, schema: str, bounds: dict[str, int], **reading: Any
) -> tuple[Derivation, ...]:
    """The models of a document: one where bounds are given or it is small, else several."""
    found = models(describe(read_document(out, schema, read_options(**reading))), bounds)
    if not any(one.model.resources for one in found):
        out.line("nothing here has a life cycle: no operation creates an instance with an address")
    return found


def _bounds(
    _context: click.Context, _parameter: click.Parameter, text: str | None
) -> dict[str, int]:
    bounds = {}
    for part in text.split(",") if text else ():
        name, _, size = part.partition("=")
        if not name.strip() or not size.strip().isdigit():
            raise click.BadParameter(f"{part!r} is not of the form Player=2")
        bounds[name.strip()] = int(size)
    return bounds
