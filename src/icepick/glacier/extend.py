"""Write contracts into an OpenAPI document as `x-glacier` extensions, and leave the rest alone.

What inference wrote is remembered by fingerprint, so that writing again replaces it, keeps what a
person wrote or changed, and does not bring back what a person removed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from icepick.errors import ContractError
from icepick.glacier.clauses import EXTENSION
from icepick.glacier.contracts import Clause, Contracts, Role
from icepick.glacier.marks import INFERRED, fingerprint
from icepick.glacier.parser import parse_formula
from icepick.openapi.source import Path, Source, path_of
from icepick.openapi.surgery import Insertion, insert
from icepick.openapi.types import ApiSpec, Json


def with_inferred(
    source: Source, spec: ApiSpec, contracts: Contracts, earlier: Source | None = None
) -> str:
    """The text of a document with newly inferred contracts in place of those inferred before.

    `earlier` is the document as it was extended before: what a person changed there is kept.
    """
    base = source
    if earlier is not None and _bare(earlier.content) == _bare(source.content):
        base = earlier  # only contracts differ, so comments among them can stay too
    return _extended(base, spec, contracts, earlier or source, _replaced)


def with_added(source: Source, spec: ApiSpec, contracts: Contracts) -> str:
    """The text of a document with more contracts beside those that it has."""
    return _extended(source, spec, contracts, source, _joined)


Clauses = Mapping[Role, tuple[Clause, ...]]
Merge = Callable[[Mapping[str, Json], Clauses], dict[str, Any]]


def _extended(
    base: Source, spec: ApiSpec, contracts: Contracts, known: Source, merge: Merge
) -> str:
    insertions = []
    for path, clauses in _wanted(spec, contracts):
        after = merge(_extension(known.content, path), clauses)
        if after != _extension(base.content, path):
            insertions.append(Insertion(path, EXTENSION, after))
    return insert(base, insertions)


def _wanted(spec: ApiSpec, contracts: Contracts) -> Iterator[tuple[Path, Clauses]]:
    """The clauses of the whole document and of each operation, with the path of their owner."""
    yield (), {Role.INVARIANT: contracts.invariants}
    for operation in spec.operations:
        contract = contracts.of(operation.label)
        yield (
            path_of(operation.pointer),
            {Role.REQUIRES: contract.requires, Role.ENSURES: contract.ensures},
        )


def _replaced(before: Mapping[str, Json], clauses: Clauses) -> dict[str, Any]:
    """An extension in which inferred clauses are replaced; those of a person stay."""
    ours = {str(mark) for mark in before.get(INFERRED) or ()}
    present = {_mark(role, text) for role in Role for text in _texts(before, role)}
    removed = ours - present
    marks = [str(mark) for mark in before.get(INFERRED) or () if str(mark) in removed]
    after: dict[str, Any] = {}
    for role, wanted in clauses.items():
        written = [text for text in _texts(before, role) if _mark(role, text) not in ours]
        taken = removed | {_mark(role, text) for text in written}
        new = [c.text for c in wanted if _mark(role, c.text) not in taken]
        marks += [_mark(role, text) for text in new]
        texts = list(dict.fromkeys([*new, *written]))
        after |= {role.value: texts} if texts else {}
    kept = {k: v for k, v in before.items() if k not in {*map(str, clauses), INFERRED}}
    return {**kept, **after, **({INFERRED: list(dict.fromkeys(marks))} if marks else {})}


def _joined(before: Mapping[str, Json], clauses: Clauses) -> dict[str, Any]:
    """An extension with more clauses at the end of each list, each once."""
    after = dict(before)
    for role, wanted in clauses.items():
        texts = _texts(before, role)
        known = {_mark(role, text) for text in texts}
        new = dict.fromkeys(c.text for c in wanted if _mark(role, c.text) not in known)
        texts += new
        after |= {role.value: texts} if texts else {}
    return after


def _mark(role: Role, text: str) -> str:
    """The fingerprint of a clause; one that does not parse is nobody's but its writer's."""
    try:
        return fingerprint(role, parse_formula(text))
    except ContractError:
        return text


def _texts(extension: Mapping[str, Json], role: Role) -> list[str]:
    value = extension.get(role.value)
    if isinstance(value, str):
        return [value]
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []


def _extension(content: Json, path: Path) -> Mapping[str, Json]:
    for part in (*path, EXTENSION):
        content = content.get(part) if isinstance(content, dict) else None
    return content if isinstance(content, dict) else {}


def _bare(value: Json) -> Json:
    """A document without its contracts."""
    if isinstance(value, dict):
        return {key: _bare(inner) for key, inner in value.items() if key != EXTENSION}
    if isinstance(value, list):
        return [_bare(inner) for inner in value]
    return value
