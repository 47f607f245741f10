"""The page: everything of a run in one file that is opened from disk and asks nobody anything."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from icepick.execute.events import ClauseCounted
from icepick.execute.types import Verdict
from icepick.report.page.graph import GraphView, graph_view
from icepick.report.page.views import Viewer, distinct
from icepick.report.text import line, plural, visible
from icepick.report.types import ModelRecord, Part, RunRecord


@dataclass(frozen=True, slots=True)
class ModelView:
    """A model with its coverage and its graph."""

    name: str
    sizes: str
    parts: tuple[tuple[str, Part, float], ...]
    gaps: tuple[tuple[str, int, str], ...]
    graph: GraphView | None


@dataclass(frozen=True, slots=True)
class ClauseView:
    """A clause with how it fared; `marks` are what the filters look for."""

    role: str
    operation: str
    text: str
    provenance: str
    true: int
    false: int
    unknown: int
    reason: str
    marks: str


def to_html(record: RunRecord, known: Collection[str] = (), *, auth: bool = False) -> str:
    """The page; findings whose ids are `known` from a baseline are marked.

    With `auth` the lines of `curl` have a place for credentials.
    """
    environment = Environment(
        loader=PackageLoader("icepick.report.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"shown": line, "many": plural, "lines": visible}
    style = _source(environment, "page.css")
    script = _source(environment, "page.js")
    labels = {operation.id: operation.label for operation in record.operations}
    viewer = Viewer()
    return environment.get_template("page.html.jinja").render(
        record=record,
        started=_moment(record.started),
        findings=[
            viewer.finding(
                finding,
                labels,
                auth=auth,
                known=finding.id in known,
            )
            for finding in record.findings
        ],
        models=[_model(model) for model in record.models],
        clauses=[_clause(clause) for clause in record.clauses],
        provenances=distinct([clause.provenance for clause in record.clauses]),
        calls=sum(record.verdicts.values()),
        verdicts=[(verdict.value, record.verdicts.get(verdict, 0)) for verdict in Verdict],
        style=_trusted(style),
        script=_trusted(script),
        style_hash=_hash(style),
        script_hash=_hash(script),
    )


def _source(environment: Environment, name: str) -> str:
    assert environment.loader is not None  # noqa: S101 - it is given above
    return environment.loader.get_source(environment, name)[0]


def _trusted(text: str) -> Markup:
    """Text of this package, put into the page as it is."""
    return Markup(text)  # noqa: S704 - never text of a service


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _model(model: ModelRecord) -> ModelView:
    parts = [(name, part) for name, part in model.parts.items() if part.total]
    return ModelView(
        name=line(model.name),
        sizes=", ".join(f"{line(name)} {number}" for name, number in model.sizes.items()),
        parts=tuple((name, part, 100 * part.covered / part.total) for name, part in parts),
        gaps=model.gaps,
        graph=graph_view(model),
    )


def _clause(clause: ClauseCounted) -> ClauseView:
    marks = {
        "false": clause.false > 0,
        "unknown": clause.unknown > 0,
        "never": clause.true == 0,
    }
    return ClauseView(
        role=line(clause.role),
        operation=line(clause.operation or "the service"),
        text=visible(clause.text[:4000]),
        provenance=line(clause.provenance),
        true=clause.true,
        false=clause.false,
        unknown=clause.unknown,
        reason=line(clause.reason, 500),
        marks=" ".join(mark for mark, holds in marks.items() if holds),
    )
