"""`icepick demo-service`: one of the services that icepick is tried on, on loopback."""

from __future__ import annotations

import asyncio

import click

from icepick.cli.command import Command, common_options
from icepick.cli.output import Output, escape
from icepick.demo.catalogue import SERVICES
from icepick.demo.serve import serve
from icepick.demo.service import DemoService
from icepick.errors import Code, UsageError


@click.command("demo-service", cls=Command)
@click.argument("name", type=click.Choice(list(SERVICES)), metavar="NAME")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8080,
    show_default=True,
    help="Where to listen on loopback; 0 takes a free port.",
)
@click.option("--fault", "faults", multiple=True, help="Switch a fault on; may be repeated.")
@click.option("--list-faults", is_flag=True, help="List the faults of the service and stop.")
@click.option("--allow-reset", is_flag=True, help="Let POST /__reset__ empty the service.")
@common_options
def demo_service(
    out: Output,
    name: str,
    port: int,
    faults: tuple[str, ...],
    list_faults: bool,
    allow_reset: bool,
) -> int:
    """Run the demo service NAME until it is interrupted."""
    service = SERVICES[name]
    _check_faults(service, faults)
    if list_faults:
        _print_faults(out, service)
        return 0

    def started(url: str) -> None:
        out.result({"service": name, "url": url, "faults": list(faults)})
        with_faults = f" with {', '.join(faults)}" if faults else ""
        out.line(f"[bold]{name}[/]{with_faults} at {url}, document at {url}/openapi.json")
        out.status("[dim]Ctrl-C stops it[/]")

    asyncio.run(serve(service, faults, port, allow_reset=allow_reset, started=started))
    return 0


def _check_faults(service: DemoService, faults: tuple[str, ...]) -> None:
    known = {fault.name for fault in service.faults}
    for fault in faults:
        if fault not in known:
            raise UsageError(
                Code.UNKNOWN_FAULT,
                f"{service.name} has no fault {fault!r}",
                hint=f"`icepick demo-service {service.name} --list-faults` shows them",
            )


def _print_faults(out: Output, service: DemoService) -> None:
    """Names alone for a pipe, so that a script can loop over the lines."""
    out.result(
        {
            "service": service.name,
            "faults": [{"name": f.name, "summary": f.summary} for f in service.faults],
        }
    )
    width = max(len(fault.name) for fault in service.faults)
    for fault in service.faults:
        summary = f"  {escape(fault.summary)}" if out.is_terminal else ""
        name = fault.name.ljust(width) if out.is_terminal else fault.name
        out.line(f"[bold]{name}[/]{summary}")
