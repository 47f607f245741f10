"""How every command behaves: the options that all share, and the way errors reach people."""

from __future__ import annotations

import importlib
import sys
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import click

from icepick.cli.output import Output
from icepick.errors import Code, IcepickError, UsageError

BUGS = "this is a bug in icepick: please report it, with what --debug prints"


def common_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """`--json`, `--no-color` and `--debug`, on every command."""
    for option in (
        click.option("--debug", is_flag=True, help="Show the traceback of an error."),
        click.option("--no-color", is_flag=True, help="Print without colours."),
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object only."),
    ):
        function = option(function)
    return function


class Command(click.Command):
    """A command whose callback takes an `Output` first and returns its exit code."""

    def invoke(self, ctx: click.Context) -> int:
        """Run the callback; bad input ends in a clear error and code 2."""
        values = dict(ctx.params)
        debug = values.pop("debug")
        out = Output(color=not values.pop("no_color"), as_json=values.pop("as_json"))
        assert self.callback is not None  # noqa: S101 - click allows commands without one
        try:
            return int(ctx.invoke(self.callback, out, **values) or 0)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except Exception as error:  # noqa: BLE001 - no traceback reaches a person who did not ask
            if debug:
                traceback.print_exc()
            out.error(error if isinstance(error, IcepickError) else _bug(error))
        return 2


def _bug(error: Exception) -> IcepickError:
    return IcepickError(Code.INTERNAL, f"{type(error).__name__}: {error}", hint=BUGS)


class LazyGroup(click.Group):
    """A group that imports a command when it is called: `icepick --help` stays quick.

    `commands_at` says where each command is (`module:attribute`), and its line in the help.
    """

    def __init__(self, *args: Any, commands_at: dict[str, tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._commands_at = commands_at

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """All names, in the order of the work."""
        return list(self._commands_at)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002
        """The command of that name."""
        if name not in self._commands_at:
            return None
        module, _, attribute = self._commands_at[name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002
        formatter: click.HelpFormatter,
    ) -> None:
        """The names with their lines, without importing any command for its own."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in self._commands_at.items()])


def run(group: click.Group, arguments: Sequence[str] | None) -> int:
    """Run the command line and return the exit code."""
    try:
        code = group.main(arguments, prog_name="icepick", standalone_mode=False)
    except click.exceptions.Abort:
        return 130
    except click.ClickException as error:
        asked = sys.argv[1:] if arguments is None else arguments
        Output(as_json="--json" in asked).error(_usage(error))
        return 2
    return int(code or 0)


def _usage(error: click.ClickException) -> UsageError:
    context = getattr(error, "ctx", None)
    hint = f"`{context.command_path} --help` shows what it takes" if context else None
    return UsageError(Code.USAGE, error.format_message(), hint=hint)
