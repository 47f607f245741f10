"""The configuration file: options by their long names, which the command line overrides."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from icepick.cli.command import Command
from icepick.cli.output import Output
from icepick.errors import Code, IcepickError, Place, UsageError

FILE = "icepick.toml"
PROJECT = "pyproject.toml"
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}|\$\$")
_NOT_HERE = frozenset({"config", "debug", "json", "help"})


class Configured(Command):
    """A command whose options may come from the file; what is wrong with them has a code too."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the options of the command line and of the file."""
        as_json, plain = "--json" in args, "--no-color" in args
        try:
            return super().parse_args(ctx, args)
        except IcepickError as error:
            Output(color=not plain, as_json=as_json).error(error)
            raise click.exceptions.Exit(2) from error


def config_option(*, strict: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """`--config`, and the defaults that the file gives to the other options.

    A strict command knows every name that the file may have.
    """

    def use(context: click.Context, _parameter: click.Parameter, path: Path | None) -> None:
        context.default_map = defaults(context.command, path, strict=strict)

    return click.option(
        "--config",
        type=click.Path(path_type=Path),
        is_eager=True,
        expose_value=False,
        callback=use,
        help=f"Take options from this file.  [default: {FILE}, or [tool.icepick] in {PROJECT}]",
    )


def defaults(command: click.Command, path: Path | None, *, strict: bool) -> dict[str, Any]:
    """The values of a file by the names of a command's parameters."""
    found = read_config(path)
    if found is None:
        return {}
    values, source = found
    names = dict(_names(command))
    given = {}
    for key, value in values.items():
        parameter = names.get(key.replace("_", "-"))
        if parameter is not None and parameter.name is not None:
            given[parameter.name] = _as_given(parameter, key, _substituted(value, source), source)
        elif strict:
            raise _unknown(key, list(names), source)
    return given


def read_config(path: Path | None) -> tuple[Mapping[str, Any], Path] | None:
    """The table of options and the file it is in; None where there is none."""
    if path is not None:
        values = _parsed(path)
        return (_section(values, path) or {} if path.name == PROJECT else values), path
    if Path(FILE).is_file():
        return _parsed(Path(FILE)), Path(FILE)
    section = _section(_parsed(Path(PROJECT)), Path(PROJECT)) if Path(PROJECT).is_file() else None
    return (section, Path(PROJECT)) if section is not None else None


def _parsed(path: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        message = f"the configuration cannot be read: {error.strerror or error}"
        raise _bad(message, path, "name a file that exists and that you may read") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        line = re.search(r"at line (\d+)", str(error))
        place = Place(str(path), int(line[1]) if line else None)
        raise UsageError(
            Code.BAD_CONFIGURATION, f"the configuration is not TOML: {error}", place=place,
            hint="write each option as `name = value`, texts in quotes",
        ) from error  # fmt: skip


def _section(values: Mapping[str, Any], path: Path) -> Mapping[str, Any] | None:
    tool = values.get("tool")
    section = tool.get("icepick") if isinstance(tool, Mapping) else None
    if section is not None and not isinstance(section, Mapping):
        raise _bad("tool.icepick is not a table", path, "write [tool.icepick]")
    return section


def _names(command: click.Command) -> Iterator[tuple[str, click.Parameter]]:
    """What a parameter may be called in the file: its long names without the dashes."""
    for parameter in command.params:
        if isinstance(parameter, click.Argument) and parameter.name is not None:
            yield parameter.name, parameter
        for option in parameter.opts if isinstance(parameter, click.Option) else ():
            name = option.removeprefix("--")
            if option.startswith("--") and name not in _NOT_HERE:
                yield name, parameter
                if parameter.multiple:
                    yield f"{name}s", parameter


def _as_given(parameter: click.Parameter, key: str, value: Any, source: Path) -> Any:
    """A value of the file in the form in which it would stand on the command line."""
    is_list = isinstance(parameter, click.Option) and parameter.multiple
    if isinstance(value, Mapping):
        joint = ": " if key.startswith("header") else "="
        pairs = [f"{name}{joint}{inner}" for name, inner in value.items()]
        return pairs if is_list else ",".join(pairs)
    if isinstance(value, list):
        return [str(one) for one in value] if is_list else ",".join(map(str, value))
    if not isinstance(value, str | int | float):
        raise _bad(f"the value of {key} is neither text nor number", source, "put it in quotes")
    if is_list:
        return [str(value)]
    return value if isinstance(value, bool) else str(value)


def _substituted(value: Any, source: Path) -> Any:
    """The value with `${NAME}` replaced from the environment, and `$$` by a dollar sign."""
    if isinstance(value, str):
        return _VARIABLE.sub(lambda found: _environment(found, source), value)
    if isinstance(value, list):
        return [_substituted(one, source) for one in value]
    if isinstance(value, Mapping):
        return {name: _substituted(one, source) for name, one in value.items()}
    return value


def _environment(found: re.Match[str], source: Path) -> str:
    name, default = found[1], found[2]
    if name is None:
        return "$"
    value = os.environ.get(name) or default
    if value is None:
        raise UsageError(
            Code.UNSET_VARIABLE,
            f"the environment variable {name} is not set",
            place=Place(str(source)),
            hint=f"set it, or give a default: ${{{name}:-...}}",
        )
    return value


def _unknown(key: str, names: list[str], source: Path) -> UsageError:
    close = get_close_matches(key, names, n=1)
    hint = f"did you mean `{close[0]}`?" if close else "`icepick run --help` lists the options"
    return _bad(f"there is no option {key!r}", source, hint)


def _bad(message: str, path: Path, hint: str) -> UsageError:
    return UsageError(Code.BAD_CONFIGURATION, message, place=Place(str(path)), hint=hint)
