"""The data of the semantics beside a document: which values have which types."""

from __future__ import annotations

from icepick.glacier import MemoryEnvironment, Truth
from icepick.openapi.types import Json
from icepick.openapi.validate import Direction
from icepick.protocol.assertions import Functions, judge
from icepick.protocol.semantics import Values
from icepick.protocol.tree import Argument, Assertion, Declared, Literal
from icepick.protocol.types import Types


class ApiDomain:
    """Values by the types of a document. A generator may give whatever its type allows.

    Assertions are decided from the variables alone: one that speaks of the exchange itself, which
    no trace shows, counts as holding.
    """

    def __init__(self, types: Types, functions: Functions) -> None:
        self._types = types
        self._functions = functions

    def generates(self, argument: Argument, value: Json, /) -> bool:
        """A literal gives itself, and a generator any value of its type."""
        if isinstance(argument.made, Literal):
            return bool(argument.made.value == value)
        if argument.type is None:
            return True
        return self._types.problem(argument.type, value, Direction.REQUEST) is None

    def inhabits(self, declared: Declared, value: Json, /) -> bool:
        """Whether the value validates."""
        return self._types.problem(declared.type, value, Direction.RESPONSE) is None

    def holds(self, assertion: Assertion, values: Values, /) -> bool:
        """Whether nothing speaks against it."""
        found = judge(assertion, MemoryEnvironment(), values, self._functions)
        return found.value is not Truth.FALSE
