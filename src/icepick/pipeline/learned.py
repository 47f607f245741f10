"""What was learned of a service, kept from run to run, and written out for people to review."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

import yaml

from icepick.errors import Diagnostic, IcepickError, Place
from icepick.execute.calibration.manners import manners_from_json, manners_to_json
from icepick.glacier import Contracts, parse_formula
from icepick.glacier.contracts import Clause, OperationContract, Provenance
from icepick.glacier.static import check_contracts
from icepick.inputs.learn import Learned, LearnedClause, from_json, overlay, requires, to_json
from icepick.openapi.types import ApiSpec, Json, Operation
from icepick.pipeline.calibration import Known

FORMAT = "icepick-learned/1"
_LONGEST = 60
_WIDTH = 96
_EVIDENCE = 3


@dataclass(frozen=True, slots=True)
class Kept:
    """What a file of earlier runs tells; `problems` say what of it cannot be used."""

    learned: dict[str, Learned] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    known: Known = field(default_factory=Known)
    """How the service was seen to do things."""


def learned_path(folder: Path, spec: ApiSpec, url: str) -> Path:
    """Where what is learned of an API on a host is kept, under `.icepick`."""
    name = "-".join(filter(None, (_plain(spec.title)[:_LONGEST], _plain(urlsplit(url).netloc))))
    return folder / "learned" / f"{name}.json"


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def read_learned(path: Path) -> Kept:
    """What earlier runs learned; what cannot be read of it is left out and told."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Kept()
    except OSError as error:
        return Kept(problems=(f"{path} cannot be read: {error.strerror or error}",))
    except (ValueError, RecursionError) as error:
        return Kept(problems=(f"{path} is left out: it is not JSON ({error})",))
    operations = content.get("operations") if isinstance(content, dict) else None
    if not isinstance(operations, list) or content.get("format") != FORMAT:
        return Kept(problems=(f"{path} is left out: it is not of the form {FORMAT}",))
    found = [(number, from_json(one)) for number, one in enumerate(operations, start=1)]
    broken = [number for number, one in found if one is None]
    return Kept(
        {one.operation: one for _, one in found if one is not None},
        tuple(f"{path}: entry {number} of operations cannot be read" for number in broken),
        _known(content),
    )


def _known(content: Mapping[str, Json]) -> Known:
    listed, document = content.get("resources"), content.get("document")
    found = map(manners_from_json, listed) if isinstance(listed, list) else ()
    return Known(
        {one.resource: one for one in found if one is not None},
        document if isinstance(document, str) else "",
    )


def learned_text(
    spec: ApiSpec, url: str, learned: Mapping[str, Learned], known: Known | None = None
) -> str:
    """The content of the file that keeps it."""
    content: dict[str, Json] = {
        "format": FORMAT,
        "title": spec.title,
        "url": url,
        "operations": [to_json(one) for one in learned.values()],
    }
    if known is not None and known.manners:
        content["document"] = known.document
        content["resources"] = [manners_to_json(one) for one in known.manners.values()]
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def overlay_text(spec: ApiSpec, learned: Mapping[str, Learned], suffix: str = "") -> str:
    """What was learned as an OpenAPI Overlay: JSON for `.json`, else YAML."""
    made = overlay(spec, {name: _sure(one) for name, one in learned.items()})
    if suffix.lower() == ".json":
        return json.dumps(made, indent=2, ensure_ascii=False) + "\n"
    return yaml.safe_dump(made, sort_keys=False, allow_unicode=True, width=_WIDTH)


def contracts_text(spec: ApiSpec, learned: Mapping[str, Learned]) -> str:
    """What was learned as a contracts file; clauses at odds with the document stay comments."""
    lines = [
        f"# What {_line(spec.title)} was found to require of its inputs.",
        "# Learned from refusals: read it, and correct it, before it is relied upon.",
        "",
    ]
    for operation in spec.operations:
        found = learned.get(operation.id)
        if found is not None:
            lines += _contract(spec, operation, requires(_sure(found)))
    if not any(line and not line.lstrip().startswith("#") for line in lines):
        lines.append("{}")
    return "\n".join(lines).rstrip() + "\n"


def _sure(learned: Learned) -> Learned:
    """Without combinations that failed once or twice: it may have been for another reason."""
    return replace(learned, invalid=tuple(one for one in learned.invalid if one.uses >= _EVIDENCE))


def _contract(
    spec: ApiSpec, operation: Operation, clauses: tuple[LearnedClause, ...]
) -> Iterator[str]:
    judged = [(one, _objection(spec, operation, one)) for one in clauses]
    if any(not why for _, why in judged):
        yield f"{json.dumps(operation.label, ensure_ascii=False)}:"
        yield "  requires:"
    for one, why in judged:
        said = f'    # the service said: "{_line(one.reason)}"' if one.reason else ""
        if why:
            yield f"    # left out: {_line(one.text)} ({_line(why)})"
        else:
            yield from (said,) if said else ()
            yield f"    - {json.dumps(one.text, ensure_ascii=False)}"
    if judged:
        yield ""


def _objection(spec: ApiSpec, operation: Operation, one: LearnedClause) -> str:
    """Why a clause cannot stand in a contract; empty where it can."""
    try:
        formula = parse_formula(one.text)
    except IcepickError as error:
        return error.message
    clause = Clause(formula, one.text, Provenance.LEARNED, Place(spec.source))
    contract = OperationContract(operation.label, requires=(clause,))
    found = check_contracts(Contracts({operation.label: contract}), spec)
    return next(map(_told, found), "")


def _told(diagnostic: Diagnostic) -> str:
    return f"{diagnostic.code.value} {diagnostic.message}"


def _line(text: str) -> str:
    """Text of others in a comment: one line, and nothing that a terminal would heed."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:300]
