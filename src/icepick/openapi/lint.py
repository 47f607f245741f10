"""Contradictions that reading a document does not meet, but a person would like to know of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from icepick.errors import Code, Diagnostic, Place, Severity
from icepick.openapi.schemas import ReadSchema
from icepick.openapi.shape import parts, properties, reference_name
from icepick.openapi.types import ApiSpec, Json, Operation, Schema
from icepick.openapi.validate import Direction, Problem, Validators

_Claim = tuple[ReadSchema, str, Json]
Problems = tuple[Problem, ...] | None

_BOUNDS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)


def lint(
    spec: ApiSpec, read: Iterable[ReadSchema], places: Mapping[str, Place]
) -> Iterator[Diagnostic]:
    """What is odd about an API; `read` are its schemas, `places` those of its operations by id."""
    read = tuple(read)
    for item in read:
        yield from _undeclared(item, spec)
        yield from _bounds(item)
    yield from _circles(read, spec)
    yield from _examples(read, Validators(spec.schemas))
    validators = Validators(spec.schemas)
    for operation in spec.operations:
        yield from _operation(operation, places[operation.id])
        yield from _given_examples(operation, places[operation.id], validators)
    yield from _generated_ids(spec, places)


def _found(code: Code, severity: Severity, message: str, item: ReadSchema) -> Diagnostic:
    return Diagnostic(code, severity, message, item.node.place(), operation=item.operation)


def _undeclared(item: ReadSchema, spec: ApiSpec) -> Iterator[Diagnostic]:
    if "required" not in item.schema or "properties" not in item.schema:
        return
    known = properties(item.schema, spec.schemas)
    missing = [name for name in item.schema["required"] if name not in known]
    if missing and not item.is_part:
        names = ", ".join(repr(name) for name in missing)
        message = f"required names {names}, which no property declares"
        yield _found(Code.UNDECLARED_REQUIRED, Severity.WARNING, message, item)


def _circles(read: Iterable[ReadSchema], spec: ApiSpec) -> Iterator[Diagnostic]:
    """Schemas that contain themselves as a whole, not as a property or an element."""
    read_as = {id(item.schema): item for item in read}
    for name, schema in spec.schemas.items():
        whole = (part for part, must in parts(schema, spec.schemas) if must)
        if id(schema) in read_as and any(reference_name(part) == name for part in whole):
            message = f"the schema {name!r} is made of itself, which says nothing"
            item = read_as[id(schema)]
            yield _found(Code.CIRCULAR_REFERENCE, Severity.WARNING, message, item)


def _bounds(item: ReadSchema) -> Iterator[Diagnostic]:
    for low, high in _BOUNDS:
        if item.schema.get(low, 0) > item.schema.get(high, float("inf")):
            message = f"{low} {item.schema[low]} is above {high} {item.schema[high]}: no value fits"
            yield _found(Code.UNSATISFIABLE_SCHEMA, Severity.WARNING, message, item)


def _examples(read: Iterable[ReadSchema], validators: Validators) -> Iterator[Diagnostic]:
    """Examples and defaults that break their own schema."""
    claims = [(item, kind, value) for item in read for kind, value in _values(item.schema)]
    for item, kind, problems in _judged(claims, validators):
        if problems:
            first = problems[0]
            where = f" at {first.pointer}" if first.pointer else ""
            message = f"the {kind} does not fit its own schema{where}: {_short(first.message)}"
            yield _found(Code.INVALID_EXAMPLE, Severity.WARNING, message, item)
        elif problems is None:
            message = "the schema contradicts the rules of JSON Schema and cannot be checked"
            yield _found(Code.BROKEN_SCHEMA, Severity.WARNING, message, item)


def _judged(
    claims: Sequence[_Claim], validators: Validators
) -> Iterator[tuple[ReadSchema, str, Problems]]:
    """Each claim with what is wrong with it; a value that fits in one direction is fine.

    All are checked in one go, as the elements of one list: a validator for each would be compiled
    with everything that its schema reaches, which takes minutes where thousands are connected.
    """
    together = {"prefixItems": [item.schema for item, _, _ in claims]} if claims else {}
    values = [value for _, _, value in claims]
    found = [validators.problems(together, values, direction) for direction in Direction]
    by_direction = [None if problems is None else _by_element(problems) for problems in found]
    for index, (item, kind, value) in enumerate(claims):
        verdicts: list[Problems] = [
            validators.problems(item.schema, value, direction)
            if grouped is None
            else tuple(grouped.get(index, ()))
            for direction, grouped in zip(Direction, by_direction, strict=True)
        ]
        yield item, kind, () if () in verdicts else verdicts[0]


def _by_element(problems: Iterable[Problem]) -> dict[int, list[Problem]]:
    grouped: dict[int, list[Problem]] = {}
    for problem in problems:
        index, _, rest = problem.pointer[1:].partition("/")
        inner = replace(problem, pointer=f"/{rest}" if rest else "")
        grouped.setdefault(int(index), []).append(inner)
    return grouped


def _short(text: str, length: int = 120) -> str:
    """Both ends of a long text: the value that it quotes matters less than the verdict."""
    half = length // 2
    return text if len(text) <= length else f"{text[:half]} ... {text[-half:]}"


def _values(schema: Schema) -> Iterator[tuple[str, Json]]:
    if "default" in schema:
        yield "default", schema["default"]
    for value in schema.get("examples", ()):
        yield "example", value


def _operation(operation: Operation, place: Place) -> Iterator[Diagnostic]:
    if operation.responses and not any(s[0] in "23d" for s in operation.responses):
        message = "no response for success is declared"
        yield Diagnostic(
            Code.NO_SUCCESS_RESPONSE, Severity.NOTE, message, place, operation=operation.label
        )
    if operation.request_body and operation.method in {"GET", "HEAD", "DELETE"}:
        message = f"a body on {operation.method} has no meaning in HTTP; some servers drop it"
        yield Diagnostic(
            Code.BODY_WITHOUT_MEANING, Severity.NOTE, message, place, operation=operation.label
        )


def _given_examples(
    operation: Operation, place: Place, validators: Validators
) -> Iterator[Diagnostic]:
    """Examples that stand beside a schema, on parameters and bodies."""
    given = [(f"the parameter {p.name!r}", p.schema, p.examples) for p in operation.parameters]
    bodies = (
        [("the request body", operation.request_body.content)] if operation.request_body else []
    )
    bodies += [(f"the answer {status}", r.content) for status, r in operation.responses.items()]
    for whose, content in bodies:
        given += [(whose, media.schema, media.examples) for media in content.values()]
    for whose, schema, examples in given:
        for value in examples:
            verdicts = [validators.problems(schema, value, way) for way in Direction]
            if all(verdicts) and verdicts[0]:
                wrong = _short(verdicts[0][0].message)
                message = f"the example of {whose} does not fit its schema: {wrong}"
                yield Diagnostic(
                    Code.INVALID_EXAMPLE,
                    Severity.WARNING,
                    message,
                    place,
                    operation=operation.label,
                )


def _generated_ids(spec: ApiSpec, places: Mapping[str, Place]) -> Iterator[Diagnostic]:
    unnamed = [operation for operation in spec.operations if operation.id_generated]
    if unnamed:
        first = unnamed[0]
        message = (
            f"{len(unnamed)} of {len(spec.operations)} operations have no usable operationId; "
            f"icepick makes one, such as {first.id} for {first.label}"
        )
        yield Diagnostic(Code.GENERATED_OPERATION_ID, Severity.NOTE, message, places[first.id])
