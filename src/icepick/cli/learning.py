"""What was learned of inputs: taken from earlier runs, kept for later ones, shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import click

from icepick.cli.files import write_text
from icepick.cli.output import Output, escape, plural
from icepick.cli.runs import STATE
from icepick.execute.transport.secrets import Secrets
from icepick.inputs.learn import Learned, explain
from icepick.openapi.types import ApiSpec
from icepick.pipeline.calibration import Known
from icepick.pipeline.learned import Kept, learned_path, learned_text, read_learned

forget_option = click.option(
    "--forget", is_flag=True, help="Leave aside what earlier runs learned of inputs."
)


@dataclass(frozen=True, slots=True)
class Recalled:
    """What earlier runs learned, and where it is kept."""

    path: Path
    kept: Kept

    @property
    def learned(self) -> Mapping[str, Learned]:
        """By the id of the operation."""
        return self.kept.learned

    @property
    def known(self) -> Known:
        """How the service was seen to do things."""
        return self.kept.known

    def tell(self, warn: Callable[[str], None]) -> None:
        """Say what there is, and what of it cannot be used."""
        if self.learned:
            warn(f"{plural(len(self.learned), 'operation')} known from {self.path}")
        for problem in self.kept.problems:
            warn(problem)


def recall_learned(spec: ApiSpec, url: str, *, forget: bool) -> Recalled:
    """What is known of the inputs of a service."""
    path = learned_path(STATE, spec, url)
    return Recalled(path, Kept() if forget else read_learned(path))


def keep_learned(
    kept: Recalled, spec: ApiSpec, url: str, learned: Mapping[str, Learned], secrets: Secrets,
    known: Known | None = None,
) -> None:  # fmt: skip
    """Keep it for later runs, without anything secret; UsageError where it cannot be written.

    What no answer told anything of is left out: nothing is kept where nobody answered.
    """
    manners = known or kept.known
    told = {name: one for name, one in learned.items() if one.calls}
    if told or manners.manners:
        write_text(kept.path, secrets.mask(learned_text(spec, url, told, manners)))


def explain_learned(out: Output, learned: Mapping[str, Learned]) -> None:
    """What is known of the inputs of each operation, where it is more than the document says."""
    for one in learned.values():
        head, *said = explain(one)
        if said:
            out.line(f"[bold]{escape(head)}[/]")
        for line in said:
            out.line(f"  {escape(line)}")
