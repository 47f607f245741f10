"""Where contracts live: extensions of an OpenAPI document, contract files, and the extended JSON
files of the released tools."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath

from icepick.errors import Code, ContractError, Diagnostic, DocumentError, Place
from icepick.glacier.clauses import EXTENSION, ClauseReader, Path
from icepick.glacier.contracts import Contracts, Role
from icepick.glacier.quoting import quote_clauses
from icepick.openapi import ApiSpec, ReadOptions, read_spec
from icepick.openapi.fetch import fetch
from icepick.openapi.places import blank
from icepick.openapi.source import Source, path_of, pointer
from icepick.openapi.syntax import parse
from icepick.openapi.types import Json
from icepick.openapi.web import is_url

_LABEL = re.compile(r"(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE)\s+(/\S*)", re.IGNORECASE)
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"}
_CONTRACT_SUFFIXES = {".glc", ".glacier"}


@dataclass(frozen=True, slots=True)
class Loaded:
    """Contracts, and what could not be read of them."""

    contracts: Contracts
    diagnostics: tuple[Diagnostic, ...] = ()


def contracts_of(spec: ApiSpec) -> Loaded:
    """The contracts written inside an OpenAPI document."""
    source = _source_of(spec)

    def place(path: Path) -> Place:
        return source.place(path) if source else Place(spec.source, pointer=pointer(path) or None)

    reader = ClauseReader(spec.source, source.text if source else "", place)
    contracts = Contracts(invariants=reader.clauses(Role.INVARIANT, spec.extensions, ()))
    _check_extension(reader, spec.extensions, ())
    for operation in spec.operations:
        path = path_of(operation.pointer)
        _check_extension(reader, operation.extensions, path)
        contract = reader.contract(operation.label, operation.extensions, path)
        if contract.requires or contract.ensures:
            contracts = contracts.merged(Contracts({operation.label: contract}))
    return Loaded(contracts, tuple(reader.diagnostics))


def load_contracts(
    location: str, spec: ApiSpec | None = None, options: ReadOptions | None = None
) -> Loaded:
    """The contracts of a file: .glc, .glacier, extended JSON, or an OpenAPI document.

    Where the API is known, operations may be named by their id, and one it does not have is
    reported. DocumentError or ContractError where nothing of the file is usable.
    """
    options = options or ReadOptions()
    text, found = fetch(location, options)
    bare = FilePath(found).suffix.lower() in _CONTRACT_SUFFIXES
    source = parse(quote_clauses(text) if bare else text, found, options)
    content = source.content
    if not isinstance(content, dict):
        raise ContractError(
            Code.NOT_A_CONTRACT_FILE,
            f"{location} holds no contracts: it is not a mapping",
            place=Place(location, 1),
            hint="operations such as `POST /orders:` hold `requires:` and `ensures:`",
        )
    if {"openapi", "swagger"} & content.keys():
        return contracts_of(read_spec(location, options))
    reader = ClauseReader(found, text, source.place)
    return _from_file(reader, source, spec)


def _from_file(reader: ClauseReader, source: Source, spec: ApiSpec | None) -> Loaded:
    content = source.content
    contracts = Contracts(invariants=reader.clauses(Role.INVARIANT, content, ()))
    for key, values, path in _operations(content):
        label = _label(key, spec)
        if label is None:
            reader.report(*_unknown(key, source.place(path), spec))
        elif not isinstance(values, dict):
            message = f"the contract of {key} is not a mapping; it is left out"
            hint = "it holds `requires:` and `ensures:`"
            reader.report(Code.BROKEN_CONTRACT, message, source.place(path), hint, label)
        else:
            contract = reader.contract(label, values, path)
            contracts = contracts.merged(Contracts({label: contract}))
    return Loaded(contracts, tuple(reader.diagnostics))


def _operations(content: Mapping[str, Json]) -> Iterator[tuple[str, Json, Path]]:
    """Every operation of a file with its key; paths may stand at the top or under `paths`."""
    nested = content.get("paths")
    extended = isinstance(nested, dict)
    for key, values in content.items():
        if key.startswith("/"):
            yield from _methods(key, values, (key,))
        elif not extended and key not in {Role.INVARIANT.value, EXTENSION, "paths"}:
            yield key, values, (key,)
    for key, values in nested.items() if isinstance(nested, dict) else ():
        yield from _methods(key, values, ("paths", key))


def _methods(path: str, values: Json, spot: Path) -> Iterator[tuple[str, Json, Path]]:
    for method, inner in values.items() if isinstance(values, dict) else ():
        if method.upper() in _METHODS:
            yield f"{method.upper()} {path}", inner, (*spot, method)


def _label(key: str, spec: ApiSpec | None) -> str | None:
    """The label of the operation that a key names; None where the API does not have it."""
    match = _LABEL.fullmatch(key.strip())
    label = f"{match[1].upper()} {match[2]}" if match else key.strip()
    if spec is None:
        return label
    for operation in spec.operations:
        if label in {operation.label, operation.id}:
            return operation.label
    return None


def _unknown(key: str, place: Place, spec: ApiSpec | None) -> tuple[Code, str, Place, str]:
    label = blank(_label(key, None) or "")
    others = [o.label for o in (spec.operations if spec else ())]
    same = [other for other in others if blank(other) == label]
    hint = (
        f"the document calls it {same[0]}"
        if same
        else "name an operation as `POST /path` or by its operationId"
    )
    return Code.UNKNOWN_OPERATION, f"the API has no operation {key!r}", place, hint


def _check_extension(reader: ClauseReader, values: Mapping[str, Json], path: Path) -> None:
    given = values.get(EXTENSION)
    if given is not None and not isinstance(given, Mapping):
        reader.report(
            Code.BROKEN_CONTRACT,
            f"`{EXTENSION}` is not a mapping; it is left out",
            reader.place((*path, EXTENSION)),
            "it holds `requires`, `ensures` or `invariants`",
        )


def _source_of(spec: ApiSpec) -> Source | None:
    """The document again, for its lines; only where it is a file and has contracts at all."""
    keys = [*spec.extensions, *(key for o in spec.operations for key in o.extensions)]
    if is_url(spec.source) or not any(_is_contract(key) for key in keys):
        return None
    try:
        text, _ = fetch(spec.source, ReadOptions())
        return parse(text, spec.source, ReadOptions())
    except DocumentError:
        return None


def _is_contract(key: str) -> bool:
    return key.startswith(EXTENSION) or key.removeprefix("x-") in set(Role)
