from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

import pytest

from icepick.execute.events import Drawing
from icepick.report.page import to_html
from icepick.report.page.graph import RADIUS, graph_view
from icepick.report.types import ModelRecord
from tests.report import hostile, records


class Page(HTMLParser):
    """The elements, attributes and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self.open):
            self.texts.append(data)

    @property
    def text(self) -> str:
        return "".join(self.texts)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def _with(record: object, **changes: object) -> str:
    return to_html(records.replaced(record, **changes))


def test_the_page_has_every_section() -> None:
    page = Page(to_html(records.record()))
    ids = {a.get("id") for a in page.all("section")}
    assert ids == {"findings", "coverage", "graphs", "operations", "contracts", "rest"}
    for words in (
        "seed 42",
        "a deleted player can still be read",
        "res_code(GET /players/{pid}) = 404",
        "200 = 404 is false",
        'pid = "100000001"',
        "icepick replay 0f9e8d7c",
        "curl -sS -i",
        "they need a value that no operation sets",
        "its player could not be made",
        "no call was planned",
        "answered 503",
        "a list lacks a player",
        "answers 200 where 204 is usual",
        "DELETE answered 409",
        "strategy",
    ):
        assert words in page.text, words


def test_findings_are_folded_but_the_first() -> None:
    page = Page(to_html(records.record()))
    opened = ["open" in a for a in page.all("details") if a.get("class") == "finding"]
    assert opened == [True, False, False]


def test_known_findings_are_marked() -> None:
    page = Page(to_html(records.record(), {"0f9e8d7c"}))
    marks = [a["data-marks"] for a in page.all("details") if a.get("class") == "finding"]
    assert marks == ["ERR new", "ERR", "WARN new"]
    assert "known from the baseline" in page.text


def test_no_request_leaves_the_page_and_only_our_script_runs() -> None:
    text = to_html(records.record())
    page = Page(text)
    (policy,) = [a["content"] for a in page.all("meta") if a.get("http-equiv")]
    assert policy is not None
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for tag in ("script", "style"):
        (content,) = re.findall(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digest = b64encode(sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    outside = {"link", "img", "iframe", "object", "embed", "base", "form", "audio", "video"}
    assert not outside & {name for name, _ in page.elements}
    for _, attributes in page.elements:
        assert "src" not in attributes
        assert "style" not in attributes
        assert (attributes.get("href") or "#").startswith("#")


def test_hostile_answers_are_text() -> None:
    finding = hostile.finding()
    record = records.record(found=[finding])
    clause = records.replaced(record.clauses[0], text=hostile.MARKUP, reason=hostile.MARKUP)
    operation = records.replaced(record.operations[0], label=hostile.MARKUP, reason=hostile.MARKUP)
    drawing = Drawing((0, 1), (hostile.MARKUP,) * 2, ((0, hostile.MARKUP, 1),))
    model = ModelRecord(
        hostile.MARKUP, {hostile.MARKUP: 1}, {}, ((hostile.MARKUP, 1, hostile.MARKUP),), drawing
    )
    text = _with(
        record,
        title=hostile.MARKUP,
        url=hostile.URL,
        ending_text=hostile.MARKUP,
        clauses=(clause,),
        operations=(operation,),
        models=(model,),
        settings={hostile.MARKUP: hostile.MARKUP},
        not_tested={hostile.MARKUP: 1},
    )
    text.encode()
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\u2066\ufeff\u2028]", text)
    page = Page(text)
    assert len(page.all("script")) == len(page.all("style")) == 1
    assert not {"img", "iframe"} & {name for name, _ in page.elements}
    assert "49" not in page.text
    assert "{{7*7}}" in page.text
    for _, attributes in page.elements:
        assert not [name for name in attributes if name.startswith("on") or name == "autofocus"]
        assert not (attributes.get("href") or "").startswith("javascript")
    assert "</script><script>document.title='owned'</script>" in page.text


def test_huge_bodies_are_cut() -> None:
    text = to_html(records.record(found=[hostile.finding(b"z" * 10_000_000)]))
    assert len(text) < 1_000_000
    assert "10 MB in all" in text


def test_many_large_findings_stay_within_what_a_browser_opens() -> None:
    big = hostile.finding(b"[" + b'"y",' * 4500 + b"1]")
    many = [records.replaced(big, id=f"f{i}", number=i) for i in range(150)]
    text = to_html(records.record(found=many))
    assert len(text) < 25_000_000
    assert "left out, the journal has it" in text


def test_long_bodies_are_folded_and_short_ones_are_not() -> None:
    short = Page(to_html(records.record(found=[records.kept()])))
    long = records.kept()
    made = records.replaced(
        long.steps[0].exchange, reply=records.answer(201, {f"k{i}": i for i in range(100)})
    )
    steps = (records.replaced(long.steps[0], exchange=made), *long.steps[1:])
    folded = Page(to_html(records.record(found=[records.replaced(long, steps=steps)])))
    assert len(folded.all("details")) == len(short.all("details")) + 1


def test_a_run_of_nothing_has_a_page() -> None:
    page = Page(to_html(records.recorded([])))
    assert "No model was walked." in page.text
    assert "None so far." in page.text


def _model(drawing: Drawing | None, **changes: object) -> ModelRecord:
    return ModelRecord("M", {}, {}, (), drawing, **changes)  # type: ignore[arg-type]


def test_the_graph_is_drawn_in_layers() -> None:
    drawing = records.drawing()
    view = graph_view(_model(drawing, covered={0: 3, 1: 1}, failed=frozenset({1})))
    assert view is not None
    rows = {state.y for state in view.states}
    assert len(rows) == max(drawing.depths) + 1
    for state in view.states:
        others = [s for s in view.states if s.y == state.y and s is not state]
        assert all(abs(state.x - s.x) > 2 * RADIUS for s in others)
        assert RADIUS < state.x < view.width - RADIUS
        assert RADIUS < state.y < view.height - RADIUS
    assert [edge.kind for edge in view.edges[:3]] == ["covered", "failing", "open"]
    assert view.edges[0].times == 3


def test_parallel_edges_and_loops_have_lines_of_their_own() -> None:
    edges = ((0, "a", 1), (0, "b", 1), (1, "c", 0), (0, "d", 0), (1, "e", 2), (2, "f", 1))
    view = graph_view(_model(Drawing((0, 1, 1), ("", "x", "y"), edges)))
    assert view is not None
    assert len({edge.path for edge in view.edges}) == len(edges)


def test_few_crossings_beat_the_given_order() -> None:
    depths = (0, *([1] * 10), *([2] * 10))
    edges = tuple((0, "", 1 + i) for i in range(10)) + tuple((1 + i, "", 20 - i) for i in range(10))
    view = graph_view(_model(Drawing(depths, ("",) * 21, edges)))
    assert view is not None
    spots = {state.number: state.x for state in view.states}
    upper = sorted(range(1, 11), key=spots.__getitem__)
    lower = [21 - state for state in upper]
    assert lower == sorted(lower, key=spots.__getitem__)


@pytest.mark.parametrize(("states", "edges"), [(501, 0), (2, 3001)])
def test_a_graph_that_is_too_large_is_counted_by_depth(states: int, edges: int) -> None:
    depths = (0, *([1] * (states - 1)))
    drawing = Drawing(depths, ("",) * states, ((0, "a", 1),) * edges)
    model = _model(
        drawing, covered=dict.fromkeys(range(edges // 2), 1), failed=frozenset(range(edges // 3))
    )
    view = graph_view(model)
    assert view is not None
    assert view.states == view.edges == ()
    first, second = view.depths
    assert (first.states, second.states) == (1, states - 1)
    assert (first.transitions, first.covered, first.failing) == (edges, edges // 2, edges // 3)
    page = Page(_with(records.record(), models=(model,)))
    assert "Too large to be drawn" in page.text


def test_a_model_without_a_graph() -> None:
    assert graph_view(_model(None)) is None
    page = Page(_with(records.record(), models=(_model(None),)))
    assert "was not kept" in page.text


def test_reads_stand_before_and_after_their_call_and_once() -> None:
    finding = records.kept()
    last = finding.steps[-1]
    early = records.read(19, "/players", 200, [])
    step = records.replaced(last, reads=(early, early, *last.reads))
    finding = records.replaced(finding, steps=(*finding.steps[:-1], step))
    complaint = records.replaced(finding.complaint, operation="getPlayer")
    text = to_html(records.record(found=[records.replaced(finding, complaint=complaint)]))
    assert Page(text).text.count("1 read before the call") == 1
    assert Page(text).text.count("1 read after the call") == 2
    assert "to blame is GET /players/{pid}" in Page(text).text
