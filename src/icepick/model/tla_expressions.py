"""Conditions of the model as TLA+ text.

TLA+ leaves the field of an absent instance unspecified, the model calls a comparison with it
false. So a comparison is preceded by what makes its terms defined, unless that is known already.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from icepick.model.expressions import (
    And,
    Comparator,
    Compare,
    Constant,
    Count,
    CountDistinct,
    Every,
    Exists,
    Expression,
    FieldOf,
    Implies,
    Not,
    Null,
    Or,
    Range,
    Some,
    Term,
    ValuesOf,
    Var,
)
from icepick.model.tla_names import Names, number_text, special_values, string_text
from icepick.model.types import Field, Model

_COMPARATORS = {Comparator.UNEQUAL: "#", Comparator.AT_MOST: "<="}


@dataclass(frozen=True, slots=True)
class Text:
    """Writes expressions; `known` are conditions that hold wherever the text will stand."""

    model: Model
    names: Names
    known: frozenset[str] = field(default_factory=frozenset)

    def knowing(self, *conditions: str) -> Text:
        """The same, where these hold as well."""
        return replace(self, known=self.known.union(conditions))

    def condition(self, expression: Expression) -> str:
        """A condition that can stand as an operand of any connective."""
        match expression:
            case Exists() | Compare() | And():
                return _join("/\\", self.conjuncts(expression), empty="TRUE")
            case Or(parts):
                texts = [self.condition(part) for part in parts]
                return _join("\\/", texts, empty="FALSE")
            case Not(part):
                return self._not(part)
            case Implies(left, right):
                inner = self.knowing(*self.facts(left))
                return f"({self.condition(left)} => {inner.condition(right)})"
            case Every(variable, over, inner_condition):
                return self._quantified("\\A", variable, over, inner_condition)
            case Some(variable, over, inner_condition):
                return self._quantified("\\E", variable, over, inner_condition)

    def conjuncts(self, expression: Expression) -> list[str]:
        """Conditions that together say the same, each able to stand in a list."""
        match expression:
            case Exists(resource, instance):
                return [*self.defined(instance), self._present(resource, instance)]
            case Compare():
                return self._comparison(expression)
            case And(parts):
                return self._and(parts)
            case _:
                return [_bare(self.condition(expression))]

    def facts(self, expression: Expression) -> list[str]:
        """Conditions that hold whenever the expression does."""
        match expression:
            case Exists(resource, instance):
                return [*self._all_defined(instance), self._present(resource, instance)]
            case Compare(_, left, right):
                return [*self._all_defined(left), *self._all_defined(right)]
            case And(parts):
                return [fact for part in parts for fact in self.facts(part)]
            case _:
                return []

    def term(self, term: Term) -> str:
        """A term, where it is defined."""
        match term:
            case Var(name):
                return self.names.local(name)
            case Constant(value):
                return _constant(value)
            case Null():
                return "Null"
            case FieldOf(resource, instance, name):
                return f"{self.names.maps[resource]}[{self.term(instance)}].{name}"
            case Count(resource, variable, condition):
                return f"Cardinality({self._those(resource, variable, condition)})"
            case CountDistinct():
                return self._count_distinct(term)

    def defined(self, term: Term) -> list[str]:
        """What makes the term defined, without what is known."""
        return [text for text in self._all_defined(term) if text not in self.known]

    def _all_defined(self, term: Term) -> list[str]:
        if not isinstance(term, FieldOf):
            return []
        return [*self._all_defined(term.instance), self._present(term.resource, term.instance)]

    def _present(self, resource: str, instance: Term) -> str:
        return f"{self.term(instance)} \\in DOMAIN {self.names.maps[resource]}"

    def _comparison(self, comparison: Compare) -> list[str]:
        sides = (comparison.left, comparison.right)
        parts = [text for side in sides for text in self.defined(side)]
        if comparison.comparator not in (Comparator.EQUAL, Comparator.UNEQUAL):
            if any(isinstance(side, Null) for side in sides):
                return ["FALSE"]
            parts += [f"{self.term(s)} # Null" for s in sides if self._may_be_null(s)]
        sign = _COMPARATORS.get(comparison.comparator, comparison.comparator.value)
        parts.append(f"{self.term(comparison.left)} {sign} {self.term(comparison.right)}")
        return list(dict.fromkeys(parts))

    def _may_be_null(self, term: Term) -> bool:
        return isinstance(term, FieldOf) and self.field_of(term).optional

    def field_of(self, term: FieldOf | CountDistinct) -> Field:
        """The field that the term reads."""
        return self.model.resource(term.resource).field(term.field)

    def _and(self, parts: tuple[Expression, ...]) -> list[str]:
        texts: list[str] = []
        text = self
        for part in parts:
            is_list = isinstance(part, Exists | Compare | And)
            texts += text.conjuncts(part) if is_list else [text.condition(part)]
            text = text.knowing(*self.facts(part))
        return texts

    def _not(self, part: Expression) -> str:
        if isinstance(part, Exists) and not self.defined(part.instance):
            return self._present(part.resource, part.instance).replace(" \\in ", " \\notin ")
        return f"~({_bare(self.condition(part))})"

    def _quantified(self, sign: str, variable: str, over: Range, inner: Expression) -> str:
        if isinstance(over, ValuesOf):
            members = self.names.ids[over.resource]
        else:
            members = self.names.local(over.parameter)
        return (
            f"({sign} {self.names.local(variable)} \\in {members} : {_bare(self.condition(inner))})"
        )

    def _those(self, resource: str, variable: str, condition: Expression) -> str:
        """The set of the instances that satisfy the condition."""
        domain = f"DOMAIN {self.names.maps[resource]}"
        if condition == And(()):
            return domain
        name = self.names.local(variable)
        inner = _bare(self.knowing(f"{name} \\in {domain}").condition(condition))
        return f"{{{name} \\in {domain} : {inner}}}"

    def _count_distinct(self, term: CountDistinct) -> str:
        name, those = self.names.local(term.variable), term.condition
        members = self._those(term.resource, term.variable, those)
        held = f"{self.names.maps[term.resource]}[{name}].{term.field}"
        found = f"{{{held} : {name} \\in {members}}}"
        specials = special_values(self.names, term.resource, self.field_of(term))
        without = f" \\ {{{', '.join(specials)}}}" if specials else ""
        return f"Cardinality({found}{without})"


def branches(expression: Expression) -> bool:
    """Whether TLC would take the condition, in a guard, as a choice between transitions."""
    match expression:
        case Or() | Some():
            return True
        case And(parts):
            return any(branches(part) for part in parts)
        case Every(_, _, inner):
            return branches(inner)
        case Implies(_, right):
            return branches(right)
        case _:
            return False


def _constant(value: bool | int | str) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return number_text(value) if isinstance(value, int) else string_text(value)


def _bare(text: str) -> str:
    """Without parentheses around the whole of it."""
    depth = 0
    for i, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0 and i < len(text) - 1:
            return text
    return text[1:-1] if text.startswith("(") else text


def _join(connective: str, parts: list[str], *, empty: str) -> str:
    if not parts:
        return empty
    return parts[0] if len(parts) == 1 else f"({f' {connective} '.join(parts)})"
