"""The exceptions: every one carries a code, a place and a hint."""

from __future__ import annotations

from typing import Any

from icepick.errors.codes import Code
from icepick.errors.place import Place


class IcepickError(Exception):
    """Something a person can put right: what is wrong, where, and what to do."""

    def __init__(
        self, code: Code, message: str, *, place: Place | None = None, hint: str | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.place = place
        self.hint = hint

    def to_json(self) -> dict[str, Any]:
        """The form in which `--json` prints it."""
        return {
            "code": self.code.value,
            "message": self.message,
            "place": self.place.to_json() if self.place else None,
            "hint": self.hint,
        }


class UsageError(IcepickError):
    """The command line or the configuration asks for something that cannot be."""


class DocumentError(IcepickError):
    """The OpenAPI document cannot be used at all."""


class ContractError(IcepickError):
    """A contract cannot be read."""


class ModelError(IcepickError):
    """A model makes no sense."""


class ExploreError(IcepickError):
    """A model cannot be explored as asked."""


class ExecuteError(IcepickError):
    """A run cannot begin, or its journal cannot be read."""


class ProtocolError(IcepickError):
    """A protocol cannot be read."""
