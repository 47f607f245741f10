"""`icepick graph --url`: the graph of a running service."""

from __future__ import annotations

from pathlib import Path

from icepick.demo.catalogue import SERVICES
from tests.cli.invoking import SHOP, TOURNAMENTS, Icepick, icepick
from tests.execute.servers import free_port
from tests.glacier.live import served
from tests.pipeline.serving import Notes, notes_document, serving

__all__ = ["icepick"]


def test_it_says_what_was_corrected(icepick: Icepick, tmp_path: Path) -> None:
    document = notes_document(tmp_path)
    with serving(*Notes().routes()) as url:
        done = icepick("graph", document, "--url", url, "--explain")
    assert done.code == 0
    assert "id {noteId} is uid, chosen by server" in done.out
    assert "7 of 7 operations succeeded" in done.out
    assert "Note the identifier is uid; answers of creations and lists show it" in done.out
    assert "Comment.about = Note.uid added: the same value in 2 observations" in done.out


def test_every_form_has_the_corrected_graph(icepick: Icepick, tmp_path: Path) -> None:
    document = notes_document(tmp_path)
    with serving(*Notes().routes()) as url:
        done = icepick(
            "graph", document, "--url", url, "--json", "--dot", "g.dot", "--html", "g.html"
        )
    live = done.json["live"]
    assert live["gaps"] == []
    assert live["calls"] > 7
    assert {"Note", "Comment"} <= {one["subject"] for one in live["corrections"]}
    assert done.json["graph"]["equal"][0]["left"] == "Comment.about"
    notes = next(one for one in done.json["resources"] if one["name"] == "Note")
    assert notes["identifier"]["property"] == "uid"
    assert "Comment.about = Note.uid" in Path("g.dot").read_text()
    assert "uid" in Path("g.html").read_text()


def test_a_service_that_is_as_its_document_says(icepick: Icepick) -> None:
    with served(SERVICES["tournaments"]) as url:
        done = icepick("graph", TOURNAMENTS, "--url", url)
    assert done.code == 0
    assert "19 of 19 operations succeeded" in done.out
    assert "0 corrections" in done.out


def test_signing_in(icepick: Icepick) -> None:
    with served(SERVICES["shop"]) as url:
        done = icepick(
            "graph", SHOP, "--url", url, "--max-calls", "250", "--login", "createSession",
            "--login-field", "username=demo", "--login-field", "password=demo-password",
        )  # fmt: skip
    assert done.code == 0
    assert "33 of 33 operations succeeded" in done.out
    assert "DELETE /sessions/current looks dangerous (logout)" in done.out


def test_calls_are_bounded_and_gaps_have_reasons(icepick: Icepick) -> None:
    with served(SERVICES["shop"]) as url:
        done = icepick("graph", SHOP, "--url", url, "--json", "--max-calls", "20")
    assert done.json["live"]["calls"] == 20
    reasons = [one["reason"] for one in done.json["live"]["gaps"]]
    assert len(reasons) >= 33
    assert all(reasons)
    assert "there were no calls left to try it" in reasons
    assert any("answered 401" in one for one in reasons)


def test_reading_only(icepick: Icepick) -> None:
    with served(SERVICES["tournaments"]) as url:
        done = icepick("graph", TOURNAMENTS, "--url", url, "--read-only", "--json")
    assert done.code == 0
    gaps = {one["operation"]: one["reason"] for one in done.json["live"]["gaps"]}
    assert "getPlayers" not in gaps
    assert "getPlayer" in gaps


def test_nobody_answers(icepick: Icepick) -> None:
    done = icepick("graph", TOURNAMENTS, "--url", f"http://127.0.0.1:{free_port()}")
    assert done.code == 2
    assert "ICP104" in done.err
    assert "nobody listens" in done.err


def test_a_host_that_is_nobody_s_business(icepick: Icepick) -> None:
    done = icepick("graph", TOURNAMENTS, "--url", "https://example.com")
    assert done.code == 2
    assert "ICP608" in done.err
