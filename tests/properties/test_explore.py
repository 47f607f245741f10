"""The engine against an explorer so plain that it is plainly right."""

from __future__ import annotations

import json
from collections import Counter, deque
from itertools import chain, combinations, product
from typing import Any

from hypothesis import HealthCheck, assume, given, settings

from icepick.explore import decode, explore, outgoing
from icepick.explore.machine import final_condition
from icepick.model import Action, Model, check, from_json, to_json
from icepick.model.expressions import (
    And,
    Compare,
    Constant,
    Count,
    CountDistinct,
    Every,
    Exists,
    FieldOf,
    Implies,
    Not,
    Null,
    Or,
    Some,
    ValuesOf,
    Var,
)
from icepick.model.references import can_dangle
from icepick.model.tla import tla_text
from icepick.model.types import (
    Choice,
    Create,
    Delete,
    Domain,
    Each,
    Field,
    Numbers,
    OnDelete,
    OneOf,
    Reference,
    Update,
)
from tests.model.random_models import models

MOST_STATES = 300
DANGLING, UNDEFINED = "DANGLING", "UNDEFINED"
SIGNS = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
ORDER = ("<", "<=", ">", ">=")

State = dict[tuple[str, int], dict[str, Any]]


def values_of(model: Model, domain: Domain) -> list[Any]:
    match domain:
        case Reference(resource):
            return list(range(model.resource(resource).size))
        case Numbers(low, high):
            return list(range(low, high + 1))
        case Choice(values):
            return list(values)
    return [False, True]


class Plain:
    """Follows the words of the model's docstrings with dicts and loops."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.dangling = can_dangle(model)

    def term(self, term: Any, state: State, env: dict[str, Any]) -> Any:
        match term:
            case Var(name):
                return env[name]
            case Constant(value):
                return value
            case Null():
                return None
            case FieldOf(resource, instance, field):
                record = state.get((resource, self.term(instance, state, env)))
                return UNDEFINED if record is None else record[field]
            case Count(resource, variable, condition):
                return len(self.those(resource, variable, condition, state, env))
            case CountDistinct(resource, variable, field, condition):
                found = self.those(resource, variable, condition, state, env)
                return len({state[key][field] for key in found} - {None, DANGLING})
        raise AssertionError(term)

    def those(self, resource: str, variable: str, inner: Any, state: State, env: Any) -> list[Any]:
        keys = [key for key in state if key[0] == resource]
        return [key for key in keys if self.holds(inner, state, {**env, variable: key[1]})]

    def holds(self, condition: Any, state: State, env: dict[str, Any]) -> bool:
        match condition:
            case Exists(resource, instance):
                return (resource, self.term(instance, state, env)) in state
            case Compare(comparator, left, right):
                a, b = self.term(left, state, env), self.term(right, state, env)
                if UNDEFINED in (a, b) or (comparator in ORDER and None in (a, b)):
                    return False
                return bool(SIGNS[comparator](a, b))
            case And(parts):
                return all(self.holds(part, state, env) for part in parts)
            case Or(parts):
                return any(self.holds(part, state, env) for part in parts)
            case Not(part):
                return not self.holds(part, state, env)
            case Implies(left, right):
                return not self.holds(left, state, env) or self.holds(right, state, env)
            case Every(variable, over, inner) | Some(variable, over, inner):
                members = (
                    values_of(self.model, Reference(over.resource))
                    if isinstance(over, ValuesOf)
                    else env[over.parameter]
                )
                each = [self.holds(inner, state, {**env, variable: v}) for v in members]
                return all(each) if isinstance(condition, Every) else any(each)
        raise AssertionError(condition)

    def next(self, action: Action, state: State, env: dict[str, Any]) -> State | None:
        if not all(self.holds(conjunct.condition, state, env) for conjunct in action.guard):
            return None
        now: State | None = {key: dict(record) for key, record in state.items()}
        for effect in action.effects:
            if now is None:
                break
            targets = self.targets(effect.target, env)
            if isinstance(effect, Delete):
                now = self.delete(effect, {(effect.resource, value) for value, _ in targets}, now)
                continue
            for value, inner in targets:
                if now is not None:
                    now = self.write(effect, (effect.resource, value), state, now, inner)
        return now

    def targets(self, target: Var | Each, env: dict[str, Any]) -> list[tuple[int, dict[str, Any]]]:
        if isinstance(target, Each):
            return [(value, {**env, target.variable: value}) for value in env[target.parameter]]
        return [(env[target.name], env)]

    def write(self, effect: Any, key: Any, state: State, now: State, env: Any) -> State | None:
        given = {a.field: self.term(a.term, state, env) for a in effect.fields}
        resource = self.model.resource(effect.resource)
        if not all(self.fits(resource.name, resource.field(n), v) for n, v in given.items()):
            return None
        if isinstance(effect, Create) and key not in now:
            now[key] = {field.name: given.get(field.name) for field in resource.fields}
        elif isinstance(effect, Update) and key in now:
            now[key].update(given)
        return now

    def fits(self, resource: str, field: Field, value: Any) -> bool:
        if value == UNDEFINED or value is None:
            return value is None and field.optional
        if value == DANGLING:
            return (resource, field.name) in self.dangling
        return value in values_of(self.model, field.domain)

    def delete(self, effect: Delete, targets: set[Any], now: State) -> State | None:
        rules = {(rule.resource, rule.field): rule.on_delete for rule in effect.rules}
        gone, before = targets & set(now), None
        while gone != before:
            before = set(gone)
            for key, name, target in self.references(now):
                if target in gone and rules.get((key[0], name)) is OnDelete.CASCADE:
                    gone.add(key)
        for key, name, target in list(self.references(now)):
            if target in gone and key not in gone:
                policy = rules.get((key[0], name), OnDelete.RESTRICT)
                if policy is OnDelete.RESTRICT:
                    return None
                now[key][name] = None if policy is OnDelete.NULLIFY else DANGLING
        return {key: record for key, record in now.items() if key not in gone}

    def references(self, now: State) -> Any:
        for key, record in now.items():
            for field in self.model.resource(key[0]).fields:
                if isinstance(field.domain, Reference):
                    yield key, field.name, (field.domain.resource, record[field.name])

    def shown(self, state: State) -> str:
        shown: dict[str, Any] = {resource.name: {} for resource in self.model.resources}
        for resource in self.model.resources:
            for value in range(resource.size):
                record = state.get((resource.name, value))
                if record is not None:
                    shown[resource.name][resource.value_name(value)] = {
                        field.name: self.text(field.domain, record[field.name])
                        for field in resource.fields
                    }
        return json.dumps(shown)

    def text(self, domain: Domain, value: Any) -> str:
        if value is None or value == DANGLING:
            return "null" if value is None else "dangling"
        if isinstance(domain, Reference):
            return self.model.resource(domain.resource).value_name(value)
        return str(value).lower() if isinstance(value, bool) else str(value)

    def environments(self, action: Action) -> Any:
        choices = []
        for parameter in action.parameters:
            if isinstance(parameter.kind, OneOf):
                choices.append(values_of(self.model, parameter.kind.domain))
                continue
            members = range(self.model.resource(parameter.kind.resource).size)
            sizes = range(1, len(members) + 1)
            choices.append(list(chain.from_iterable(combinations(members, n) for n in sizes)))
        names = [parameter.name for parameter in action.parameters]
        return [dict(zip(names, chosen, strict=True)) for chosen in product(*choices)]

    def explore(self) -> tuple[dict[str, State], Counter[tuple[str, str, str]]]:
        seen: dict[str, State] = {self.shown({}): {}}
        edges: Counter[tuple[str, str, str]] = Counter()
        waiting: deque[State] = deque([{}])
        while waiting:
            state = waiting.popleft()
            for action in self.model.actions:
                for env in self.environments(action):
                    target = self.next(action, state, env)
                    if target is None:
                        continue
                    text = self.shown(target)
                    edges[self.shown(state), action.name, text] += 1
                    if text not in seen:
                        seen[text] = target
                        waiting.append(target)
        return seen, edges


SLOW = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@SLOW
@given(models())
def test_the_engine_finds_what_the_plain_explorer_finds(model: Model) -> None:
    found = explore(model, max_states=MOST_STATES)
    assume(found.stopped is None)
    plain = Plain(model)
    seen, edges = plain.explore()
    layout = found.machine.layout
    texts = [json.dumps(decode(layout, found.states[:, i])) for i in range(found.found.states)]
    assert set(texts) == set(seen)
    assert len(texts) == len(seen)
    mine = Counter(
        (texts[state], found.actions[action].action, texts[target])
        for state in range(found.found.states)
        for action, target in outgoing(found, state)
    )
    assert mine == edges
    final = final_condition(model)
    finals = {text for text, state in seen.items() if plain.holds(final, state, {})}
    assert {texts[i] for i in found.finals} == finals
    bad = [s for s in seen.values() if not plain.holds(model.invariants[0].condition, s, {})]
    assert sum(violation.states for violation in found.violations) == len(bad)


@SLOW
@given(models())
def test_sums_over_orbits_are_the_full_numbers(model: Model) -> None:
    found = explore(model, max_states=20 * MOST_STATES)
    assume(found.stopped is None)
    assert explore(model, symmetry=True).totals == found.totals


@SLOW
@given(models())
def test_every_sensible_model_has_a_tla_text_and_a_json_form(model: Model) -> None:
    check(model)
    assert from_json(json.loads(json.dumps(to_json(model)))) == model
    text = tla_text(model)
    assert text.module.isascii()
    assert text.module.count("(") == text.module.count(")")
