"""Effects of an action, with all parameters bound, as the new value of every digit."""

from __future__ import annotations

from collections.abc import Iterator

from icepick.explore.layout import DANGLING, NULL, FieldPlace
from icepick.explore.lower import Binding, Lowering
from icepick.model.expressions import (
    Null,
)
from icepick.model.references import rules_of, says_unreferenced
from icepick.model.types import (
    Action,
    Assign,
    Create,
    Delete,
    Each,
    Effect,
    OnDelete,
    Rule,
    Target,
    Update,
)

_REPLACEMENT = {OnDelete.NULLIFY: NULL, OnDelete.ORPHAN: DANGLING}


class Effects:
    """Carries out the effects of one ground action, one after another.

    `digits` are the nodes of all digits afterwards; `possible` are conditions without which the
    action is not enabled.
    """

    def __init__(self, lowering: Lowering, action: Action, binding: Binding) -> None:
        self._lower = lowering
        self._circuit = lowering.circuit
        self._action = action
        self._binding = binding
        self.digits = [self._circuit.digit(i) for i in range(len(lowering.layout.places))]
        self.possible: list[int] = []
        for effect in action.effects:
            self._carry_out(effect)

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case Create():
                for value, binding in self._targets(effect.target):
                    self._create(effect, value, binding)
            case Update():
                for value, binding in self._targets(effect.target):
                    self._update(effect, value, binding)
            case Delete():
                self._delete(effect)

    def _targets(self, target: Target) -> Iterator[tuple[int, Binding]]:
        if isinstance(target, Each):
            members = self._binding[target.parameter]
            for value in members if isinstance(members, tuple) else (members,):
                yield value, {**self._binding, target.variable: value}
        else:
            bound = self._binding[target.name]
            assert isinstance(bound, int)  # noqa: S101 (the check of the model saw to it)
            yield bound, self._binding

    def _create(self, effect: Create, value: int, binding: Binding) -> None:
        terms = {assign.field: assign for assign in effect.fields}
        parts = [self._circuit.number(1)]
        for place in self._lower.layout.records[effect.resource]:
            assign = terms.get(place.name, Assign(place.name, Null()))
            parts.append(self._times(self._field_digit(place, assign, binding), place.weight))
        position = self._lower.position(effect.resource, value)
        now = self.digits[position]
        created = self._circuit.total(parts)
        is_absent = self._circuit.equals(now, 0)
        self.digits[position] = self._circuit.choose(is_absent, created, now)

    def _update(self, effect: Update, value: int, binding: Binding) -> None:
        position = self._lower.position(effect.resource, value)
        for assign in effect.fields:
            place = self._lower.layout.field(effect.resource, assign.field)
            digit = self._field_digit(place, assign, binding)
            self._replace(position, place, self._circuit.true, digit)

    def _replace(self, position: int, place: FieldPlace, condition: int, digit: int) -> None:
        """Under the condition, and if the instance exists, its field gets that digit."""
        now = self.digits[position]
        old = self._digit_of(position, place)
        changed = self._circuit.total(
            [now, self._times(digit, place.weight), self._times(old, -place.weight)]
        )
        here = self._circuit.all([condition, self._lower.is_present(now)])
        self.digits[position] = self._circuit.choose(here, changed, now)

    def _digit_of(self, position: int, place: FieldPlace) -> int:
        """The field's digit in the record as it is by now."""
        radix = self._lower.layout.places[position].radix
        return self._circuit.image(
            self.digits[position],
            {d: (d - 1) // place.weight % len(place.values) for d in range(1, radix)},
        )

    def _field_digit(self, place: FieldPlace, assign: Assign, binding: Binding) -> int:
        value, defined = self._lower.term(assign.term, binding)
        fits = [self._circuit.equals(value, v) for v in place.values]
        self.possible += [defined, self._circuit.any(fits)]
        return self._circuit.image(value, {v: d for d, v in enumerate(place.values)})

    def _times(self, value: int, factor: int) -> int:
        node = self._circuit.nodes[value]
        return self._circuit.image(value, {v: v * factor for v in range(node.low, node.high + 1)})

    def _delete(self, effect: Delete) -> None:
        rules = rules_of(self._lower.layout.model, effect)
        doomed: dict[tuple[str, int], int] = {}
        for value, _ in self._targets(effect.target):
            now = self.digits[self._lower.position(effect.resource, value)]
            doomed[effect.resource, value] = self._lower.is_present(now)
        doomed = self._cascade(doomed, rules)
        for rule, target in rules:
            if not self._is_guarded(rule, effect):
                self._settle(rule, target, doomed)
        for (resource, value), condition in doomed.items():
            position = self._lower.position(resource, value)
            now, gone = self.digits[position], self._circuit.number(0)
            self.digits[position] = self._circuit.choose(condition, gone, now)

    def _is_guarded(self, rule: Rule, effect: Delete) -> bool:
        if rule.on_delete is not OnDelete.RESTRICT or effect is not self._action.effects[0]:
            return False
        # With a cascade the rule also protects what falls with the target; the guard does not.
        direct = all(r.on_delete is not OnDelete.CASCADE for r in effect.rules)
        conditions = [conjunct.condition for conjunct in self._action.guard]
        return direct and any(says_unreferenced(c, rule, effect.target) for c in conditions)

    def _cascade(
        self, doomed: dict[tuple[str, int], int], rules: tuple[tuple[Rule, str], ...]
    ) -> dict[tuple[str, int], int]:
        """What falls, with the conditions; at most every instance in turn."""
        for _ in self._lower.layout.places:
            more = dict(doomed)
            for rule, target in rules:
                if rule.on_delete is OnDelete.CASCADE:
                    for value in self._lower.values(rule.resource):
                        before = more.get((rule.resource, value), self._circuit.false)
                        hit = self._refers(rule, target, value, doomed)
                        more[rule.resource, value] = self._circuit.any([before, hit])
            if more == doomed:
                break
            doomed = more
        return doomed

    def _settle(self, rule: Rule, target: str, doomed: dict[tuple[str, int], int]) -> None:
        """Apply a rule that leaves the referring instance where it is."""
        place = self._lower.layout.field(rule.resource, rule.field)
        for value in self._lower.values(rule.resource):
            falls = doomed.get((rule.resource, value), self._circuit.false)
            stays = self._circuit.negate(falls)
            hit = self._circuit.all([stays, self._refers(rule, target, value, doomed)])
            if rule.on_delete is OnDelete.RESTRICT:
                self.possible.append(self._circuit.negate(hit))
            elif rule.on_delete in _REPLACEMENT:
                digit = place.values.index(_REPLACEMENT[rule.on_delete])
                position = self._lower.position(rule.resource, value)
                self._replace(position, place, hit, self._circuit.number(digit))

    def _refers(
        self, rule: Rule, target: str, value: int, doomed: dict[tuple[str, int], int]
    ) -> int:
        """The instance refers, as it is by now, to something that falls."""
        position = self._lower.position(rule.resource, value)
        place = self._lower.layout.field(rule.resource, rule.field)
        held = self._digit_of(position, place)
        hits = [
            self._circuit.all([condition, self._circuit.equals(held, v)])
            for (resource, v), condition in doomed.items()
            if resource == target
        ]
        present = self._lower.is_present(self.digits[position])
        return self._circuit.all([present, self._circuit.any(hits)])
