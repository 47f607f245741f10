"""What the documentation names is there: commands, options, files, modules."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from icepick.cli.main import cli

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*[a-z0-9](?![\w*-])")
CALLED = re.compile(r"(?:^\$ |`)icepick ([a-z-]+)([^`\n]*)", re.MULTILINE)


def options(name: str) -> set[str]:
    context = click.Context(cli)
    command = cli.get_command(context, name)
    assert command is not None, f"there is no icepick {name}"
    found = [*command.get_params(click.Context(command, parent=context)), *cli.params]
    return {text for one in found for text in (*one.opts, *one.secondary_opts)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_have_the_options_that_they_are_shown_with(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for name, rest in CALLED.findall(text):
        assert set(OPTION.findall(rest)) <= options(name), f"icepick {name}{rest}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_options_are_those_of_some_command(page: Path) -> None:
    known = {one for name in cli.list_commands(click.Context(cli)) for one in options(name)}
    own = re.sub(r"`?(?:python|\.venv/bin/python) -m bench[^`\n]*", "", page.read_text("utf-8"))
    assert set(OPTION.findall(own)) <= known


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_the_architecture_names_modules_that_there_are() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    packages = text.partition("## Packages")[2].partition("\n## ")[0]
    code = ROOT / "src" / "icepick"
    found = [one for one in code.rglob("*") if one.suffix in {".py", ""}]
    missing = set(re.findall(r"`([a-z_]+)`", packages)) - {one.stem for one in found}
    assert not missing
    folders = [one for one in code.iterdir() if (one / "__init__.py").exists()]
    assert all(f"- **{one.name}** " in packages for one in folders), folders
