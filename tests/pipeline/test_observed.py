"""Resources under what answers show, without a service."""

from __future__ import annotations

from pathlib import Path

from icepick.openapi import ApiSpec, read_spec
from icepick.pipeline.correction import doubts
from icepick.pipeline.models import describe
from icepick.pipeline.observed import observed_spec, relearned
from icepick.resources.correct import Observation, Origin, correct
from icepick.resources.fields import response_schema
from icepick.resources.find import find_resources
from icepick.resources.graph import Consumes, Produces, PropertyGraph
from icepick.resources.types import Evidence, Field, Location, Provenance
from tests.pipeline.running import demo
from tests.pipeline.serving import notes_document


def note(uid: str) -> dict[str, object]:
    return {"data": {"uid": uid, "text": f"about {uid}"}}


def notes(folder: Path) -> ApiSpec:
    return read_spec(notes_document(folder))


def created(*uids: str) -> list[Observation]:
    return [Observation("createNote", 201, note(uid)) for uid in uids]


def test_a_document_that_tells_the_truth_stays_as_it_is() -> None:
    spec = read_spec(demo("tournaments"))
    seen = [Observation("getPlayers", 200, [{"pid": 1, "name": "Ada", "tournaments": []}])]
    assert observed_spec(spec, seen) is spec


def test_what_is_declared_and_never_there_gives_way_to_what_is(tmp_path: Path) -> None:
    spec = observed_spec(notes(tmp_path), created("a"))
    shown = response_schema(spec.operation("createNote"))
    assert shown is not None
    assert list(shown["properties"]) == ["data"]
    assert response_schema(spec.operation("getNote")) == shown


def test_the_identifier_is_found_by_its_name_and_by_different_values(tmp_path: Path) -> None:
    spec = notes(tmp_path)
    before = find_resources(spec)
    learned = relearned(spec, before, created("a", "b"))
    identifier = learned.resources.resources["Note"].identifier
    assert identifier is not None
    assert identifier.property == ("uid",)
    assert ("Note", "the identifier is uid; answers of creations and lists show it") in (
        learned.changes
    )


def test_a_value_that_two_instances_share_identifies_neither(tmp_path: Path) -> None:
    spec = notes(tmp_path)
    learned = relearned(spec, find_resources(spec), created("a", "a"))
    identifier = learned.resources.resources["Note"].identifier
    assert identifier is not None
    assert identifier.property is None


def test_nothing_is_learned_from_refusals_and_negative_tests(tmp_path: Path) -> None:
    spec = notes(tmp_path)
    before = find_resources(spec)
    seen = [
        Observation("createNote", 422, note("a")),
        Observation("createNote", 201, note("b"), negative=True),
    ]
    learned = relearned(spec, before, seen)
    assert learned.resources == before
    assert learned.changes == ()


def test_what_the_document_leaves_open(tmp_path: Path) -> None:
    assert doubts(describe(notes(tmp_path))) == (
        "Comment: nothing tells where answers have the identifier",
    )
    for name in ("tournaments", "petstore", "features", "shop"):
        assert doubts(describe(read_spec(demo(name)))) == ()


def test_two_counters_that_run_side_by_side_are_not_equal() -> None:
    why = Evidence(Provenance.INFERRED, 0.9, "it addresses one Shelf")
    edge = Consumes("Shelf", ("id",), "addBook", ("path", "shelfId"), why)
    leaf = {name: Field((name,), Location.BODY, {}) for name in ("id", "shelf", "title", "room")}
    graph = PropertyGraph(
        ("addBook",),
        {"Shelf": (leaf["id"], leaf["room"]), "Book": (leaf["id"], leaf["title"], leaf["shelf"])},
        produces=(Produces("addBook", "Book", (), why),),
        consumes=(edge,),
    )

    def seen(number: int, shelf: int) -> Observation:
        source = {"id": shelf, "room": f"room {shelf}"}
        book = {"id": number, "title": f"book {number}", "shelf": shelf}
        return Observation("addBook", 201, book, (Origin(edge, source),))

    found = correct(graph, [seen(1, 1), seen(2, 2)])
    assert [str(one) for one in found.graph.equal] == ["Book.shelf = Shelf.id"]
