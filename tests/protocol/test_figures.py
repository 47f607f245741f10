from __future__ import annotations

from icepick.protocol import (
    automaton_of,
    check_protocols,
    load_protocols,
    parse_protocol,
    read_protocols,
)
from icepick.protocol.tree import (
    Argument,
    Declared,
    End,
    External,
    Function,
    Internal,
    Named,
    Receive,
    Recursion,
    Reference,
    Send,
    Session,
    Type,
)
from tests.protocol.documents import EXAMPLES, demo, spec_of

AS_SCANNED = """
S_featuresService = rec X.(
  +{ !addFeature(feet1: String(genFeatName)).?C201().
      !addFeature(feet2: String(genFeatName)).?C201().
        !addConstraint(feet1, feat2).?C201().
          !delFeature(feet1).?C400().X,
    ...
  } )
"""


def _call(
    operation: str, arguments: tuple[Argument, ...], status: str, then: Session, *parts: object
) -> Send:
    variables = tuple(one for one in parts if isinstance(one, Declared))
    assertions = tuple(one for one in parts if isinstance(one, Function))
    answer = Receive(status, variables, assertions, then)
    return Send(operation, arguments, External((answer,)))


def _made(name: str, of: str, generator: str) -> Argument:
    return Argument(name, Type(of), Named(generator))


def test_figure_3_parses_as_printed() -> None:
    key, customer = Argument("apiKey"), Argument("custId")
    again = Reference("X")
    loop = Internal(
        (
            _call(
                "addCard",
                (key, customer, _made("card", "Card", "getCardInfo")),
                "201",
                again,
                Declared("CardId", Type("String")),
            ),
            _call(
                "addAddr",
                (key, customer, _made("addr", "Address", "getAddrInfo")),
                "201",
                again,
                Declared("addressId", Type("String")),
            ),
            _call(
                "getCust",
                (key, customer),
                "200",
                again,
                Declared("c2", Type("Customer")),
                Function("checkCustomer", ("c1", "c2")),
            ),
            _call("deleteCust", (key, customer), "204", End()),
        )
    )
    first = _call(
        "addCust",
        (_made("apiKey", "String", "genApiKey"), _made("c1", "Customer", "genCustInfo")),
        "201",
        Recursion("X", loop),
        Declared("custId", Type("String")),
    )
    text = (EXAMPLES / "sockshop.protocol").read_text(encoding="utf-8")
    [definition] = parse_protocol(text).definitions
    assert definition.name == "S_shop"
    assert definition.body == Internal((first,))


def test_figure_5_parses_as_printed() -> None:
    text = (EXAMPLES / "figure5.protocol").read_text(encoding="utf-8")
    [definition] = parse_protocol(text).definitions
    last = _call("delFeature", (Argument("feat1"),), "400", Reference("X"))
    third = _call("addConstraint", (Argument("feat1"), Argument("feat2")), "201", Internal((last,)))
    second = _call(
        "addFeature", (_made("feat2", "String", "genFeatName"),), "201", Internal((third,))
    )
    first = _call(
        "addFeature", (_made("feat1", "String", "genFeatName"),), "201", Internal((second,))
    )
    assert definition.name == "S_featuresService"
    assert definition.body == Recursion("X", Internal((first,), abridged=True))


def test_the_scanned_figure_parses_too_and_its_slip_is_found() -> None:
    protocols = read_protocols(AS_SCANNED, functions={"genFeatName": str})
    found = check_protocols(protocols, demo("features"))
    unbound = [one for one in found if one.code.value == "ICP722"]
    assert [(one.message, one.hint) for one in unbound] == [
        ("nothing has bound `feat2` here", "did you mean `feet2`?")
    ]


def test_the_automaton_of_figure_3() -> None:
    protocols = load_protocols(EXAMPLES / "sockshop.protocol")
    automaton = automaton_of("S_shop", protocols.definitions)
    assert len(automaton.states) == 8
    labels = [label for _, label, _ in automaton.triples]
    assert sorted(label for label in labels if label[0] == "!") == sorted(
        ["!addCust", "!addCard", "!addAddr", "!getCust", "!deleteCust"]
    )
    assert [labels.count(label) for label in ("?C200", "?C201", "?C204")] == [1, 3, 1]
    document = spec_of(EXAMPLES / "sockshop.openapi.yaml")
    assert check_protocols(protocols, document) == ()
