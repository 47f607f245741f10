"""`--include-*` and `--exclude-*`: which operations a run may call."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import click

from icepick.errors import Code, UsageError
from icepick.pipeline.selection import Filters, Pattern, Trait

_WAYS = ("include", "exclude")


def filter_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Eighteen options; `filters_from` takes them out of the values of a command."""
    for way in reversed(_WAYS):
        for trait in reversed(Trait):
            for regex in (True, False):
                function = _option(way, trait, regex=regex)(function)
    function = click.option(
        "--include-dangerous",
        is_flag=True,
        help="Call also what looks as if it ended the service, locked you out or cleared it.",
    )(function)
    return click.option(
        "--read-only", is_flag=True, help="Call GET and HEAD operations only; create nothing."
    )(function)


def _option(
    way: str, trait: Trait, *, regex: bool
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    what = trait.value.replace("-", " ")
    return click.option(
        f"--{way}-{trait.value}{'-regex' if regex else ''}",
        _name(way, trait, regex=regex),
        multiple=True,
        metavar="REGEX" if regex else trait.name,
        help=f"{'Call only' if way == 'include' else 'Never call'} operations "
        + (f"in whose {what} this is found." if regex else f"with this {what}."),
    )


def _name(way: str, trait: Trait, *, regex: bool) -> str:
    return f"{way}_{trait.name.lower()}{'_regex' if regex else ''}"


def filters_from(options: dict[str, Any]) -> Filters:
    """What the options say; they are taken out."""
    include, exclude = (tuple(_patterns(way, options)) for way in _WAYS)
    return Filters(include, exclude, options.pop("read_only"), options.pop("include_dangerous"))


def _patterns(way: str, options: dict[str, Any]) -> Iterator[Pattern]:
    for trait in Trait:
        for regex in (False, True):
            for text in options.pop(_name(way, trait, regex=regex)):
                if regex:
                    _check(text, f"--{way}-{trait.value}-regex")
                yield Pattern(trait, text, regex)


def _check(text: str, option: str) -> None:
    try:
        re.compile(text)
    except re.error as error:
        raise UsageError(
            Code.NOTHING_SELECTED,
            f"{option} {text!r} is no regular expression: {error}",
            hint="characters such as ( [ * + ? need a backslash before them",
        ) from error
