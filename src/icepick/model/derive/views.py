"""Collections as views on the resource maps: what is in them, and how many."""

from __future__ import annotations

from dataclasses import dataclass

from icepick.model.expressions import (
    And,
    Comparator,
    Compare,
    Count,
    CountDistinct,
    Exists,
    Expression,
    FieldOf,
    Some,
    Term,
    ValuesOf,
    Var,
)


def equal(left: Term, right: Term) -> Expression:
    """Two terms are the same."""
    return Compare(Comparator.EQUAL, left, right)


@dataclass(frozen=True, slots=True)
class Listed:
    """The instances of a resource, or those whose fields hold given values."""

    resource: str
    fields: tuple[tuple[str, Term], ...] = ()

    def has(self, term: Term, fresh: str) -> Expression:  # noqa: ARG002 - as in Joined
        """Whether an instance is in it."""
        return And((Exists(self.resource, term), *self._conditions(term)))

    def count(self, fresh: str) -> Term:
        """How many are in it."""
        return Count(self.resource, fresh, And(self._conditions(Var(fresh))))

    def _conditions(self, term: Term) -> tuple[Expression, ...]:
        return tuple(
            equal(FieldOf(self.resource, term, field), value) for field, value in self.fields
        )


@dataclass(frozen=True, slots=True)
class Joined:
    """The instances that an association joins to one owner."""

    resource: str
    association: str
    owner_field: str
    owner: Term
    member_field: str

    def has(self, term: Term, fresh: str) -> Expression:
        """Whether an instance is in it."""
        joins = equal(FieldOf(self.association, Var(fresh), self.member_field), term)
        there = Exists(self.association, Var(fresh))
        condition = And((there, self._owned(fresh), joins))
        return Some(fresh, ValuesOf(self.association), condition)

    def count(self, fresh: str) -> Term:
        """How many are in it."""
        return CountDistinct(self.association, fresh, self.member_field, self._owned(fresh))

    def _owned(self, fresh: str) -> Expression:
        return equal(FieldOf(self.association, Var(fresh), self.owner_field), self.owner)


View = Listed | Joined
