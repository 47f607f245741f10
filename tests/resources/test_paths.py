from __future__ import annotations

import pytest

from icepick.resources.paths import PathNode, PathTree, Segment, place_of
from tests.resources.conftest import Read
from tests.resources.documents import TEXT, obj, op, ref


def _node(read: Read, path: str) -> PathNode:
    return list(PathTree(read({f"GET {path}": op()}).operations))[-1]


@pytest.mark.parametrize(
    ("text", "parameter"),
    [
        ("players", None),
        ("{pid}", "pid"),
        ("{pid}.json", "pid"),
        ("Products({id})", "id"),
        ("{user-id}", "user-id"),
        ("{$id}", "$id"),
    ],
)
def test_a_segment_knows_its_parameter(text: str, parameter: str | None) -> None:
    assert Segment.parse(text).parameter == parameter


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/players/{pid}", ("player",)),
        ("/api/v1/servers/{server_id}/zones/{zone_id}", ("zone",)),
        ("/order-lines", ("order", "line")),
        ("/order_lines/{id}", ("order", "line")),
        ("/orderLines/{id}/", ("order", "line")),
        ("/books/isbn/{isbn}", ("book",)),
        ("/books/id/{id}", ("book",)),
        ("/api/v2", ()),
    ],
)
def test_what_a_path_names(read: Read, path: str, expected: tuple[str, ...]) -> None:
    assert _node(read, path).noun == expected


def test_parameters_of_other_names_are_the_same_path(read: Read) -> None:
    spec = read({"GET /a/{one}": op(), "GET /a/{two}/b": op(), "GET /a/{three}/c/": op()})
    assert {node.key for node in PathTree(spec.operations)} == {
        ("a",),
        ("a", "{}"),
        ("a", "{}", "b"),
        ("a", "{}", "c"),
    }


def test_a_path_knows_what_is_above_and_below_it(read: Read) -> None:
    tree = PathTree(read({"GET /a/{x}/b": op(), "GET /a/{x}/c": op()}).operations)
    item = next(node for node in tree if node.key == ("a", "{}"))
    assert [node.path for node in tree.children(item)] == ["/a/{x}/b", "/a/{x}/c"]
    above = tree.parent(item)
    assert above is not None
    assert above.path == "/a"
    assert tree.parent(above) is None


def test_a_post_that_asks_what_get_asks_changes_nothing(read: Read) -> None:
    report = {"Report": obj(total=TEXT)}
    asked = op(gives=ref("Report"), query=["year"])
    same = read({"GET /r": asked, "POST /r": asked}, **report)
    other = read(
        {"GET /r": op(gives=ref("Report")), "POST /r": op(ref("Report"), ref("Report"))}, **report
    )
    assert [node.changing for node in PathTree(same.operations)] == [frozenset()]
    assert [node.changing for node in PathTree(other.operations)] == [frozenset({"POST"})]


def test_a_post_that_only_answers_like_get_may_change_something(read: Read) -> None:
    order = {"Order": obj(id=TEXT)}
    operations = {"GET /o/{id}": op(gives=ref("Order")), "POST /o/{id}": op(gives=ref("Order"))}
    tree = PathTree(read(operations, **order).operations)
    assert [node.changing for node in tree if node.operations] == [frozenset({"POST"})]


def test_custom_methods_are_below_the_item(read: Read) -> None:
    operations = {"GET /bills/{id}": op(), "POST /bills/{id}:pay": op(), "POST /bills:merge": op()}
    tree = PathTree(read(operations).operations)
    assert [node.path for node in tree if node.operations] == [
        "/bills/{id}",
        "/bills/{id}:pay",
        "/bills:merge",
    ]
    assert {node.last.text for node in tree} >= {"bills", "{id}", ":pay", ":merge"}


@pytest.mark.parametrize(
    ("item", "template", "name"),
    [
        ("/pools/{name}", "/pools/{name}", "name"),
        ("/pools/{name}", "/pools/{pool_name}/queues/{name}", "pool_name"),
        ("/pools/{pool_name}/queues/{name}", "/pools/{x}/queues/{y}/pause", "y"),
        ("/pools/{name}", "/pools", None),
        ("/pools/{name}", "/pools/all", None),
        ("/pools/{name}", "/tools/{name}", None),
        ("/me", "/me/things", None),
    ],
)
def test_an_identifier_may_have_another_name_further_down(
    item: str, template: str, name: str | None
) -> None:
    assert place_of(item, template) == name
