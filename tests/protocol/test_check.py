"""Every static check, with what it points at."""

from __future__ import annotations

import pytest

from icepick.errors import Code, Severity
from icepick.protocol import check_protocols, load_protocols, read_protocols
from tests.protocol.documents import EXAMPLE_DOCUMENTS, EXAMPLES, demo, spec_of

FUNCTIONS = {"genName": str, "isFine": bool}


def _found(text: str) -> list[tuple[str, str, str | None, str | None]]:
    diagnostics = check_protocols(read_protocols(text, "m", FUNCTIONS), demo("petstore"))
    return [(one.code.name, one.message, one.place.caret(), one.hint) for one in diagnostics]


@pytest.mark.parametrize("name", sorted(EXAMPLE_DOCUMENTS))
def test_the_examples_are_clean(name: str) -> None:
    protocols = load_protocols(EXAMPLES / f"{name}.protocol")
    assert check_protocols(protocols, spec_of(EXAMPLE_DOCUMENTS[name])) == ()


@pytest.mark.parametrize(
    ("text", "code", "message", "caret", "hint"),
    [
        (
            "S = !addPets() . ?C201() . end",
            "UNKNOWN_CALL",
            "the document has no operation `addPets`",
            "S = !addPets() . ?C201() . end\n    ^",
            "did you mean `addPet`?",
        ),
        (
            "S = !deletePet(petId: Int) . ?C200() . end",
            "UNDECLARED_RESPONSE",
            "deletePet does not answer with 200",
            "S = !deletePet(petId: Int) . ?C200() . end\n" + " " * 29 + "^",
            "it answers with 204, 400, 404",
        ),
        (
            "S = !deletePet(petId) . ?C204() . end",
            "UNBOUND_VARIABLE",
            "nothing has bound `petId` here",
            "S = !deletePet(petId) . ?C204() . end\n" + " " * 15 + "^",
            "to make a value, write `petId: Type`",
        ),
        (
            "S = !addPet() . ?C201(pet: Pet)<pet.id = petid> . end",
            "UNBOUND_VARIABLE",
            "nothing has bound `petid` here",
            "S = !addPet() . ?C201(pet: Pet)<pet.id = petid> . end\n" + " " * 41 + "^",
            "did you mean `pet`?",
        ),
        (
            "S = !addPet() . ?C201()<isFine(a)> . end",
            "UNBOUND_VARIABLE",
            "nothing has bound `a` here",
            "S = !addPet() . ?C201()<isFine(a)> . end\n" + " " * 24 + "^",
            "to make a value, write `a: Type`",
        ),
        (
            "S = rec X.(X)",
            "UNGUARDED_RECURSION",
            "`X` comes back to itself without a call",
            "S = rec X.(X)\n    ^",
            "put a call before it: rec X.( !call() . ?C200() . X )",
        ),
        (
            "S = T\nT = rec X.(S)",
            "UNGUARDED_RECURSION",
            "`S` comes back to itself without a call",
            "S = T\n^",
            "put a call before it: rec S.( !call() . ?C200() . S )",
        ),
        (
            "S = !addPet() . &{?C2XX() . end, ?C201() . end}",
            "UNREACHABLE_BRANCH",
            "?C201 is never reached here",
            "S = !addPet() . &{?C2XX() . end, ?C201() . end}\n" + " " * 33 + "^",
            "?C2XX before it takes every such response",
        ),
        (
            "S = !deletePet(petId: String) . ?C204() . end",
            "VALUE_MISFIT",
            "`petId` is of type String, but path.petId is of type integer",
            "S = !deletePet(petId: String) . ?C204() . end\n" + " " * 15 + "^",
            "correct the type, or say another place for it",
        ),
        (
            "S = !addPet() . ?C201(name: String) . !deletePet(petId = name) . ?C204() . end",
            "VALUE_MISFIT",
            "`name` is of type String, but path.petId is of type integer",
            "S = !addPet() . ?C201(name: String) . !deletePet(petId = name) . ?C204() . end\n"
            + " " * 49
            + "^",
            "correct the type, or say another place for it",
        ),
        (
            "S = !addPet() . ?C201(name: Int) . end",
            "VALUE_MISFIT",
            "`name` is of type Int, but body.name is of type string",
            "S = !addPet() . ?C201(name: Int) . end\n" + " " * 22 + "^",
            "correct the type or the place",
        ),
        (
            'S = !deletePet(petId: Int("one")) . ?C204() . end',
            "VALUE_MISFIT",
            'this is no Int: "one" is not of type "integer"',
            'S = !deletePet(petId: Int("one")) . ?C204() . end\n' + " " * 26 + "^",
            "correct the type",
        ),
        (
            "S = !addPet(body = p: Pett) . ?C201() . end",
            "UNKNOWN_TYPE",
            "there is no type `Pett`",
            "S = !addPet(body = p: Pett) . ?C201() . end\n" + " " * 22 + "^",
            "did you mean `Pet`?",
        ),
        (
            "S = !addPet(colour: String) . ?C201() . end",
            "UNKNOWN_ARGUMENT",
            "`colour` fits no place of addPet",
            "S = !addPet(colour: String) . ?C201() . end\n" + " " * 12 + "^",
            None,
        ),
        (
            "S = !addPet(body.colour = 5) . ?C201() . end",
            "UNKNOWN_ARGUMENT",
            "addPet has no place body.colour",
            "S = !addPet(body.colour = 5) . ?C201() . end\n" + " " * 12 + "^",
            None,
        ),
        (
            "S = !addPet() . ?C201(colour: String = body.colour) . end",
            "UNKNOWN_ANSWER_PART",
            "body.colour is no part of the answer 201 to addPet",
            "S = !addPet() . ?C201(colour: String = body.colour) . end\n" + " " * 22 + "^",
            None,
        ),
        (
            "S = !addPet(name: String(genNames)) . ?C201() . end",
            "UNKNOWN_PYTHON_FUNCTION",
            "there is no generator `genNames`",
            "S = !addPet(name: String(genNames)) . ?C201() . end\n" + " " * 25 + "^",
            "did you mean `genName`?",
        ),
        (
            "S = !addPet() . ?C201(p: Pet)<looksGood(p)> . end",
            "UNKNOWN_PYTHON_FUNCTION",
            "there is no assertion `looksGood`",
            "S = !addPet() . ?C201(p: Pet)<looksGood(p)> . end\n" + " " * 30 + "^",
            "define it in gen.py beside the protocol",
        ),
        (
            "S = !addPet() . ?C201()<res_code(GET /pets/1) = 200> . end",
            "UNKNOWN_PATH",
            "the document has no path /pets/1",
            "S = !addPet() . ?C201()<res_code(GET /pets/1) = 200> . end\n" + " " * 37 + "^",
            None,
        ),
        (
            "S = !addPet() .\n  ?C201(p: Pet)<p.id = 1;\n    res_code(@) + 1> . end",
            "NOT_A_TRUTH_VALUE",
            "`res_code(@) + 1` is a number, not something true or false",
            "    res_code(@) + 1> . end\n    ^",
            None,
        ),
        (
            "S = !addPet() . !addPet() . ?C201() . end",
            "OUT_OF_TURN",
            "no response to !addPet is awaited",
            "S = !addPet() . !addPet() . ?C201() . end\n    ^",
            None,
        ),
        (
            "S = !addPet() . ?C201() . ?C201() . end",
            "OUT_OF_TURN",
            "a second response is awaited after ?C201",
            "S = !addPet() . ?C201() . ?C201() . end\n" + " " * 16 + "^",
            None,
        ),
        (
            "S = ?C201() . end",
            "OUT_OF_TURN",
            "a response is awaited before any call",
            "S = ?C201() . end\n    ^",
            None,
        ),
        (
            "S = rec X.(!addPet() . ?C201() . X)",
            "NEVER_ENDS",
            "`S` never comes to an end",
            "S = rec X.(!addPet() . ?C201() . X)\n^",
            None,
        ),
        (
            "S = +{!addPet() . ?C201() . end, ...}",
            "ABRIDGED",
            "branches are left out here (`...`)",
            "S = +{!addPet() . ?C201() . end, ...}\n    ^",
            None,
        ),
        (
            "S = !addPet(id: Int, id: Int) . ?C201() . end",
            "SAID_TWICE",
            "`id` stands twice in one message",
            "S = !addPet(id: Int, id: Int) . ?C201() . end\n" + " " * 21 + "^",
            "rename one of them",
        ),
        (
            "S = !addPet(id = a: Int, id = b: Int) . ?C201() . end",
            "SAID_TWICE",
            "body.id is given twice",
            "S = !addPet(id = a: Int, id = b: Int) . ?C201() . end\n" + " " * 25 + "^",
            "remove one of them",
        ),
        (
            "S = !addPet() . ?C201() . Shopp",
            "UNKNOWN_DEFINITION",
            "`Shopp` is neither a recursion variable nor a definition",
            "S = !addPet() . ?C201() . Shopp\n" + " " * 26 + "^",
            "define it, or put `rec` around it",
        ),
    ],
)
def test_each_check_points_at_its_reason(
    text: str, code: str, message: str, caret: str, hint: str | None
) -> None:
    found = [one for one in _found(text) if one[0] == code]
    assert [(one[1], one[2]) for one in found[:1]] == [(message, caret)]
    if hint is not None:
        assert found[0][3] == hint


@pytest.mark.parametrize(
    "text",
    [
        # What one branch binds is not known in another, and not in the next round.
        "S = rec X.(+{!addPet() . ?C201(id: Int) . X, !deletePet(petId = id) . ?C204() . end})",
        "S = +{!addPet(id: Int) . ?C201() . end, !deletePet(petId = id) . ?C204() . end}",
        "S = !addPet() . &{?C201(id: Int) . end, ?C409() . !deletePet(petId = id) . ?C204() . end}",
    ],
)
def test_variables_are_known_only_where_they_are_bound(text: str) -> None:
    assert [one[0] for one in _found(text)] == ["UNBOUND_VARIABLE"]


@pytest.mark.parametrize(
    "text",
    [
        "S = !addPet() . ?C201(id: Int) . T\nT = !deletePet(petId = id) . ?C204() . end",
        (
            "S = !addPet() . ?C201(id: Int) . rec X.(!deletePet(petId = id) . &{?C404() . X, "
            "?C204() . end})"
        ),
        # A clause may use the parameters of its call, and what it quantifies over.
        "S = !deletePet(petId = id: Int) . ?C204()<res_code(GET /pet/{petId}) = 404> . end",
        'S = !findPetsByStatus() . ?C200(all: PetList)<for p in all :- p.name != ""> . end',
        # A response with an assertion, or that binds something, leaves others to the next.
        "S = !addPet() . &{?C201(p: Pet)<p.id > 5> . end, ?C201() . end}",
        "S = !getPetById(petId: Int) . &{?C200() . end, ?C4XX() . end}",
    ],
)
def test_what_is_right_is_left_alone(text: str) -> None:
    assert _found(text) == []


def test_a_part_that_two_models_share_is_told_of_once() -> None:
    text = "A = P\nB = P\nP = !addPet(colour: Int) . ?C201() . end"
    assert len(_found(text)) == 1


def test_how_grave_each_is() -> None:
    text = "S = rec X.(+{!addPet(a) . ?C201() . X, ...})"
    diagnostics = check_protocols(read_protocols(text), demo("petstore"))
    grave = {one.code: one.severity for one in diagnostics}
    assert grave[Code.UNBOUND_VARIABLE] is Severity.ERROR
    assert grave[Code.ABRIDGED] is Severity.NOTE
    assert grave[Code.NEVER_ENDS] is Severity.NOTE
