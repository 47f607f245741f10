"""State graphs as DOT text, TLC's real dumps among them."""

from __future__ import annotations

from pathlib import Path

import pytest

from icepick.errors import Code, ExploreError
from icepick.explore import DotEdge, explore, outgoing, read_dot, write_dot
from tests.model.examples import petstore, tournaments

DUMPS = Path(__file__).resolve().parents[3] / "shared" / "data" / "ssg"
with_dumps = pytest.mark.skipif(not DUMPS.is_dir(), reason="the dumps of TLC are not here")


@with_dumps
def test_a_small_dump_of_tlc() -> None:
    graph = read_dot(DUMPS / "tournaments-1-1-1.dot")
    assert (len(graph.states), len(graph.edges), graph.lines) == (5, 10, 10)
    (initial,) = graph.initial
    assert initial == "181079032517841395"
    assert "players = (p1 :> [pid |-> p1, s |-> FALSE" in graph.states[initial]
    enrolments = [edge for edge in graph.edges if edge.action == "postEnrollment"]
    assert [edge.arguments for edge in enrolments] == [("e1", "t1", "p1")]


@with_dumps
def test_a_dump_with_repeated_lines_and_parallel_edges() -> None:
    graph = read_dot(DUMPS / "tournaments-2-2-2-older-model.dot")
    assert (len(graph.states), len(graph.edges), graph.lines) == (543, 3_540, 9_231)
    pairs = [(edge.source, edge.target) for edge in graph.edges]
    assert len(pairs) - len(set(pairs)) == 286
    assert {edge.source for edge in graph.edges} <= set(graph.states)


def test_labels_with_and_without_arguments(tmp_path: Path) -> None:
    path = tmp_path / "graph.dot"
    path.write_text(
        "strict digraph DiskGraph {\n"
        '-1 [label="/\\\\ a = \\"x\\"\\n/\\\\ b = 1",style = filled]\n'
        '-1 -> 2 [label="postPlayer",color="black",fontcolor="black"];\n'
        '-1 -> 2 [label="createUsersWithList({u1, u2}, <<1, 2>>, p1)",color="black"];\n'
        '2 [label="/\\\\ b = 2"];\n'
        "}\n"
    )
    graph = read_dot(path)
    assert graph.states == {"-1": '/\\ a = "x"\n/\\ b = 1', "2": "/\\ b = 2"}
    assert graph.initial == ("-1",)
    assert graph.edges == (
        DotEdge("-1", "2", "postPlayer", ()),
        DotEdge("-1", "2", "createUsersWithList", ("{u1, u2}", "<<1, 2>>", "p1")),
    )


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    found = explore(petstore(2, 2, 1))
    write_dot(found, tmp_path / "graph.dot")
    graph = read_dot(tmp_path / "graph.dot")
    assert len(graph.states) == found.found.states
    assert graph.initial == ("0",)
    assert graph.states["0"] == "nothing exists"
    expected = {
        DotEdge(str(state), str(target), ground.action, ground.arguments)
        for state in range(found.found.states)
        for action, target in outgoing(found, state)
        for ground in [found.actions[action]]
    }
    assert len(expected) == found.found.transitions
    assert set(graph.edges) == expected


def test_a_file_without_states_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.dot").write_text("digraph { a -> b }")
    with pytest.raises(ExploreError) as caught:
        read_dot(tmp_path / "other.dot")
    assert caught.value.code is Code.NOT_A_STATE_GRAPH


def test_transitions_that_were_only_counted_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(ExploreError) as caught:
        write_dot(explore(tournaments(1, 1, 1), graph=False), tmp_path / "graph.dot")
    assert caught.value.code is Code.NO_GRAPH
    assert not (tmp_path / "graph.dot").exists()
