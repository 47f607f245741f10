"""`icepick demo`: what icepick does, on a service that it brings along."""

from __future__ import annotations

import asyncio
from typing import Any

import click

from icepick.cli.check import print_summary
from icepick.cli.command import Command, common_options
from icepick.cli.output import Output, escape
from icepick.demo.serve import running
from icepick.demo.tournaments import TOURNAMENTS
from icepick.openapi import ApiSpec, check_spec


@click.command(cls=Command)
@common_options
def demo(out: Output) -> int:
    """Start the Tournaments service and show what icepick reads from it."""
    url, spec = asyncio.run(_read_live())
    out.result(_as_json(url, spec))
    out.line(f"started the tournaments service at {url}\n")
    print_summary(out, spec)
    out.line()
    for operation in spec.operations:
        out.line(f"  {operation.method:7}[bold]{escape(operation.path):34}[/] {operation.summary}")
    out.line(
        f"\n{len(TOURNAMENTS.faults)} faults to try: icepick demo-service tournaments --list-faults"
    )
    return 0


async def _read_live() -> tuple[str, ApiSpec]:
    async with running(TOURNAMENTS) as url:
        return url, await asyncio.to_thread(check_spec, f"{url}/openapi.json")


def _as_json(url: str, spec: ApiSpec) -> dict[str, Any]:
    return {
        "url": url,
        "title": spec.title,
        "operations": [operation.id for operation in spec.operations],
        "faults": [fault.name for fault in TOURNAMENTS.faults],
    }
