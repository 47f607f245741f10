"""What can be said of one answer alone: does it keep to the document, and to reason."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256

from icepick.execute.answers import Content, content_of, says_json
from icepick.execute.types import Complaint, Exchange, Headers, Provenance, Response, Verdict
from icepick.inputs import Case
from icepick.openapi.types import ABSENT, MediaType, Operation, Schema
from icepick.openapi.types import Response as Declared
from icepick.openapi.validate import Direction, Problem, Validators

SERVER_ERROR = "server-error"
UNDOCUMENTED_STATUS = "undocumented-status"
CONTENT_TYPE = "content-type"
BROKEN_JSON = "broken-json"
RESPONSE_SCHEMA = "response-schema"
MISSING_HEADER = "missing-header"


_REMEMBERED = 2_000
_SHORT = 10_000
_MOST_FIELDS = 3
_LONGEST = 60
WANTS = "; the schema wants "
_LARGE = re.compile(r"^[\[{].*[\]}](?= (?:is|has|does) )", re.DOTALL)
"""An object or a list at the beginning of a message."""
_OF_TYPE = re.compile(r"(.*) is not of types? (\".*)", re.DOTALL)
_QUOTED = re.compile(r'"(\w+)"')
_ABOUT_ANSWERS = frozenset(
    {UNDOCUMENTED_STATUS, CONTENT_TYPE, BROKEN_JSON, RESPONSE_SCHEMA, MISSING_HEADER}
)
_ALWAYS_NEW = frozenset({"date", "content-length", "etag", "last-modified", "x-request-id"})


def leaves_in_doubt(complaint: Complaint) -> bool:
    """Whether nobody knows what a service holds after this: an answer that is not as documented
    says nothing of that."""
    return complaint.level is Verdict.ERR and complaint.check not in _ABOUT_ANSWERS


class Inspector:
    """Compares answers with what the document declares."""

    def __init__(self, schemas: Mapping[str, Schema]) -> None:
        self._validators = Validators(schemas)
        self._good: set[tuple[str, int, str, bytes]] = set()

    def inspect(self, exchange: Exchange, operation: Operation) -> tuple[Complaint, ...]:
        """Everything wrong with an answer."""
        response = exchange.reply
        if not isinstance(response, Response):
            return ()
        key = (operation.id, response.status, _told(response.headers), response.body)
        if key in self._good:
            return ()
        found = self._complaints(exchange, response, operation)
        if not found and len(response.body) < _SHORT:
            if len(self._good) >= _REMEMBERED:
                self._good.clear()
            self._good.add(key)
        return found

    def may_be_sent(self, case: Case) -> bool:
        """Whether the document allows the body of a call."""
        declared = case.operation.request_body
        media = declared.content.get(case.content_type or "") if declared is not None else None
        if media is None or case.body is ABSENT:
            return False
        return self._validators.problems(media.schema, case.body, Direction.REQUEST) == ()

    @staticmethod
    def can_read(response: Response, operation: Operation) -> bool:
        """Whether a body is what the document says it is, so that it can be made sense of."""
        if response.status >= 400 or not response.body:
            return True
        content = content_of(response)
        if content.is_broken:
            return False
        declared = operation.response_for(response.status)
        return (
            not declared
            or not declared.content
            or _media(declared.content, content.kind) is not None
        )

    def _complaints(
        self, exchange: Exchange, response: Response, operation: Operation
    ) -> tuple[Complaint, ...]:
        return tuple(
            Complaint(
                check, level, promised, happened, provenance, about,
                exchanges=(exchange.number,), operation=operation.id,
            )
            for check, level, promised, happened, provenance, about in self._all(
                response, operation
            )
        )  # fmt: skip

    def _all(
        self, response: Response, operation: Operation
    ) -> Iterator[tuple[str, Verdict, str, str, Provenance, str]]:
        status = response.stated
        if status >= 500:
            yield (
                SERVER_ERROR, Verdict.ERR, "a service answers no call with a server error",
                f"{operation.label} answered {status}", Provenance.LAW, "",
            )  # fmt: skip
        if response.redirects and any(one.startswith("3") for one in operation.responses):
            # The redirect is what the document promises; where it leads is another matter.
            return
        declared = operation.response_for(status)
        if declared is None:
            if operation.responses and status < 500:
                known = ", ".join(operation.responses)
                yield (
                    UNDOCUMENTED_STATUS, Verdict.WARN, f"{operation.label} answers {known}",
                    f"{operation.label} answered {status}", Provenance.DECLARED, str(status),
                )  # fmt: skip
            return
        content = content_of(response)
        if content.is_broken and not response.truncated:
            yield (
                BROKEN_JSON, Verdict.ERR, "a body that says it is JSON is JSON",
                "the body cannot be parsed", Provenance.LAW, "",
            )  # fmt: skip
            return
        if declared.headers:
            yield from self._headers(response, declared)
        if declared.content and response.body and operation.method != "HEAD":
            yield from self._body(response, content, declared, operation)

    def _headers(
        self, response: Response, declared: Declared
    ) -> Iterator[tuple[str, Verdict, str, str, Provenance, str]]:
        for header in declared.headers.values():
            if header.required and response.header(header.name) is None:
                yield (
                    MISSING_HEADER, Verdict.WARN, f"the answer has the header {header.name}",
                    "it has not", Provenance.DECLARED, header.name,
                )  # fmt: skip

    def _body(
        self, response: Response, content: Content, declared: Declared, operation: Operation
    ) -> Iterator[tuple[str, Verdict, str, str, Provenance, str]]:
        kind = content.kind
        media = _media(declared.content, kind)
        if media is None:
            listed = ", ".join(declared.content)
            yield (
                CONTENT_TYPE, Verdict.WARN, f"a body of {listed}", f"the body is {kind or 'bare'}",
                Provenance.DECLARED, kind,
            )  # fmt: skip
            return
        if response.truncated or not says_json(kind):
            return
        problems = self._validators.problems(media.schema, content.value, Direction.RESPONSE)
        level = Verdict.ERR if response.status < 400 else Verdict.WARN
        for problem in _different(problems) if problems else ():
            yield (
                RESPONSE_SCHEMA, level,
                f"the body of a {response.stated} of {operation.label} fits its schema",
                _told_of(problem), Provenance.DECLARED,
                _about(problem, response.stated, operation, media.schema),
            )  # fmt: skip


@lru_cache(maxsize=500)
def _told(headers: Headers) -> str:
    """The headers that say something about the body."""
    kept = [f"{name}: {value}" for name, value in headers if name.lower() not in _ALWAYS_NEW]
    return "\n".join(kept)


def _media(content: Mapping[str, MediaType], kind: str) -> MediaType | None:
    for name, media in content.items():
        if name == kind:
            return media
        stated = name.split(";")[0].strip().lower()
        if stated in {kind, "*/*"} or not kind:
            return media
        if stated.endswith("/*") and kind.startswith(stated[:-1]):
            return media
        if {stated, kind} <= _SAME_AS_JSON or (
            stated.endswith("+json") and kind == "application/json"
        ):
            return media
    return None


_WRAPPING = frozenset(
    {"data", "result", "results", "response", "payload", "code", "status", "success", "ok"}
    | {"error", "errors", "message", "messages", "msg", "meta", "metadata", "detail"}
)
_SAME_AS_JSON = frozenset({"application/json", "text/json", "application/hal+json"})


def _different(problems: tuple[Problem, ...]) -> list[Problem]:
    """The first problem of each field, for a few fields; what is wrong in the same way by two
    schemas that must both hold is wrong once."""
    fields: dict[str, Problem] = {}
    known = set[tuple[str, str]]()
    for one in _lacking(problems):
        if (one.pointer, one.message) not in known:
            fields.setdefault(one.field, one)
        known.add((one.pointer, one.message))
    return list(fields.values())[:_MOST_FIELDS]


def _lacking(problems: tuple[Problem, ...]) -> Iterator[Problem]:
    """What lacks several properties is something else altogether, which is one problem."""
    lacking: dict[tuple[str, str], list[str]] = {}
    for one in problems:
        if one.keyword == "required":
            around, name = _around(one.field)
            lacking.setdefault((one.pointer, around), []).append(name)
    for one in problems:
        around, name = _around(one.field)
        names = lacking.get((one.pointer, around), []) if one.keyword == "required" else []
        if len(names) < 2:
            yield one
        elif name == names[0]:
            listed = f"{', '.join(names[:-1])} and {names[-1]}"
            yield replace(one, field=around, message=f"it lacks {listed}")


def _around(field: str) -> tuple[str, str]:
    """The object and the name of a property in it."""
    around, _, name = field.rpartition("/" if field.startswith("/") else ".")
    return around, name


def _told_of(problem: Problem) -> str:
    """Such as: Pet.name is null; the schema wants a string."""
    named = not problem.field.startswith("/")
    place = (problem.field if named else problem.pointer) or "the body"
    match = _OF_TYPE.fullmatch(problem.message)
    if match is None:
        return f"{place}: {_LARGE.sub(lambda found: _cut(found[0]), problem.message)}"
    value, kinds = match.groups()
    return f"{place} is {_cut(value)}{WANTS}{' or '.join(map(_one, _QUOTED.findall(kinds)))}"


def _cut(value: str) -> str:
    return value if len(value) <= _LONGEST else value[: _LONGEST - 3] + "..."


def _one(kind: str) -> str:
    if kind == "null":
        return kind
    return f"an {kind}" if kind[0] in "aio" else f"a {kind}"


def _about(problem: Problem, status: int, operation: Operation, schema: Schema) -> str:
    """What tells the fault from others: a named schema is the same in all operations, and so are
    one of refusals that is spelled out each time and an envelope around what differs."""
    kind = f"{status // 100}xx"
    if problem.field and not problem.field.startswith("/"):
        return f"{kind} {problem.field}"
    if status >= 400:
        spelled = json.dumps(schema, sort_keys=True, default=str)
        return f"{kind} {sha256(spelled.encode()).hexdigest()[:8]} {problem.field}".rstrip()
    envelope = _envelope(schema)
    if envelope and problem.field.count("/") == 1 and problem.field[1:] in envelope:
        return f"{kind} {' '.join(envelope)} {problem.field}"
    return f"{kind} {operation.label} {problem.field}".rstrip()


def _envelope(schema: Schema) -> tuple[str, ...]:
    """The names in a spelled-out object that is a wrapping by all of them; else none."""
    inside = schema.get("properties") if isinstance(schema, Mapping) else None
    names = tuple(sorted(map(str, inside))) if isinstance(inside, Mapping) else ()
    return names if len(names) > 1 and {*map(str.lower, names)} <= _WRAPPING else ()
