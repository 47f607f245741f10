"""The examples against the real demo services."""

from __future__ import annotations

import pytest

from icepick.demo.catalogue import SERVICES
from icepick.execute.events import (
    CallJudged,
    ClauseCounted,
    Exchanged,
    LeftBehind,
    ModelCovered,
    ModelPlanned,
    NotConfirmed,
    Noted,
    SequenceEnded,
)
from icepick.execute.transport.auth import AuthOptions
from icepick.execute.transport.login import Login
from icepick.execute.types import Purpose, Verdict
from icepick.protocol import automaton_of
from icepick.protocol.driver import DriverOptions, Strategy
from icepick.protocol.findings import shows, way_to
from icepick.report.curl import curl_lines
from tests.protocol.documents import demo
from tests.protocol.driving import example, findings, of_kind, run_live, written

EXAMPLES = {
    "sockshop": ("sockshop",),
    "features": ("features",),
    "petstore": ("petstore",),
    "shop": ("checkout", "shop"),
}
MODELS = [
    (service, file, model)
    for service, files in EXAMPLES.items()
    for file in files
    for model in example(file).models
]
NOT_EXPRESSED = {"deleted-stays"}
"""Figure 3 ends with the deletion, so that it cannot see this."""


@pytest.mark.parametrize(("service", "file", "model"), MODELS)
async def test_a_correct_service_is_covered_within_200_calls_without_a_finding(
    service: str, file: str, model: str
) -> None:
    events, coverage = await run_live(service, example(file), names=[model])
    assert not findings(events)
    assert not of_kind(events, NotConfirmed)
    assert coverage[model].is_full, coverage[model].missing
    calls = of_kind(events, CallJudged)
    assert all(call.judged.verdict is Verdict.OK for call in calls)
    assert len(calls) <= 200


async def test_figure_5_finds_that_a_required_feature_can_be_deleted_and_that_alone() -> None:
    protocols, model = example("features"), ["S_featuresService"]
    events, _ = await run_live("features", protocols, "delete-required-feature", names=model)
    (found,) = findings(events)
    assert found.title == "!deleteFeatureOfProduct: answered with 204 in place of ?C400"
    assert found.complaint.promised == "!deleteFeatureOfProduct is answered by ?C400()"
    assert [step.label for step in found.steps] == [
        "!addProduct ?C201",
        "!addFeatureToProduct ?C201",
        "!addFeatureToProduct ?C201",
        "!addRequiresConstraintToProduct ?C201",
        "!deleteFeatureOfProduct",
    ]
    for fault in SERVICES["features"].faults:
        if fault.name != "delete-required-feature":
            events, _ = await run_live("features", protocols, fault.name, names=model)
            assert found.id not in [one.id for one in findings(events)], fault.name


@pytest.mark.parametrize("service", ["sockshop", "petstore", "features"])
async def test_every_fault_that_the_models_can_express_is_found(service: str) -> None:
    (file,) = EXAMPLES[service]
    protocols = example(file)
    missed = []
    for fault in SERVICES[service].faults:
        events, _ = await run_live(service, protocols, fault.name)
        if not findings(events):
            missed.append(fault.name)
        assert not of_kind(events, NotConfirmed), fault.name
    assert set(missed) <= NOT_EXPRESSED


@pytest.mark.parametrize(
    ("fault", "check", "action", "happened", "steps"),
    [
        (
            "second-card-crashes",
            "protocol-code",
            "!addCard",
            "answered with 500 in place of ?C201: RuntimeError: the table of cards has no room",
            3,
        ),
        (
            "address-id-missing",
            "protocol-format",
            "!addAddr",
            'the body is not as declared: null is not of type "string" at /id; addressId: null is',
            3,
        ),
        (
            "delete-with-card-refused",
            "protocol-code",
            "!deleteCust",
            "answered with 401 in place of ?C204: id: customer 'cust-",
            4,
        ),
    ],
)
async def test_a_finding_says_what_was_expected_and_what_came_on_the_shortest_way(
    fault: str, check: str, action: str, happened: str, steps: int
) -> None:
    events, _ = await run_live("sockshop", example("sockshop"), fault)
    (found,) = findings(events)
    assert (found.complaint.check, found.action) == (check, action)
    assert found.complaint.happened.startswith(happened)
    assert found.complaint.promised.startswith(f"{action} is answered by ?C20")
    assert found.level is Verdict.ERR
    assert len(found.steps) == steps <= found.original
    assert f"step {steps}: {action[1:]} answered" in curl_lines(found)


async def test_a_finding_can_be_made_again_from_its_steps() -> None:
    events, _ = await run_live("sockshop", example("sockshop"), "address-overwrites-email")
    (found,) = findings(events)
    protocols = example("sockshop")
    automaton = automaton_of("S_shop", protocols.definitions)
    script = way_to(found, automaton)
    assert script is not None
    assert len(script) == len(found.steps)
    assert shows(found.steps[-1], found)
    assert not shows(found.steps[0], found)
    other = automaton_of("S_featuresService", example("features").definitions)
    assert way_to(found, other) is None


async def test_reports_get_what_was_covered() -> None:
    events, _ = await run_live("sockshop", example("sockshop"))
    (planned,) = of_kind(events, ModelPlanned)
    assert (planned.states, planned.transitions) == (3, 5)
    assert planned.drawing is not None
    (covered,) = of_kind(events, ModelCovered)
    assert covered.parts == {"branches": (5, 5), "responses": (5, 5), "pairs": (22, 22)}
    (clause,) = of_kind(events, ClauseCounted)
    assert (clause.text, clause.false, clause.unknown) == ("checkCustomer(c1, c2)", 0, 0)
    assert clause.true == sum(
        call.judged.label == "!getCust ?C200" for call in of_kind(events, CallJudged)
    )


LOOKS = (
    'S = !addCust(apiKey: String("demo-key"), c: Customer(genCustInfo)) .'
    " ?C201(custId: String)<res_code(GET /customer/{custId}) = 200> ."
    " !deleteCust(apiKey, custId) ."
    " ?C204()<prev(res_code(GET /customer/{custId})) = 200;"
    " res_code(GET /customer/{custId}) = 404> . end"
)


async def test_assertions_may_read_and_carry_the_credentials_of_the_model() -> None:
    protocols = written(LOOKS, demo("sockshop"), **example("sockshop").functions)
    events, coverage = await run_live("sockshop", protocols)
    assert not findings(events)
    assert coverage["S"].is_full
    assert {(clause.true > 0, clause.unknown) for clause in of_kind(events, ClauseCounted)} == {
        (True, 0)
    }
    reads = [
        one.exchange for one in of_kind(events, Exchanged) if one.exchange.purpose is Purpose.READ
    ]
    assert [one.status for one in reads] == [200, 404]
    events, _ = await run_live("sockshop", protocols, "deleted-stays")
    (found,) = findings(events)
    assert found.complaint.check == "protocol-assertion"
    assert found.complaint.promised == ("after !deleteCust: res_code(GET /customer/{custId}) = 404")


async def test_what_a_run_leaves_is_removed() -> None:
    text = 'S = !addCust(apiKey: String("demo-key"), c: Customer) . ?C201(custId: String) . end'
    events, _ = await run_live("sockshop", written(text, demo("sockshop")))
    removed = [
        one.exchange
        for one in of_kind(events, Exchanged)
        if one.exchange.purpose is Purpose.CLEAN_UP
    ]
    assert [one.status for one in removed] == [204]
    assert not of_kind(events, LeftBehind)


SIGNED_IN = (
    'S = !createSession(username = "demo", password = "demo-password") . ?C201(token: String) .'
    " !createCustomer(token, email: String(fresh)) . ?C201() . end"
)


async def test_cleaning_up_carries_the_token_that_a_model_got() -> None:
    events, _ = await run_live("shop", written(SIGNED_IN, demo("shop")))
    removed = [
        one.exchange
        for one in of_kind(events, Exchanged)
        if one.exchange.purpose is Purpose.CLEAN_UP
    ]
    assert removed
    assert all(one.status == 204 for one in removed), removed


async def test_what_nobody_can_remove_is_told_before() -> None:
    events, _ = await run_live("sockshop", example("sockshop"))
    notes = [note.subject for note in of_kind(events, Noted) if note.kind == "clean-up"]
    assert notes == ["POST /card", "POST /address"]
    events, _ = await run_live("features", example("features"))
    assert not [note for note in of_kind(events, Noted) if note.kind == "clean-up"]


async def test_a_token_that_is_no_longer_good_leaves_things_behind_and_says_so() -> None:
    text = SIGNED_IN.replace(" end", " !deleteSession(token) . ?C204() . end")
    events, _ = await run_live("shop", written(text, demo("shop")))
    assert any("401" in one.reason for one in of_kind(events, LeftBehind))

    def signing_in(url: str) -> AuthOptions:
        who = {"username": "demo", "password": "demo-password"}
        return AuthOptions(login=Login(f"{url}/v1/sessions", who))

    events, _ = await run_live("shop", written(text, demo("shop")), auth=signing_in)
    assert not of_kind(events, LeftBehind)
    # Having credentials of its own does not let the tool in where the model's are refused.
    events, _ = await run_live("shop", example("checkout"), auth=signing_in)
    assert not findings(events)


async def test_a_run_by_chance_can_be_made_again_by_its_own_seed() -> None:
    def options(seed: int, runs: int) -> DriverOptions:
        return DriverOptions(Strategy.RANDOM, runs=runs, seed=seed, max_length=12)

    several, _ = await run_live("petstore", example("petstore"), options=options(40, 4))
    again, _ = await run_live("petstore", example("petstore"), options=options(40, 4))
    assert _by_run(several) == _by_run(again)
    ends = [(one.model, one.sequence) for one in of_kind(several, SequenceEnded)]
    assert ends == [(model, number) for model in range(4) for number in range(4)]
    alone, _ = await run_live("petstore", example("petstore"), options=options(42, 1))
    whole = _by_run(several)
    for model in range(4):
        assert _by_run(alone)[model, 0] == whole[model, 2]


def _by_run(events) -> dict[tuple[int, int], list[str]]:
    found: dict[tuple[int, int], list[str]] = {}
    for call in of_kind(events, CallJudged):
        exchange = call.judged.exchange
        assert exchange is not None
        path = exchange.request.url.split("/", 3)[3]
        line = f"{exchange.request.method} {path} {exchange.request.body!r}"
        found.setdefault((call.model, call.sequence), []).append(line)
    return found


async def test_no_more_calls_than_allowed() -> None:
    options = DriverOptions(Strategy.RANDOM, seed=3, max_calls=7)
    events, _ = await run_live("petstore", example("petstore"), options=options)
    assert len(of_kind(events, CallJudged)) == 7
    assert events[-1].ending.value == "max-calls"
