"""TLC as a second engine: it must find the very same graph."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from icepick.errors import Code, ExploreError
from icepick.explore import Exploration, decode, explore, read_dot, trace
from icepick.explore.machine import compile_model
from icepick.explore.tlc import exploration_from_dot, explore_with_tlc
from icepick.explore.tlc_run import Tools, find_tools, run_tlc, write_module
from icepick.explore.tlc_values import parse_state
from icepick.model import Invariant, Model
from icepick.model.expressions import Exists, Or, Some, ValuesOf, Var
from icepick.model.tla import tla_text
from tests.explore.test_search import crowded, tree
from tests.model.examples import features, petstore, tournaments
from tests.model.test_derive import derived

# A short run ends before the compiler of Java pays off.
QUICK = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")


@pytest.fixture(scope="module")
def tools() -> Tools:
    try:
        return replace(find_tools(), options=QUICK)
    except ExploreError as error:
        pytest.skip(error.message)


def _assert_same(left: Exploration, right: Exploration) -> None:
    assert np.array_equal(left.states, right.states)
    assert left.levels.tolist() == right.levels.tolist()
    assert left.finals.tolist() == right.finals.tolist()
    assert left.edges is not None
    assert right.edges is not None
    for name in ("offsets", "actions", "targets"):
        assert np.array_equal(getattr(left.edges, name), getattr(right.edges, name)), name


MODELS = {
    "p1": derived("tournaments", Player=1, Tournament=1, Enrolment=1).model,
    "p2": derived("tournaments", Player=2, Tournament=2, Enrolment=2).model,
    "u1": derived("petstore", User=1, Pet=1, Order=1).model,
    "u2": derived("petstore", User=2, Pet=2, Order=2).model,
    "p2 by hand": tournaments(2, 2, 2),
    "u2 by hand": petstore(2, 2, 2),
    "features": features(1, 2, 1),
    "tree": tree(),
}


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_both_engines_find_the_same_graph_edge_for_edge(
    model: Model, tools: Tools, tmp_path: Path
) -> None:
    module = write_module(tla_text(model), tmp_path)
    dump = tmp_path / "graph.dot"
    assert run_tlc(tools, module, dump=dump, workers=1) is None
    graph = read_dot(dump)
    embedded = explore(model)
    # A line per transition, so that no two of them hide behind one label.
    assert graph.lines == embedded.found.transitions
    _assert_same(exploration_from_dot(compile_model(model), graph), embedded)


def test_a_violated_invariant_comes_back_as_a_trace(tools: Tools) -> None:
    run = explore_with_tlc(crowded(), tools=tools, workers=1)
    assert run.exploration is None
    assert run.broken is not None
    assert run.broken.invariant == "NeverTwo"
    embedded = explore(crowded())
    assert len(run.broken.trace) == len(trace(embedded, embedded.violations[0].state))
    assert len(run.broken.trace[-1].state["Enrolment"]) == 2
    assert [step.action.action for step in run.broken.trace].count("postEnrolment") == 2


def test_an_invariant_that_the_empty_state_violates(tools: Tools) -> None:
    some = Some("x", ValuesOf("Player"), Exists("Player", Var("x")))
    model = replace(tournaments(1, 1, 1), invariants=(Invariant("NeverEmpty", some),))
    run = explore_with_tlc(model, tools=tools, workers=1)
    assert run.broken is not None
    assert (run.broken.invariant, run.broken.trace) == ("NeverEmpty", ())
    (violation,) = explore(model).violations
    assert (violation.state, trace(explore(model), violation.state)) == (0, ())


def test_an_invariant_that_no_state_satisfies(tools: Tools) -> None:
    model = replace(tournaments(1, 1, 1), invariants=(Invariant("Never", Or(())),))
    run = explore_with_tlc(model, tools=tools, workers=1)
    assert run.broken is not None
    assert (run.broken.invariant, run.broken.trace) == ("Never", ())


def test_a_run_that_takes_too_long_is_ended(tools: Tools) -> None:
    with pytest.raises(ExploreError) as caught:
        explore_with_tlc(tournaments(1, 1, 1), tools=tools, timeout=0.01)
    assert caught.value.code is Code.TLC_FAILED


def test_what_tlc_cannot_read_is_reported_in_its_words(tools: Tools, tmp_path: Path) -> None:
    text = tla_text(tournaments(1, 1, 1))
    module = write_module(replace(text, module=text.module.replace("Init ==", "Init =")), tmp_path)
    with pytest.raises(ExploreError) as caught:
        run_tlc(tools, module, dump=None, workers=1)
    assert caught.value.code is Code.TLC_FAILED
    assert "Parse Error" in caught.value.message
    assert "@!@!@" not in caught.value.message


def _dump(model: Model, path: Path, *, label: str) -> None:
    """A dump of the embedded graph in the manner of TLC; `label` is formatted with the action."""
    found = explore(model)
    assert found.edges is not None
    sources = np.repeat(np.arange(found.expanded), found.degrees.astype(np.int64))
    finals = set(found.finals.tolist())
    lines = [
        f'{i} [label="/\\\\ final = {"TRUE" if i in finals else "FALSE"}\\n{_maps(found, i)}"];'
        for i in range(found.found.states)
    ]
    for source, action, target in zip(
        sources, found.edges.actions, found.edges.targets, strict=True
    ):
        ground = found.actions[action]
        text = label.format(name=ground.action, arguments=",".join(ground.arguments))
        lines.append(f'{source} -> {target} [label="{text}",color="black"];')
    path.write_text("\n".join(lines))


def _maps(found: Exploration, state: int) -> str:
    instances = decode(found.machine.layout, found.states[:, state])
    texts = []
    for resource, by_name in instances.items():
        entries = [
            f"{name} :> [petId |-> {fields.get('petId', name)}]" for name, fields in by_name.items()
        ]
        joined = f"({' @@ '.join(entries)})" if entries else "<< >>"
        texts.append(f"/\\\\ {resource.lower()}s = {joined}")
    return "\\n".join(texts)


@pytest.mark.parametrize("label", ["{name}", "{name}({arguments})"], ids=["older", "newer"])
def test_labels_of_older_and_newer_versions_give_the_same_graph(label: str, tmp_path: Path) -> None:
    model = petstore(2, 2, 2)
    _dump(model, tmp_path / "graph.dot", label=label)
    again = exploration_from_dot(compile_model(model), read_dot(tmp_path / "graph.dot"))
    _assert_same(again, explore(model))


def test_an_edge_that_the_model_does_not_have_is_a_disagreement(tmp_path: Path) -> None:
    path = tmp_path / "graph.dot"
    _dump(petstore(1, 1, 1), path, label="{name}")
    path.write_text(path.read_text() + '\n0 -> 5 [label="addPet"];')
    with pytest.raises(ExploreError) as caught:
        exploration_from_dot(compile_model(petstore(1, 1, 1)), read_dot(path))
    assert caught.value.code is Code.TLC_DISAGREES
    assert "TLC takes addPet from (nothing exists) to (User u1;" in caught.value.message


def test_values_that_tlc_prints() -> None:
    text = (
        '/\\ a = ( p1 :> [x |-> -3, y |-> "b\\"c"] @@\n  p2 :> [x |-> 4, y |-> "d"] )\n'
        "/\\ b = {p1, {TRUE}}\n/\\ c = << >>"
    )
    assert parse_state(text) == {
        "a": {"p1": {"x": -3, "y": '"b\\"c"'}, "p2": {"x": 4, "y": '"d"'}},
        "b": frozenset({"p1", frozenset({True})}),
        "c": {},
    }


@pytest.mark.parametrize("text", ["a = ", "a = (p1 :> 1", "a = [x 1]", "a = ?", "a 1"])
def test_values_that_are_broken_are_refused(text: str) -> None:
    with pytest.raises(ExploreError) as caught:
        parse_state(text)
    assert caught.value.code is Code.NOT_A_STATE_GRAPH


def test_missing_java_says_what_to_do() -> None:
    with pytest.raises(ExploreError) as caught:
        find_tools(java="no-such-java")
    assert caught.value.code is Code.NO_JAVA
    assert "embedded engine" in (caught.value.hint or "")


def test_a_missing_archive_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "java").touch(mode=0o755)
    with pytest.raises(ExploreError) as caught:
        find_tools(jar=tmp_path / "none.jar", java=str(tmp_path / "java"))
    assert caught.value.code is Code.NO_TLA_TOOLS
    assert "icepick-api[tlc]" in (caught.value.hint or "")
    (tmp_path / "mine.jar").touch()
    monkeypatch.setenv("TLA2TOOLS", str(tmp_path / "mine.jar"))
    assert find_tools(java=str(tmp_path / "java")).jar == tmp_path / "mine.jar"
