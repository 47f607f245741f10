"""Refusals that come as a success: the status says 200, and a field of the body says no.

That is a convention of some services, told by a field at the top of every answer. It is learned
from the service: the field has to be seen with what means yes in answers of several operations, and
what says no has nothing but words beside it. The name of a field alone proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from http import HTTPStatus

from icepick.execute.answers import content_of
from icepick.execute.types import Reply, Response
from icepick.openapi.types import Json

_ENOUGH = 3
"""So many operations must have said yes."""

_MOST = 0.6
"""This part of the operations that answer with JSON must have the field."""

_GIVEN_UP = 60
"""After so many operations or answers without any such field, nobody looks for one."""

_YES_NO = re.compile(r"(?i)(?:is_?)?(?:ok|success|succeeded|successful)")
_NO_YES = re.compile(r"(?i)(?:is_?|has_?)?(?:error|failed|failure)")
_CODE = re.compile(r"(?i)(?:err(?:or)?_?|ret(?:urn)?_?|result_?|status_?)?(?:code|no)")
_STATE = re.compile(r"(?i)status|result|state")
_GOOD = re.compile(r"(?i)ok|success|succeeded|successful")
_BAD = re.compile(r"(?i)error|fail|failed|failure")
_WORDS = re.compile(
    r"(?i)err(?:or)?s?|msgs?|messages?|details?|reason|description|title|hint"
    r"|(?:err(?:or)?_?)?(?:code|status|message|msg)|timestamp|path|(?:request|trace)_?id"
)
_ABSENT = re.compile(r"(?i)not (?:be )?found|(?:does|do) ?n[o']t exist|no such|unknown")


class Envelopes:
    """What is known of the fields by which a service says yes and no."""

    def __init__(self) -> None:
        self._yes: dict[str, set[str]] = {}
        """The operations that said yes in a field."""
        self._having: dict[str, set[str]] = {}
        self._spoiled: set[str] = set()
        """Fields that had a value which says neither."""
        self._operations: set[str] = set()
        self._looked = 0
        self._refused: dict[str, str] = {}

    def learned(self) -> Iterator[tuple[str, str]]:
        """How the service refuses in the body of a success, and how many operations do."""
        first = next(iter(self._refused.values()), "")
        if first:
            number = len(self._refused)
            said = f"{number} operations refuse" if number > 1 else "an operation refuses"
            yield "the service", f"{said} in the body of a success, such as by {first}"

    def opened(self, reply: Reply, operation: str | None) -> Reply:
        """An answer with the status that its body stands for."""
        if not isinstance(reply, Response) or not 200 <= reply.status < 300 or self._is_idle:
            return reply
        body = content_of(reply).value
        if not isinstance(body, dict | list):
            return reply
        fields = body if isinstance(body, dict) else {}
        self._see(fields, operation)
        for name, value in fields.items():
            if says(name, value) is False and self._is_known(name) and _is_bare(fields, name):
                self._refused.setdefault(operation or "", f"{name} = {value!r}")
                return replace(reply, status=_status(fields), on_wire=reply.status)
        return reply

    @property
    def _is_idle(self) -> bool:
        return self._looked > _GIVEN_UP and not self._yes

    def _see(self, fields: Mapping[str, Json], operation: str | None) -> None:
        self._looked += 1
        if operation is None:
            return
        self._operations.add(operation)
        for name, value in fields.items():
            if not _is_marker(name):
                continue
            said = says(name, value)
            self._having.setdefault(name, set()).add(operation)
            if said is None:
                self._spoiled.add(name)
            elif said:
                self._yes.setdefault(name, set()).add(operation)

    def _is_known(self, name: str) -> bool:
        """Whether a field is how this service says yes and no."""
        wide = len(self._having.get(name, ())) >= _MOST * len(self._operations)
        return name not in self._spoiled and len(self._yes.get(name, ())) >= _ENOUGH and wide


def _is_marker(name: str) -> bool:
    return any(one.fullmatch(name) for one in (_YES_NO, _NO_YES, _CODE, _STATE))


def says(name: str, value: Json) -> bool | None:
    """Whether a field says yes or no; None where it says neither."""
    if isinstance(value, bool):
        if _YES_NO.fullmatch(name):
            return value
        return not value if _NO_YES.fullmatch(name) else None
    if isinstance(value, int) and _CODE.fullmatch(name):
        return value == 0 or 200 <= value < 300
    if isinstance(value, str) and _STATE.fullmatch(name):
        return True if _GOOD.fullmatch(value) else False if _BAD.fullmatch(value) else None
    return None


def _is_bare(fields: Mapping[str, Json], marker: str) -> bool:
    """Whether an answer shows nothing: what has data beside it may be something that failed."""
    others = [(name, value) for name, value in fields.items() if name != marker]
    return all(_WORDS.fullmatch(name) or value in (None, "", [], {}) for name, value in others)


def _status(fields: Mapping[str, Json]) -> int:
    """The status that a refusal would have had."""
    for name, value in fields.items():
        if _CODE.fullmatch(name) and isinstance(value, int) and 400 <= value < 500:
            return value
    said = " ".join(str(value) for value in fields.values())
    return HTTPStatus.NOT_FOUND if _ABSENT.search(said) else HTTPStatus.BAD_REQUEST
