"""Compiled reading: parts of exchanges, request paths, names, fields and elements."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter

from icepick.glacier.code import Build, Code, Context, Run, Scope
from icepick.glacier.environment import Answer
from icepick.glacier.printer import print_formula
from icepick.glacier.tree import Field, Index, Name, Part, Read, Request
from icepick.glacier.values import Unknown, describe, path_text
from icepick.openapi.types import ABSENT, Json

_NO_ANSWER = Unknown("there is no response yet")
_NOT_BEFORE = Unknown("the response of this call does not exist before it")
_NO_REQUEST_BODY = Unknown("the request has no body", missing=True)
_NO_BODY = Unknown("the response has no body", missing=True)
_RESPONSE = {Part.RES_CODE, Part.RES_BODY, Part.RES_HEADER}


def compile_read(node: Read, scope: Scope, build: Build) -> Code:
    """A part of this exchange or of a GET."""
    if node.request is not None:
        return _read_of_get(node, node.request, scope, build)
    if node.part in _RESPONSE:
        return Code(node, _constant(_NOT_BEFORE) if scope.before else _of_answer(node.part))
    return Code(node, _OF_REQUEST[node.part])


def _constant(value: Json) -> Run:
    return lambda _context: value


def _of_answer(part: Part) -> Run:
    take = _TAKEN[part]

    def run(context: Context) -> Json:
        answer = context.env.answer
        return _NO_ANSWER if answer is None else take(answer)

    return run


def _body(answer: Answer) -> Json:
    return _NO_BODY if answer.body is ABSENT else answer.body


_TAKEN: Mapping[Part, Callable[[Answer], Json]] = {
    Part.RES_CODE: attrgetter("status"),
    Part.RES_BODY: _body,
    Part.RES_HEADER: attrgetter("headers"),
}


def _request_body(context: Context) -> Json:
    body = context.env.sent.body
    return _NO_REQUEST_BODY if body is ABSENT else body


_OF_REQUEST: Mapping[Part, Run] = {
    Part.REQ_BODY: _request_body,
    Part.REQ_HEADER: lambda context: context.env.sent.headers,
    Part.PATH_PARAM: lambda context: context.env.sent.path,
    Part.QUERY_PARAM: lambda context: context.env.sent.query,
}


def _read_of_get(node: Read, request: Request, scope: Scope, build: Build) -> Code:
    parts = tuple(build(part, scope) for part in request.parts if not isinstance(part, str))
    path = _path(request, parts)
    ask = Context.get_before if scope.before else Context.get
    take = _TAKEN[node.part]
    needs_success = node.part is Part.RES_BODY

    def run(context: Context) -> Json:
        where = path(context)
        if type(where) is Unknown:
            return where
        answer = ask(context, where)
        if answer is None:
            return Unknown(f"GET {where} failed")
        if needs_success and not 200 <= answer.status < 300:
            return Unknown(f"GET {where} answered {answer.status}")
        return take(answer)

    before = scope.before or any(part.before for part in parts)
    return Code(node, run, parts, path=path, before=before, earlier=scope.before)


def _path(request: Request, codes: tuple[Code, ...]) -> Run:
    """The path of a GET: texts and holes by turns, with one text more than holes."""
    texts, query = [""], []
    for part in request.parts:
        if isinstance(part, str):
            texts[-1] += part
        else:
            query.append("?" in "".join(texts))
            texts.append("")
    if not codes:
        return _constant(texts[0])
    if len(codes) == 1:
        return _one_hole(texts[0], codes[0].run, texts[1], in_query=query[0])
    return _holes(texts, tuple(zip((c.run for c in codes), query, texts[1:], strict=True)))


def _one_hole(head: str, hole: Run, tail: str, *, in_query: bool) -> Run:
    def run(context: Context) -> str | Unknown:
        value = hole(context)
        # Most ids need no encoding, and this is where most of the time would go.
        if type(value) is int or (type(value) is str and value.isascii() and value.isalnum()):
            return f"{head}{value}{tail}"
        text = path_text(value, in_query=in_query)
        return text if type(text) is Unknown else f"{head}{text}{tail}"

    return run


def _holes(texts: list[str], holes: tuple[tuple[Run, bool, str], ...]) -> Run:
    def run(context: Context) -> str | Unknown:
        whole = texts[0]
        for hole, in_query, after in holes:
            text = path_text(hole(context), in_query=in_query)
            if isinstance(text, Unknown):
                return text
            whole += text + after
        return whole

    return run


def compile_name(node: Name, scope: Scope, _build: Build) -> Code:
    """A variable, or a path parameter where no variable has that name."""
    variable = scope.variables.get(node.name)
    if variable is not None:
        slot = variable.slot
        return Code(node, lambda context: context.variables[slot])
    name = node.name
    absent = Unknown(f"`{name}` is neither a variable nor a path parameter here", missing=True)
    return Code(node, lambda context: context.env.sent.path.get(name, absent))


def compile_field(node: Field, scope: Scope, build: Build) -> Code:
    """A field of an object; names of headers are the same in upper and lower case."""
    base = build(node.base, scope)
    match node.base:
        case Read(part=Part.RES_HEADER | Part.REQ_HEADER):
            return Code(node, _header(node, base.run), (base,), before=base.before)
    of, name = base.run, node.name

    def run(context: Context) -> Json:
        value = of(context)
        if type(value) is dict and name in value:
            return value[name]
        return _without(value, node)

    return Code(node, run, (base,), before=base.before)


def _header(node: Field, of: Run) -> Run:
    name = node.name.lower()

    def run(context: Context) -> Json:
        headers = of(context)
        if isinstance(headers, Mapping):
            found = (value for key, value in headers.items() if key.lower() == name)
            return next(found, Unknown(f"{print_formula(node)} is missing", missing=True))
        return headers

    return run


def _without(value: Json, node: Field) -> Json:
    """The value of a field where the quick way did not find one."""
    if type(value) is Unknown:
        return value
    if isinstance(value, Mapping) and node.name in value:
        return value[node.name]
    if value is None or isinstance(value, Mapping):
        return Unknown(f"{print_formula(node)} is missing", missing=True)
    return Unknown(f"{print_formula(node)} is asked of {describe(value)}, which is not an object")


def compile_index(node: Index, scope: Scope, build: Build) -> Code:
    """An element of a list."""
    base = build(node.base, scope)
    of, index = base.run, node.index

    def run(context: Context) -> Json:
        value = of(context)
        if isinstance(value, list) and index < len(value):
            return value[index]
        if type(value) is Unknown:
            return value
        if value is None or isinstance(value, list):
            return Unknown(f"{print_formula(node)} is missing", missing=True)
        return Unknown(f"{print_formula(node)} is asked of {describe(value)}, which is not a list")

    return Code(node, run, (base,), before=base.before)
