"""A model as JSON and back."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from icepick.errors import Code, ModelError
from icepick.model import expressions, types

_CLASSES: dict[str, type[Any]] = {
    name: value
    for module in (expressions, types)
    for name, value in vars(module).items()
    if isinstance(value, type) and value.__module__ == module.__name__
}


def to_json(value: Any) -> Any:
    """A model, or any part of one, in values that `json` can write."""
    if isinstance(value, Enum):
        return {"is": type(value).__name__, "value": value.value}
    if is_dataclass(value):
        parts = {field.name: to_json(getattr(value, field.name)) for field in fields(value)}
        return {"is": type(value).__name__, **parts}
    if isinstance(value, tuple):
        return [to_json(item) for item in value]
    return value


def from_json(value: Any) -> Any:
    """The model, or the part of one, that `to_json` wrote."""
    if isinstance(value, list):
        return tuple(from_json(item) for item in value)
    if not isinstance(value, dict):
        return value
    kind = _CLASSES.get(str(value.get("is")))
    parts = {name: from_json(item) for name, item in value.items() if name != "is"}
    try:
        if kind is None:
            raise KeyError(value.get("is"))  # noqa: TRY301 (one handler for every broken part)
        return kind(**parts)
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(
            Code.BROKEN_MODEL,
            f"this is not a saved model: {error}",
            hint="Write the model again with the version of icepick that reads it.",
        ) from error
