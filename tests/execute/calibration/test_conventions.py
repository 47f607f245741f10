"""Inferred clauses bow to the words of a service, never to what it does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from icepick.errors import Place
from icepick.execute.calibration.conventions import Conventions
from icepick.execute.judging.inspect import Inspector
from icepick.execute.ownership import Ownership
from icepick.execute.reads import Reads, Scene
from icepick.execute.routing import Routing
from icepick.execute.transport.client import Client
from icepick.execute.types import Request, Response
from icepick.glacier import Clause, Outcome, Provenance, Sent, Truth, parse_formula, prepare
from icepick.inputs.dice import dice
from icepick.openapi.types import Operation

GET = Operation("getPet", "GET", "/pets/{id}", "#/x")


class Service:
    """Answers GETs by a function of the path."""

    def __init__(self, answer: Callable[[str], int]) -> None:
        self._answer = answer

    async def send(self, request: Request) -> Response:
        status = self._answer(request.url.removeprefix("http://x"))
        return Response(status, (("Content-Type", "application/json"),), b'{"data": {}}')


def settled(text: str, provenance: Provenance, answer: Callable[[str], int]) -> Outcome:
    client = Client(Service(answer), "http://x", {})
    routing = Routing([GET])
    scene = Scene(client, {}, routing, {}, Ownership(), Inspector({}))
    clause = Clause(parse_formula(text), text, provenance, Place("x"))

    async def run() -> Outcome:
        reads = Reads(scene, 1)
        reads.begin(GET, Sent(path={"id": 7}, body={"a": 1}))
        outcomes = await reads.outcomes([prepare(clause)])
        [found] = await Conventions(routing, dice(1)).settled(reads, outcomes)
        return found

    return asyncio.run(run())


GONE = "res_code(GET /pets/{id}) = 404"


@pytest.mark.parametrize("status", [400, 403, 410])
def test_what_answers_like_something_that_never_was_is_absent(status: int) -> None:
    assert settled(GONE, Provenance.INFERRED, lambda _: status).value is Truth.TRUE


def test_what_a_person_wrote_stands() -> None:
    assert settled(GONE, Provenance.WRITTEN, lambda _: 403).value is Truth.FALSE


def test_what_can_still_be_read_is_not_gone() -> None:
    def answers(path: str) -> int:
        return 200 if path == "/pets/7" else 404

    assert settled(GONE, Provenance.INFERRED, answers).value is Truth.FALSE
    assert settled(GONE, Provenance.INFERRED, lambda _: 200).value is Truth.FALSE


def test_another_refusal_than_for_what_never_was_says_nothing() -> None:
    def answers(path: str) -> int:
        return 403 if path == "/pets/7" else 404

    assert settled(GONE, Provenance.INFERRED, answers).value is Truth.FALSE


@pytest.mark.parametrize("shown", ["res_body(GET /pets/{id})", "res_body(GET /pets/{id}){data}"])
def test_an_answer_need_not_repeat_what_was_sent(shown: str) -> None:
    echo = f"req_body(@) = {shown}"
    found = settled(echo, Provenance.INFERRED, lambda _: 200)
    assert found.value is Truth.UNKNOWN
    assert "reads back" in found.reason
    assert settled(echo, Provenance.WRITTEN, lambda _: 200).value is Truth.FALSE
