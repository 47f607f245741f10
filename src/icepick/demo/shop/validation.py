"""Input held against the schemas of the document, and against rules between fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import jsonschema_rs

from icepick.demo.http import Document
from icepick.demo.shop.problems import FieldError
from icepick.demo.shop.types import JsonObject

MESSAGES = {
    "type": "must be of type {}",
    "enum": "must be one of [{}]",
    "minimum": "must be at least {}",
    "exclusiveMinimum": "must be greater than {}",
    "maximum": "must be at most {}",
    "minLength": "must have at least {} characters",
    "maxLength": "must have at most {} characters",
    "pattern": "must match the pattern {}",
    "format": "must be a valid {}",
    "minItems": "must have at least {} elements",
    "maxItems": "must have at most {} elements",
    "uniqueItems": "must not repeat an element",
    "required": "is required",
    "additionalProperties": "is not a known field",
}


@dataclass(frozen=True, slots=True)
class Rule:
    """A condition on several fields; `others` are those it reads besides `field`."""

    field: str
    others: tuple[str, ...]
    message: str
    broken: Callable[[JsonObject], bool]


def schema_errors(schema: str, value: Any, name: str = "body") -> list[FieldError]:
    """Every way in which a value breaks a schema of the document."""
    errors = list(_validator(schema).iter_errors(value))
    # What has the wrong type breaks other keywords too, which would only be noise.
    mistyped = [error.instance_path for error in errors if error.kind.name == "type"]
    return [
        FieldError(field, f"{field} {message}")
        for error in errors
        if error.kind.name == "type" or error.instance_path not in mistyped
        for field, message in _explained(error, name)
    ]


def rule_errors(
    rules: Iterable[Rule], body: JsonObject, errors: Iterable[FieldError]
) -> list[FieldError]:
    """The rules that are broken, leaving out those about fields already known to be wrong."""
    wrong = {error.field for error in errors}
    return [
        FieldError(rule.field, rule.message)
        for rule in rules
        if wrong.isdisjoint({rule.field, *rule.others}) and rule.broken(body)
    ]


def _explained(error: jsonschema_rs.ValidationError, name: str) -> Iterator[tuple[str, str]]:
    keyword, limit = error.kind.name, error.kind.value
    path = [str(part) for part in error.instance_path]
    if keyword == "additionalProperties":
        for extra in limit:
            yield ".".join([*path, extra]), MESSAGES[keyword]
    elif keyword == "required":
        yield ".".join([*path, limit]), MESSAGES[keyword]
    else:
        yield ".".join(path) or name, MESSAGES[keyword].format(_shown(keyword, limit))


def _shown(keyword: str, limit: Any) -> str:
    if not isinstance(limit, list):
        return str(limit)
    texts = ["null" if each is None else str(each) for each in limit]
    return (" or " if keyword == "type" else ", ").join(texts)


@cache
def _validator(schema: str) -> jsonschema_rs.Draft202012Validator:
    """The validator of a schema; unlike that of the framework, it enforces formats too."""
    return jsonschema_rs.Draft202012Validator(
        {**_content(), "$ref": f"#/components/schemas/{schema}"}, validate_formats=True
    )


@cache
def _content() -> Mapping[str, Any]:
    return Document.load("icepick.demo.shop", "openapi.yaml").content
