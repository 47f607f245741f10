"""Effects of an action as the next values of the resource maps."""

from __future__ import annotations

from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter

from icepick.model.expressions import Constant, FieldOf, Null, Term, Var
from icepick.model.references import rules_of, says_unreferenced
from icepick.model.tla_expressions import Text
from icepick.model.tla_names import comment_lines, field_domain_text
from icepick.model.types import (
    Action,
    Assign,
    Choice,
    Create,
    Delete,
    Domain,
    Each,
    Effect,
    Field,
    Numbers,
    OnDelete,
    OneOf,
    Resource,
    Rule,
    Target,
    Update,
)

_REPLACEMENT = {OnDelete.NULLIFY: "Null", OnDelete.ORPHAN: "Dangling"}


@dataclass(slots=True)
class NextMaps:
    """Writes the effects of one action.

    `definitions` are names for what is needed on the way, `conditions` what the effects require,
    `maps` the next value of each resource map that changes, `comments` their clauses.
    """

    action: Action
    text: Text
    definitions: list[tuple[str, str]] = field(default_factory=list)
    conditions: list[str] = field(default_factory=list)
    maps: dict[str, str] = field(default_factory=dict)
    comments: dict[str, list[str]] = field(default_factory=dict)

    def write(self) -> None:
        """Carry out all effects, one after another."""
        for effect in self.action.effects:
            match effect:
                case Create():
                    self._create(effect)
                case Update():
                    self._update(effect)
                case Delete():
                    self._delete(effect)

    def _now(self, resource: str) -> str:
        """The map as the effects so far have left it, under a name."""
        if resource not in self.maps:
            return self.text.names.maps[resource]
        text = self.maps[resource]
        if any(text == name for name, _ in self.definitions):
            return text
        self.maps[resource] = self._define(self.text.names.maps[resource], text)
        return self.maps[resource]

    def _define(self, stem: str, text: str) -> str:
        taken = self.text.names.taken | {name for name, _ in self.definitions}
        taken |= {self.text.names.local(p.name) for p in self.action.parameters}
        name, number = stem, 1
        while name in taken:
            name, number = f"{stem}{number}", number + 1
        self.definitions.append((name, text))
        return name

    def _put(self, resource: str, text: str, effect: Effect) -> None:
        self.maps[resource] = text
        self.comments.setdefault(resource, []).extend(comment_lines(effect.clause, ""))

    def _create(self, effect: Create) -> None:
        resource = self.text.model.resource(effect.resource)
        self._require(effect, resource)
        first = effect.resource not in self.maps
        now = self._now(effect.resource)
        target = self._local(effect.target)
        record = self._new_record(effect, resource, target)
        if isinstance(effect.target, Each):
            members = self.text.names.local(effect.target.parameter)
            text = (
                f"[{target} \\in DOMAIN {now} \\cup {members} |-> "
                f"IF {target} \\in DOMAIN {now} THEN {now}[{target}] ELSE {record}]"
            )
        else:
            is_absent = f"{target} \\notin DOMAIN {now}" in self.text.known and first
            text = f"{'MapPut' if is_absent else 'MapAdd'}({now}, {target}, {record})"
        self._put(effect.resource, text, effect)

    def _new_record(self, effect: Create, resource: Resource, target: str) -> str:
        if not resource.fields:
            return f"[id |-> {target}]"
        given = {assign.field: assign.term for assign in effect.fields}
        parts = [
            f"{f.name} |-> {self.text.term(given.get(f.name, Null()))}" for f in resource.fields
        ]
        return f"[{', '.join(parts)}]"

    def _update(self, effect: Update) -> None:
        resource = self.text.model.resource(effect.resource)
        self._require(effect, resource)
        now = self._now(effect.resource)
        if not effect.fields:
            return
        key = "key"
        if isinstance(effect.target, Each):
            key = self._local(effect.target)
            hit = f"{key} \\in {self.text.names.local(effect.target.parameter)}"
        else:
            hit = f"{key} = {self._local(effect.target)}"
        changes = ", ".join(f"!.{a.field} = {self.text.term(a.term)}" for a in effect.fields)
        changed = f"IF {hit} THEN [{now}[{key}] EXCEPT {changes}] ELSE {now}[{key}]"
        self._put(effect.resource, f"[{key} \\in DOMAIN {now} |-> {changed}]", effect)

    def _delete(self, effect: Delete) -> None:
        rules = rules_of(self.text.model, effect)
        now = {r: self._now(r) for r in [effect.resource, *(rule.resource for rule, _ in rules)]}
        gone = self._fallen(effect, rules, now)
        for resource, name in now.items():
            mine = [(rule, t) for rule, t in rules if rule.resource == resource]
            self._restrict(mine, now, gone, effect)
            changes = [(r, t) for r, t in mine if r.on_delete in _REPLACEMENT]
            if resource not in gone and not changes:
                continue
            self._put(resource, self._remaining(resource, name, changes, gone), effect)

    def _remaining(
        self, resource: str, now: str, changes: list[tuple[Rule, str]], gone: dict[str, str]
    ) -> str:
        if not changes:
            return f"Without({now}, {gone[resource]})"
        parts = [_replaced(rule, gone[target]) for rule, target in changes]
        domain = f"DOMAIN {now}" + (f" \\ {gone[resource]}" if resource in gone else "")
        return f"[key \\in {domain} |-> [{now}[key] EXCEPT {', '.join(parts)}]]"

    def _fallen(
        self, effect: Delete, rules: tuple[tuple[Rule, str], ...], now: dict[str, str]
    ) -> dict[str, str]:
        """The sets of values that the deletion takes away, by resource."""
        cascades = [(r, t) for r, t in rules if r.on_delete is OnDelete.CASCADE]
        gone = {effect.resource: self._first(effect, now)}
        before: dict[str, set[str]] = {effect.resource: set()}
        for rule, target in cascades:
            before.setdefault(rule.resource, set()).add(target)
        try:
            order = list(TopologicalSorter(before).static_order())
        except CycleError:
            rounds = sum(self.text.model.resource(name).size for name in before)
            order = [name for _ in range(rounds) for name in before]
        for resource in order:
            mine = [(r, t) for r, t in cascades if r.resource == resource and t in gone]
            if mine:
                found = self._referring(now[resource], mine, gone)
                text = f"{gone[resource]} \\cup {found}" if resource in gone else found
                gone[resource] = self._define(_gone(self.text.names.maps[resource]), text)
        return gone

    def _first(self, effect: Delete, now: dict[str, str]) -> str:
        if isinstance(effect.target, Each):
            name = self.text.names.local(effect.target.parameter)
            return self._define(
                _gone(self.text.names.maps[effect.resource]),
                f"{name} \\cap DOMAIN {now[effect.resource]}",
            )
        target = self._local(effect.target)
        if f"{target} \\in DOMAIN {now[effect.resource]}" in self.text.known:
            return f"{{{target}}}"
        return f"({{{target}}} \\cap DOMAIN {now[effect.resource]})"

    def _referring(self, now: str, mine: list[tuple[Rule, str]], gone: dict[str, str]) -> str:
        hits = [_in(f"{now}[key].{rule.field}", gone[target]) for rule, target in mine]
        found = " \\/ ".join(hits)
        return f"{{key \\in DOMAIN {now} : {found}}}"

    def _restrict(
        self,
        rules: list[tuple[Rule, str]],
        now: dict[str, str],
        gone: dict[str, str],
        effect: Delete,
    ) -> None:
        for rule, target in rules:
            if rule.on_delete is not OnDelete.RESTRICT or self._is_guarded(rule, effect):
                continue
            name = now[rule.resource]
            fallen = f" \\ {gone[rule.resource]}" if rule.resource in gone else ""
            held = f"{name}[key].{rule.field}"
            self.conditions.append(
                f"\\A key \\in DOMAIN {name}{fallen} : {held} \\notin {gone[target]}"
            )

    def _is_guarded(self, rule: Rule, effect: Delete) -> bool:
        direct = all(r.on_delete is not OnDelete.CASCADE for r in effect.rules)
        conditions = [conjunct.condition for conjunct in self.action.guard]
        return (
            direct
            and effect is self.action.effects[0]
            and any(says_unreferenced(c, rule, effect.target) for c in conditions)
        )

    def _require(self, effect: Create | Update, resource: Resource) -> None:
        """Assigned terms are defined and fit, or the action is not enabled."""
        for assign in effect.fields:
            wanted = self.text.defined(assign.term)
            held = resource.field(assign.field)
            if not self._fits(assign, effect, held):
                domain = field_domain_text(self.text.names, effect.resource, held)
                wanted.append(f"{self.text.term(assign.term)} \\in {domain}")
            for condition in wanted:
                self.conditions.append(self._for_members(effect.target, condition))

    def _for_members(self, target: Target, condition: str) -> str:
        if not isinstance(target, Each):
            return condition
        members = self.text.names.local(target.parameter)
        return f"\\A {self._local(target)} \\in {members} : {condition}"

    def _fits(self, assign: Assign, effect: Create | Update, held: Field) -> bool:
        """Whether every value the term can have is one the field can hold."""
        match assign.term:
            case Null():
                return held.optional
            case FieldOf():
                given = self.text.field_of(assign.term)
                dangling = self.text.names.dangling
                return (
                    _within(given.domain, held.domain)
                    and given.optional <= held.optional
                    and ((assign.term.resource, given.name) in dangling)
                    <= ((effect.resource, held.name) in dangling)
                )
            case _:
                domain = self._domain(assign.term, effect.target)
                return domain is None or _within(domain, held.domain)

    def _domain(self, term: Term, target: Target) -> Domain | None:
        """The domain of a parameter or constant; nothing where the kind says all."""
        if isinstance(term, Var) and not (
            isinstance(target, Each) and target.variable == term.name
        ):
            kinds = {p.name: p.kind for p in self.action.parameters}
            kind = kinds.get(term.name)
            return kind.domain if isinstance(kind, OneOf) else None
        if isinstance(term, Constant):
            return _domain_of_constant(term.value)
        return None if isinstance(term, Var) else Numbers(0, 2**31)

    def _local(self, target: Target) -> str:
        name = target.variable if isinstance(target, Each) else target.name
        return self.text.names.local(name)


def _replaced(rule: Rule, gone: str) -> str:
    new = _REPLACEMENT[rule.on_delete]
    return f"!.{rule.field} = IF {_in('@', gone)} THEN {new} ELSE @"


def _gone(name: str) -> str:
    return f"gone{name[0].upper()}{name[1:]}"


def _in(value: str, members: str) -> str:
    """Membership; in a set of one it is equality."""
    is_single = members.startswith("{") and "," not in members
    return f"{value} = {members[1:-1]}" if is_single else f"{value} \\in {members}"


def _domain_of_constant(value: bool | int | str) -> Domain | None:
    if isinstance(value, bool):
        return None
    return Choice((value,)) if isinstance(value, str) else Numbers(value, value)


def _within(inner: Domain, outer: Domain) -> bool:
    if isinstance(inner, Numbers) and isinstance(outer, Numbers):
        return outer.low <= inner.low and inner.high <= outer.high
    if isinstance(inner, Choice) and isinstance(outer, Choice):
        return set(inner.values) <= set(outer.values)
    return inner == outer
