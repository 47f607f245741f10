"""Which property of a representation is the one in the item path, and who chooses it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from icepick.openapi.shape import Schemas, keyword, types
from icepick.openapi.types import Operation, ParameterLocation, Schema
from icepick.resources.fields import inputs, leaves, response_schema, success
from icepick.resources.types import (
    Chooser,
    Evidence,
    Field,
    Identifier,
    Location,
    Path,
    Payload,
    Provenance,
    Use,
)
from icepick.resources.words import ID_WORDS, Words, is_generic, singular, words

WRAPPERS = frozenset({"metadata", "meta", "data", "attributes", "_id", "identifier", "info", "key"})
"""Objects inside a representation that are still about the thing itself."""

Match = tuple[float, Field, str]
"""How well a property fits, the property, and why."""


@dataclass(frozen=True, slots=True)
class Address:
    """What an item path says of an identifier: its name, what is addressed, its schema, and what
    a person reads about it."""

    parameter: str
    named: Words
    like: Schema
    described: str = ""


def best_match(
    parameter: str, named: Words, candidates: Iterable[Field], schemas: Schemas, like: Schema
) -> Match | None:
    """The property that a path parameter means, among those of the resource called `named`."""
    best: Match | None = None
    for field in candidates:
        if field.is_many:
            continue
        score, reason = _fit(words(parameter), named, words(field.name))
        score -= sum(0.05 if part in WRAPPERS else 0.6 for part in field.path[:-1])
        if score > 0 and not compatible(field.schema, like, schemas):
            score -= 0.3
        if score > 0 and _is_deprecated(field.schema, schemas):
            score -= 0.3
        if score > 0.3 and (best is None or score > best[0]):
            best = (score, field, f"{{{parameter}}} is `{field}`: {reason}")
    return best


def _fit(parameter: Words, named: Words, prop: Words) -> tuple[float, str]:
    if not parameter or not prop:
        return 0.0, ""
    last = named[-1:]
    if prop == parameter:
        return 1.0, "the same name"
    if parameter in ((*named, *prop), (*last, *prop)):
        return 0.95, "the same name less that of the resource"
    if prop in ((*named, *parameter), (*last, *parameter)):
        return 0.9, "the same name with that of the resource"
    if parameter in (named, last):
        return _named_after(prop, named)
    if len(prop) == 1 and prop[0] in ID_WORDS and parameter[-1:] == prop:
        return 0.8, "the parameter ends in it"
    return _fit_by_itself(named, prop)


def _fit_by_itself(named: Words, prop: Words) -> tuple[float, str]:
    """The parameter says nothing of the property, but the property is called as identifiers are."""
    if prop == named:
        return 0.7, "the property is called like the resource"
    if prop == ("id",):
        return 0.5, "it is the only thing called id"
    return 0.0, ""


def _named_after(prop: Words, named: Words) -> tuple[float, str]:
    """The parameter is called like the resource: `{project}`."""
    tail = prop[len(named) :] if prop[: len(named)] == named else prop
    if not tail:
        return 0.72, "the property is called like the resource"
    if len(tail) == 1 and tail[0] in ID_WORDS:
        return 0.8 - 0.02 * ID_WORDS.index(tail[0]), "the usual name of an identifier"
    return 0.0, ""


def _is_deprecated(schema: Schema, schemas: Schemas) -> bool:
    """Whether a property is on its way out: many documents say so in words alone."""
    described = keyword(schema, "description", schemas)
    in_words = isinstance(described, str) and described.lower().startswith("deprecated")
    return in_words or keyword(schema, "deprecated", schemas) is True


def compatible(one: Schema, other: Schema, schemas: Schemas) -> bool:
    """Whether two schemas can hold the same value, as far as they tell."""
    left = _numbers_alike(types(one, schemas))
    right = _numbers_alike(types(other, schemas))
    return not left or not right or bool(left & right - {"null"})


def _numbers_alike(kinds: frozenset[str]) -> frozenset[str]:
    return frozenset("number" if kind == "integer" else kind for kind in kinds)


def identifier(
    address: Address,
    shown: Iterable[Schema],
    creating: Iterable[tuple[Operation, Use]],
    schemas: Schemas,
) -> Identifier:
    """How instances are told apart, from the first representation that shows it."""
    matches = (
        _described(address, leaves(schema, schemas), schemas)
        or best_match(
            address.parameter, address.named, leaves(schema, schemas), schemas, address.like
        )
        for schema in shown
    )
    match = next((found for found in matches if found), None)
    taken, chooser, why = _chosen(address, creating, match[1] if match else None, schemas)
    confidence, reason = (match[0], match[2]) if match else (0.4, "no property fits")
    return Identifier(
        address.parameter,
        address.like,
        match[1].path if match else None,
        chooser,
        taken,
        Evidence(Provenance.INFERRED, round(confidence, 2), f"{reason}; {why}"),
    )


def shown_at(identifier: Identifier, known: Iterable[str]) -> Path | None:
    """Where an object of these properties shows an identifier: as instances do, or under the name
    that it has in paths."""
    names = list(known)
    if identifier.property is None or identifier.property[0] in names:
        return identifier.property
    wanted = words(identifier.parameter)
    return next(((name,) for name in names if words(name) == wanted), None)


def _described(address: Address, fields: Iterable[Field], schemas: Schemas) -> Match | None:
    """The property that the words about the parameter name.

    A parameter that is called like the resource, as `{project}`, leaves open which one it is.
    """
    named = _mentioned(address.described)
    if not named or words(address.parameter) not in (address.named, address.named[-1:]):
        return None
    for field in fields:
        prop = words(field.name)
        fits = len(field.path) == 1 and compatible(field.schema, address.like, schemas)
        if fits and prop in (named, (*address.named, *named)):
            reason = f"{{{address.parameter}}} is `{field}`: its description says so"
            return 0.85, field, reason
    return None


def _mentioned(described: str) -> Words:
    """The one usual name of an identifier in a description; nothing where there are several."""
    found = {word for word in words(described) if word in ID_WORDS}
    return tuple(found) if len(found) == 1 else ()


def _chosen(
    address: Address,
    creating: Iterable[tuple[Operation, Use]],
    prop: Field | None,
    schemas: Schemas,
) -> tuple[Field | None, Chooser, str]:
    """Who makes the identifier, and where creation takes it."""
    for operation, use in creating:
        own = Field((address.parameter,), Location.PATH, address.like, required=True)
        # Below another resource, the name may be that of the other one.
        names = {one.name for one in operation.parameters_in(ParameterLocation.PATH)}
        if own.name in names and use.owner is None:
            return own, Chooser.CLIENT, f"{operation.label} takes it in the path"
        given = _own_input(operation, use.request, prop, address.parameter, schemas)
        if given is None or _answers_with_number(operation, schemas):
            continue
        if not given.required and _finds(operation, address.named):
            why = f"{operation.label} looks for what `{given}` names, and may not find it"
            return given, Chooser.SERVER, why
        if given.required or not is_generic(words(given.name)) or _needs_no_answer(operation):
            return given, Chooser.CLIENT, f"{operation.label} takes it as `{given}`"
        return given, Chooser.EITHER, f"{operation.label} may be given it as `{given}`"
    return None, Chooser.SERVER, "no creation takes it"


def _own_input(
    operation: Operation, sent: Payload | None, prop: Field | None, parameter: str, schemas: Schemas
) -> Field | None:
    """The input of a creation that is the identifier: the same property, or the same name."""
    for field in inputs(operation, schemas):
        if field.location is Location.PATH or field.read_only or field.is_many:
            continue
        inner = sent.inner(field.path) if sent else field.path
        if prop is not None and inner == prop.path:
            return field
        if words(field.name) == words(parameter) and len(inner) == 1:
            return field
    return None


def _needs_no_answer(operation: Operation) -> bool:
    """Whether the answer cannot tell a server-made identifier, so that it must be the client's."""
    answer = success(operation)
    return answer is not None and not answer.content and not answer.headers


def _finds(operation: Operation, named: Words) -> bool:
    """Whether a creation says that it may not find one of its own kind: then it changes what is
    there if it is told which. What else is missing may be what it refers to."""
    missing = operation.responses.get("404")
    told = {singular(word) for word in words(missing.description)} if missing else set()
    return named[-1:] != () and named[-1] in told


def _answers_with_number(operation: Operation, schemas: Schemas) -> bool:
    """Whether a creation answers with a bare number: the identifier that the service has made."""
    schema = response_schema(operation)
    return schema is not None and types(schema, schemas) == {"integer"}
