"""Validation errors as common frameworks write them, read by their structure.

Each reader takes a parsed body and gives what it complains about, or nothing where the body is
not of its form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from icepick.inputs.learn.types import Complaint
from icepick.openapi.types import Json

_NAMES = (
    "field", "param", "parameter", "path", "propertyPath", "property", "pointer", "name",
    "property_path", "fieldName", "instancePath", "key", "attribute", "target", "member",
)  # fmt: skip
_TEXTS = (
    "message", "msg", "defaultMessage", "detail", "reason", "error", "description",
    "errorMessage", "title",
)  # fmt: skip
_CODES = ("code", "type", "rule", "keyword", "codes")
_LISTS = (
    "errors", "violations", "fieldErrors", "invalid-params", "invalidParams", "invalid_params",
    "details", "issues", "validationErrors", "validation_errors", "subErrors",
    "constraintViolations", "messages", "message", "data",
)  # fmt: skip
_WRAPPERS = ("error", "errors", "response", "result", "data", "problem", "body", "detail")
_PLACES = {"body", "query", "path", "header", "headers", "cookie", "params"}
_WHOLE = {"non_field_errors", "__all__", "base", "", "_schema", "$"}
_NOT_FIELDS = {
    "message", "error", "detail", "title", "type", "code", "status", "path", "timestamp",
    "statuscode", "instance", "traceid", "description", "name", "reason", "exception", "trace",
    "status_code", "requestid", "request_id", "success", "documentation_url",
}  # fmt: skip


def structured(body: Json) -> tuple[Complaint, ...]:
    """The complaints of the first form that the body has; none where it has no known one."""
    for reader in (pydantic, listed, keyed, fields_only):
        found = tuple(dict.fromkeys(reader(body)))
        if any(one.names for one in found):
            return found
    return ()


def pydantic(body: Json) -> list[Complaint]:
    """FastAPI: `{"detail": [{"loc": ["body", "age"], "msg": ..., "type": ...}]}`."""
    entries = body.get("detail") if isinstance(body, Mapping) else body
    if not isinstance(entries, list):
        return []
    found = []
    for entry in entries:
        if not isinstance(entry, Mapping) or not isinstance(entry.get("loc"), list):
            return []
        parts = [str(part) for part in entry["loc"]]
        name = ".".join(parts[1:] if parts and parts[0] in _PLACES else parts)
        found.append(_complaint(name, str(entry.get("msg", "")), str(entry.get("type", ""))))
    return found


def listed(body: Json) -> list[Complaint]:
    """A list of entries with a name and a text each.

    RFC 9457 with `errors` or `invalid-params`, Spring, Bean Validation, express-validator, joi,
    zod, ajv, JSON:API, and all that look like them.
    """
    for entries in _lists(body):
        found = [one for entry in entries if isinstance(entry, Mapping) for one in _entry(entry)]
        if any(one.names for one in found):
            return found
    return []


def keyed(body: Json) -> list[Complaint]:
    """An object of texts by field: ASP.NET, Rails and Laravel under `errors`."""
    for name in ("errors", "fieldErrors", "validationErrors", "error", "messages", "details"):
        inner = body.get(name) if isinstance(body, Mapping) else None
        if isinstance(inner, Mapping) and not _is_sentence(inner):
            return list(_by_field(inner, ()))
    return []


def fields_only(body: Json) -> list[Complaint]:
    """Django REST framework: the object itself has a list of texts by field."""
    if not isinstance(body, Mapping) or _is_sentence(body):
        return []
    if any(key in _LISTS or key in _WRAPPERS for key in body):
        return []
    lists = any(isinstance(one, list | Mapping) for one in body.values())
    return list(_by_field(body, ())) if lists else []


def _is_sentence(body: Mapping[str, Any]) -> bool:
    """Whether an object is about the whole request: its keys are no names of fields."""
    return any(str(key).lower() in _NOT_FIELDS and isinstance(body[key], str) for key in body)


def _lists(body: Json, depth: int = 3) -> Iterator[list[Json]]:
    if isinstance(body, list):
        yield body
    if not isinstance(body, Mapping):
        return
    for name in _LISTS:
        if isinstance(body.get(name), list):
            yield body[name]
    for name in _WRAPPERS if depth else ():
        if isinstance(body.get(name), Mapping):
            yield from _lists(body[name], depth - 1)


def _entry(entry: Mapping[str, Any]) -> Iterator[Complaint]:
    if isinstance(entry.get("constraints"), Mapping):
        for code, text in entry["constraints"].items():
            yield _complaint(str(entry.get("property", "")), str(text), str(code))
        return
    text = next((str(entry[key]) for key in _TEXTS if isinstance(entry.get(key), str)), "")
    entry = _extended(entry)
    code = next((str(entry[key]) for key in _CODES if isinstance(entry.get(key), str)), "")
    if text:
        yield _complaint(_name(entry), text, code)


def _extended(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """An entry with what it says of its field beside its text, as GraphQL does."""
    beside = entry.get("extensions")
    if not isinstance(beside, Mapping) or not _name(beside):
        return entry
    return {**entry, **beside, "code": beside.get("type", beside.get("code", ""))}


def _name(entry: Mapping[str, Any]) -> str:
    source = entry.get("source")
    if isinstance(source, Mapping):
        entry = {**source, "name": source.get("parameter", ""), "field": None}
    missing = entry.get("params")
    extra = missing.get("missingProperty", "") if isinstance(missing, Mapping) else ""
    for key in _NAMES:
        value = entry.get(key)
        if isinstance(value, list) and value and all(isinstance(p, str | int) for p in value):
            return ".".join(map(str, value))
        if isinstance(value, str) and (value or extra):
            return f"{value}/{extra}" if extra else value
    context = entry.get("context")
    return str(context.get("key", "")) if isinstance(context, Mapping) else ""


def _by_field(body: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[Complaint]:
    for key, value in body.items():
        inner = (*path, str(key))
        if isinstance(value, str):
            yield _complaint(".".join(inner), value)
        elif isinstance(value, list):
            yield from _by_element(value, inner)
        elif isinstance(value, Mapping):
            yield from _by_field(value, inner)


def _by_element(values: list[Json], path: tuple[str, ...]) -> Iterator[Complaint]:
    for index, one in enumerate(values):
        if isinstance(one, str):
            yield _complaint(".".join(path), one)
        elif isinstance(one, Mapping):
            text = next((one[key] for key in _TEXTS if isinstance(one.get(key), str)), None)
            if text is not None:
                code = next((str(one[key]) for key in _CODES if isinstance(one.get(key), str)), "")
                yield _complaint(".".join(path), text, code)
            else:
                yield from _by_field(one, (*path, str(index)))


def _complaint(name: str, text: str, code: str = "") -> Complaint:
    name = name.removeprefix("#").removeprefix("$.").strip()
    return Complaint(text, () if name in _WHOLE else (name,), code)
