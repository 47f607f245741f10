"""Protocol files with all that they include, and the Python functions beside them."""

from __future__ import annotations

import runpy
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from icepick.errors import Code, Place, ProtocolError
from icepick.protocol.assertions import BROKEN_CODE, Functions
from icepick.protocol.origin import Origin
from icepick.protocol.parser import parse_protocol
from icepick.protocol.tree import Definition, Include, Reference, sessions

FUNCTIONS_FILE = "gen.py"
"""The Python file beside a protocol that holds its generators and assertions."""


@dataclass(frozen=True, slots=True)
class Protocols:
    """Definitions by name, those of included files first.

    `origins` are the texts they come from, by source. `own` names the definitions of the file that
    was asked for.
    """

    definitions: Mapping[str, Definition]
    functions: Functions = field(default_factory=dict)
    origins: Mapping[str, Origin] = field(default_factory=dict)
    own: tuple[str, ...] = ()

    @property
    def models(self) -> tuple[str, ...]:
        """The definitions to test: those of the file itself that no other one uses, or all."""
        used = {
            part.name
            for name, one in self.definitions.items()
            for part in sessions(one.body)
            if isinstance(part, Reference) and part.name != name
        }
        return tuple(name for name in self.own if name not in used) or self.own

    def origin(self, name: str) -> Origin:
        """The text that a definition stands in."""
        source = self.definitions[name].source
        return self.origins.get(source, Origin("", source))


def load_protocols(path: Path) -> Protocols:
    """A file, what it includes, and the functions of `gen.py` beside each of them.

    ProtocolError where one of them cannot be read. Loading runs the Python files.
    """
    loader = _Loader()
    loader.load(path, None)
    return loader.protocols(path)


def read_protocols(
    text: str, source: str = "protocol", functions: Functions | None = None
) -> Protocols:
    """The definitions of a text by itself, without includes."""
    parsed = parse_protocol(text, source)
    origin = Origin(text, source)
    found: dict[str, Definition] = {}
    _add(parsed.definitions, found, {source: origin})
    return Protocols(found, functions or {}, {source: origin}, tuple(found))


class _Loader:
    """What has been read so far, and the files on the way to the one being read."""

    def __init__(self) -> None:
        self._definitions: dict[str, Definition] = {}
        self._functions: dict[str, object] = {}
        self._origins: dict[str, Origin] = {}
        self._done: dict[Path, tuple[str, ...]] = {}
        self._open: list[Path] = []

    def protocols(self, path: Path) -> Protocols:
        functions = {name: one for name, one in self._functions.items() if callable(one)}
        own = self._done[path.resolve()]
        return Protocols(self._definitions, functions, self._origins, own)

    def load(self, path: Path, at: Place | None) -> None:
        real = path.resolve()
        if real in self._open:
            chain = " -> ".join(one.name for one in [*self._open[self._open.index(real) :], real])
            hint = "move what both need into a file of its own"
            message = f"the files include one another: {chain}"
            raise ProtocolError(Code.INCLUDE_CYCLE, message, place=at, hint=hint)
        if real in self._done:
            return
        self._open.append(real)
        self._read(path, at)
        self._open.pop()

    def _read(self, path: Path, at: Place | None) -> None:
        origin = Origin(_content(path, at), str(path))
        parsed = parse_protocol(origin.text, origin.source)
        self._origins[origin.source] = origin
        self._include(parsed.includes, path, origin)
        _add(parsed.definitions, self._definitions, self._origins)
        beside = path.parent / FUNCTIONS_FILE
        if beside.is_file():
            # Last, so that the functions of a file go before those of what it includes.
            self._functions.update(_functions(beside))
        self._done[path.resolve()] = tuple(one.name for one in parsed.definitions)

    def _include(self, includes: Iterable[Include], path: Path, origin: Origin) -> None:
        for include in includes:
            self.load(path.parent / include.path, origin.place(include.span[0]))


def _add(
    new: Iterable[Definition], known: dict[str, Definition], origins: Mapping[str, Origin]
) -> None:
    for one in new:
        if one.name in known:
            before = known[one.name]
            earlier = origins[before.source].place(before.span[0])
            raise origins[one.source].error(
                Code.DUPLICATE_DEFINITION,
                f"`{one.name}` is defined already",
                one.span[0],
                f"rename it; the other one is at {earlier}",
            )
        known[one.name] = one


def _content(path: Path, at: Place | None) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ProtocolError(
            Code.NO_PROTOCOL_FILE,
            f"cannot read {path}: {reason}",
            place=at or Place(str(path)),
            hint="included files are looked for beside the file that includes them",
        ) from None


def _functions(path: Path) -> dict[str, object]:
    """What a Python file defines."""
    try:
        found = runpy.run_path(str(path), run_name="gen")
    except SyntaxError as error:
        place = Place(str(path), error.lineno, error.offset)
        raise _broken(path, f"{error.msg}", place) from None
    except (ImportError, OSError, *BROKEN_CODE) as error:
        message = f"{type(error).__name__}: {error}"
        raise _broken(path, message, Place(str(path))) from error
    return {name: one for name, one in found.items() if callable(one) and name[:1] != "_"}


def _broken(path: Path, reason: str, place: Place) -> ProtocolError:
    hint = f"mend it; `python {path.name}` shows the same"
    message = f"cannot load {path.name}: {reason}"
    return ProtocolError(Code.BROKEN_FUNCTIONS, message, place=place, hint=hint)
