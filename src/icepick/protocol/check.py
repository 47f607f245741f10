"""Check protocols against the document that they are about, and in themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches

from icepick.errors import Code, Diagnostic, Severity
from icepick.glacier import Contracts, OperationContract, Provenance, parse_formula
from icepick.glacier.contracts import Clause as Contract
from icepick.glacier.static import check_contracts
from icepick.openapi.types import ApiSpec, Operation
from icepick.protocol.assertions import names_in
from icepick.protocol.automaton import Automaton, Edge, Kind, automaton_of
from icepick.protocol.bind import Misfit, bind_receive, bind_send
from icepick.protocol.load import Protocols
from icepick.protocol.origin import Origin
from icepick.protocol.places import declared_response
from icepick.protocol.shape import check_shape
from icepick.protocol.tree import (
    Argument,
    Clause,
    Declared,
    Function,
    Literal,
    Named,
    Receive,
    Send,
    Type,
)
from icepick.protocol.types import Types
from icepick.protocol.values import BUILT_IN

_ASKED = frozenset({Code.UNKNOWN_PATH, Code.NO_GET, Code.NOT_A_TRUTH_VALUE})


def check_protocols(protocols: Protocols, spec: ApiSpec) -> tuple[Diagnostic, ...]:
    """Everything that is wrong or odd in the definitions and in the models of a file.

    An error cannot work, a warning most likely is not what was meant, a note is worth knowing.
    """
    found = list(check_shape(protocols))
    for name in protocols.models:
        automaton = automaton_of(name, protocols.definitions)
        found += _Checker(protocols, Types(spec), automaton).all()
    # A definition that several models use would be told of once for each.
    return tuple(dict.fromkeys(found))


class _Checker:
    """Checks one model, edge by edge: every edge knows what is bound where it is taken."""

    def __init__(self, protocols: Protocols, types: Types, automaton: Automaton) -> None:
        self._protocols = protocols
        self._types = types
        self._automaton = automaton
        self._bindings = _types_of_bindings(automaton)

    def all(self) -> Iterator[Diagnostic]:
        """Every finding."""
        yield from self._turns()
        for edge in self._automaton.edges:
            if isinstance(edge.branch, Send):
                yield from self._send(edge, edge.branch)
            else:
                yield from self._receive(edge, edge.branch)
        yield from self._asked()
        yield from self._ending()

    def _found(
        self,
        edge: Edge,
        code: Code,
        message: str,
        offset: int,
        hint: str | None,
        severity: Severity = Severity.ERROR,
    ) -> Diagnostic:
        origin = self._protocols.origin(str(edge.key[0]))
        return origin.diagnostic(code, severity, message, offset, hint)

    def _misfit(self, edge: Edge, misfit: Misfit) -> Diagnostic:
        return self._found(edge, misfit.code, misfit.message, misfit.span[0], misfit.hint)

    def _send(self, edge: Edge, send: Send) -> Iterator[Diagnostic]:
        yield from self._unbound(edge, [a for a in send.arguments if a.type is None])
        yield from self._generators(edge, send)
        yield from self._known_types(edge, send.arguments)
        operation = self._operation(send.operation)
        if operation is None:
            yield self._unknown_call(edge, send)
            return
        for misfit in bind_send(send, operation, self._types, self._known(edge)).misfits:
            yield self._misfit(edge, misfit)

    def _unbound(self, edge: Edge, arguments: list[Argument]) -> Iterator[Diagnostic]:
        scope = dict(self._automaton.states[edge.source].scope)
        for argument in arguments:
            name = argument.variable
            if name is not None and name not in scope:
                yield self._not_bound(edge, name, argument.span[0], list(scope))

    def _not_bound(self, edge: Edge, name: str, offset: int, scope: list[str]) -> Diagnostic:
        near = get_close_matches(name, scope, n=1, cutoff=0.6)
        hint = f"did you mean `{near[0]}`?" if near else f"to make a value, write `{name}: Type`"
        message = f"nothing has bound `{name}` here"
        return self._found(edge, Code.UNBOUND_VARIABLE, message, offset, hint)

    def _generators(self, edge: Edge, send: Send) -> Iterator[Diagnostic]:
        for argument in send.arguments:
            made = argument.made
            if isinstance(made, Named):
                yield from self._function(edge, made.name, made.span[0], "generator", BUILT_IN)
            elif isinstance(made, Literal) and argument.type is not None:
                problem = self._types.schema(argument.type) and self._literal(argument)
                if problem:
                    code = Code.VALUE_MISFIT
                    yield self._found(edge, code, problem, made.span[0], "correct the type")

    def _literal(self, argument: Argument) -> str | None:
        assert isinstance(argument.made, Literal)  # noqa: S101 - the caller matched it
        assert argument.type is not None  # noqa: S101 - the caller matched it
        reason = self._types.misfit(argument.type, argument.made.value)
        return f"this is no {argument.type}: {reason}" if reason else None

    def _function(
        self, edge: Edge, name: str, offset: int, what: str, built_in: tuple[str, ...] = ()
    ) -> Iterator[Diagnostic]:
        known = [*self._protocols.functions, *built_in]
        if name in known:
            return
        near = get_close_matches(name, known, n=1, cutoff=0.7)
        hint = f"did you mean `{near[0]}`?" if near else "define it in gen.py beside the protocol"
        message = f"there is no {what} `{name}`"
        yield self._found(edge, Code.UNKNOWN_PYTHON_FUNCTION, message, offset, hint)

    def _known_types(
        self, edge: Edge, parts: tuple[Argument, ...] | tuple[Declared, ...]
    ) -> Iterator[Diagnostic]:
        for of in (part.type for part in parts):
            if of is not None and self._types.schema(of) is None:
                message = f"there is no type `{of.name}`"
                hint = self._types.nearest(of)
                yield self._found(edge, Code.UNKNOWN_TYPE, message, of.span[0], hint)

    def _unknown_call(self, edge: Edge, send: Send) -> Diagnostic:
        ids = [one.id for one in self._types.spec.operations]
        near = get_close_matches(send.operation, ids, n=1, cutoff=0.5)
        hint = f"did you mean `{near[0]}`?" if near else f"it has {', '.join(ids[:8])}"
        message = f"the document has no operation `{send.operation}`"
        return self._found(edge, Code.UNKNOWN_CALL, message, send.span[0], hint)

    def _operation(self, name: str | None) -> Operation | None:
        operations = self._types.spec.operations
        return next((one for one in operations if one.id == name), None)

    def _known(self, edge: Edge) -> dict[str, Type]:
        scope = self._automaton.states[edge.source].scope
        return {name: self._bindings[key, name] for name, key in scope}

    def _receive(self, edge: Edge, receive: Receive) -> Iterator[Diagnostic]:
        operation = self._operation(edge.operation)
        yield from self._known_types(edge, receive.variables)
        yield from self._assertions(edge, receive, operation)
        if operation is None:
            return
        if declared_response(operation, receive.status) is None:
            yield self._undeclared(edge, receive, operation)
            return
        for misfit in bind_receive(receive, operation, self._types).misfits:
            yield self._misfit(edge, misfit)

    def _undeclared(self, edge: Edge, receive: Receive, operation: Operation) -> Diagnostic:
        good = [code for code in operation.responses if code[0] in "2d"]
        if receive.status[0] == "2" and not good:
            # The document is at fault, and says so itself (ICP226).
            message = f"the document declares no success for {operation.id}"
            code, hint = Code.UNDECLARED_RESPONSE, "declare what it answers"
            offset = receive.span[0]
            return self._found(edge, code, message, offset, hint, Severity.WARNING)
        message = f"{operation.id} does not answer with {receive.status}"
        hint = f"it answers with {', '.join(operation.responses) or 'nothing that is declared'}"
        return self._found(edge, Code.UNDECLARED_RESPONSE, message, receive.span[0], hint)

    def _assertions(
        self, edge: Edge, receive: Receive, operation: Operation | None
    ) -> Iterator[Diagnostic]:
        scope = dict(self._automaton.states[edge.source].scope)
        own = {declared.variable for declared in receive.variables}
        parameters = {p.name for p in operation.parameters} if operation is not None else set()
        for assertion in receive.assertions:
            known = {*scope, *own}
            if isinstance(assertion, Function):
                yield from self._function(edge, assertion.name, assertion.span[0], "assertion")
            else:
                known |= parameters
            for name, offset in names_in(assertion):
                if name not in known:
                    yield self._not_bound(edge, name, offset, sorted(known))

    def _asked(self) -> Iterator[Diagnostic]:
        """What clauses ask of the document: the paths of their GETs, and that they are clauses.

        Fields and types are those of one response, which the checks of contracts do not know.
        """
        found: dict[str, list[Contract]] = {}
        for edge in self._automaton.edges:
            operation = self._operation(edge.operation)
            if operation is not None and isinstance(edge.branch, Receive):
                origin = self._protocols.origin(str(edge.key[0]))
                found.setdefault(operation.label, []).extend(_contracts(edge.branch, origin))
        contracts = Contracts(
            {label: OperationContract(label, (), tuple(some)) for label, some in found.items()}
        )
        for one in check_contracts(contracts, self._types.spec):
            if one.code in _ASKED:
                yield replace(one, operation=None)

    def _turns(self) -> Iterator[Diagnostic]:
        states = self._automaton.states
        if states[0].kind is Kind.AWAIT:
            edge = self._automaton.edges_of(0)[0]
            message = "a response is awaited before any call"
            yield self._out_of_turn(edge, message)
        for edge in self._automaton.edges:
            kind = states[edge.target].kind
            if isinstance(edge.branch, Send) and kind in {Kind.CHOOSE, Kind.END}:
                yield self._out_of_turn(edge, f"no response to {edge.label} is awaited")
            elif isinstance(edge.branch, Receive) and kind is Kind.AWAIT:
                yield self._out_of_turn(edge, f"a second response is awaited after {edge.label}")

    def _out_of_turn(self, edge: Edge, message: str) -> Diagnostic:
        hint = "every call is followed by the responses that it may have: !call() . ?C200() . ..."
        return self._found(edge, Code.OUT_OF_TURN, message, edge.branch.span[0], hint)

    def _ending(self) -> Iterator[Diagnostic]:
        automaton = self._automaton
        kinds = {state.kind for state in automaton.states}
        if Kind.END in kinds or Kind.STUCK in kinds or not automaton.edges:
            return
        definition = self._protocols.definitions[automaton.name]
        yield self._protocols.origin(automaton.name).diagnostic(
            Code.NEVER_ENDS,
            Severity.NOTE,
            f"`{automaton.name}` never comes to an end",
            definition.span[0],
            "a run stops after so many calls only; add a branch that ends, or a bound: rec X[5]",
        )


def _contracts(receive: Receive, origin: Origin) -> Iterator[Contract]:
    for one in receive.assertions:
        if isinstance(one, Clause):
            place = origin.place(one.span[0])
            yield Contract(parse_formula(one.text), one.text, Provenance.WRITTEN, place)


def _types_of_bindings(automaton: Automaton) -> dict[tuple[object, str], Type]:
    """The type of every variable, by the branch that binds it."""
    found: dict[tuple[object, str], Type] = {}
    for edge in automaton.edges:
        parts = edge.branch.arguments if isinstance(edge.branch, Send) else edge.branch.variables
        for part in parts:
            if part.variable is not None and part.type is not None:
                found[edge.key, part.variable] = part.type
    return found
