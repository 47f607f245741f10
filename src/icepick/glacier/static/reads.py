"""What a clause reads: bodies and parameters of the document, fields and elements inside them."""

from __future__ import annotations

from collections.abc import Iterable

from icepick.errors import Code, Severity
from icepick.glacier.contracts import Role
from icepick.glacier.printer import print_formula
from icepick.glacier.static.api import Api, Setting, answer_schema, parameter_named, successes
from icepick.glacier.static.findings import Findings
from icepick.glacier.static.kinds import TEXT, elements, named
from icepick.glacier.static.members import Presence, member
from icepick.glacier.static.names import did_you_mean, nearest
from icepick.glacier.static.places import field_offset, path_offset, path_text, query_offset
from icepick.glacier.static.routes import Route, query_names
from icepick.glacier.static.values import UNKNOWN, Value
from icepick.glacier.tree import Field, Index, Part, Read, Request
from icepick.openapi.shape import properties, reference_name
from icepick.openapi.types import Operation, Parameter, ParameterLocation, Schema
from icepick.resources.fields import json_media

_STATUS = Value({"type": "integer"}, is_sure=True)
_HEADERS = Value({"type": "object", "additionalProperties": TEXT}, is_sure=True, is_wire=True)
_PARAMETERS = Value({"type": "object"}, is_sure=True)


class Reads:
    """Looks up what one clause reads, and reports what is not there.

    `every` where answers that are no success count as well.
    """

    def __init__(self, api: Api, setting: Setting, findings: Findings, *, every: bool) -> None:
        self._api = api
        self._setting = setting
        self._findings = findings
        self._every = every

    # Parts of an exchange

    def part(self, node: Read, *, optional: bool = False) -> Value:
        """A part of this exchange or of a GET; an `optional` body may be missing."""
        operation = self._setting.operation
        if node.request is not None:
            operation = self._requested(node.request)
        match node.part:
            case Part.RES_CODE:
                return _STATUS
            case Part.RES_HEADER | Part.REQ_HEADER:
                return _HEADERS
            case Part.PATH_PARAM | Part.QUERY_PARAM:
                return _PARAMETERS
        if operation is None:
            return UNKNOWN
        if node.part is Part.REQ_BODY:
            return self._sent(node, operation, optional=optional)
        return self._answered(node, operation, optional=optional)

    def _sent(self, node: Read, operation: Operation, *, optional: bool) -> Value:
        media = json_media(operation.request_body)
        if media is None or operation.request_body is None:
            message = f"{operation.label} takes no body"
            self._no_body(node, message, self._body_hint(operation), optional=optional)
            return UNKNOWN
        return Value(media.schema, is_sure=operation.request_body.required)

    def _body_hint(self, operation: Operation) -> str | None:
        if self._setting.role is Role.ENSURES and answer_schema(operation) is not None:
            return "did you mean `res_body(@)`?"
        return None

    def _answered(self, node: Read, operation: Operation, *, optional: bool) -> Value:
        every = self._every and node.request is None
        schema = answer_schema(operation, every=every)
        if schema is not None:
            return Value(schema, is_sure=True)
        if successes(operation):
            message = f"the document declares no body for the answer of {operation.label}"
            self._no_body(node, message, None, optional=optional)
        return UNKNOWN

    def _no_body(self, node: Read, message: str, hint: str | None, *, optional: bool) -> None:
        if not optional:
            self._findings.warning(Code.NO_BODY, message, node, hint)

    # Requests

    def _requested(self, request: Request) -> Operation | None:
        route = self._api.routes.find(request)
        if route.operation is not None:
            self._check_query(request, route.operation)
        elif not route.unread:
            self._report_route(request, route)
        return route.operation

    def _report_route(self, request: Request, route: Route) -> None:
        at = path_offset(self._findings.text, request)
        path = path_text(self._findings.text, request)
        if route.methods:
            message = f"{path} has no GET in the document, only {', '.join(route.methods)}"
            hint = "ask a path that has a GET, or add the GET to the document"
            self._findings.error(Code.NO_GET, message, at, hint)
        else:
            message = f"the document has no path {path}"
            self._findings.error(Code.UNKNOWN_PATH, message, at, route.hint)

    def _check_query(self, request: Request, operation: Operation) -> None:
        known, free = self._api.query_of(operation)
        for name in query_names(request) if not free else ():
            if name.partition("[")[0] not in known and name not in known:
                at = query_offset(self._findings.text, request, name)
                self._unknown_parameter(operation, "query", name, sorted(known), at)

    # Parameters

    def path_parameter(self, name: str) -> Value:
        """A path parameter of this operation, by its bare name."""
        return _of_parameter(self._setting.path.get(name))

    def parameter(self, part: Part, node: Field) -> Value:
        """A path or query parameter of this operation."""
        operation, name = self._setting.operation, node.name
        if operation is None:
            return UNKNOWN
        if part is Part.PATH_PARAM:
            found, known = self._setting.path.get(name), list(self._setting.path)
        else:
            declared = operation.parameters_in(ParameterLocation.QUERY)
            found, known = parameter_named(declared, name), [p.name for p in declared]
            names, free = self._api.query_of(operation)
            if free or (found is None and name in names):
                return Value(is_wire=True)
        if found is None:
            kind = "path" if part is Part.PATH_PARAM else "query"
            at = field_offset(self._findings.text, node)
            self._unknown_parameter(operation, kind, name, known, at)
        return _of_parameter(found)

    def _unknown_parameter(
        self, operation: Operation, kind: str, name: str, known: Iterable[str], at: int
    ) -> None:
        message = f"{operation.label} has no {kind} parameter `{name}`"
        hint = did_you_mean(name, known, "it") or f"it has no {kind} parameters at all"
        self._findings.error(Code.UNKNOWN_PARAMETER, message, at, hint)

    # Fields and elements

    def field(self, node: Field, base: Value) -> Value:
        """A field of a value."""
        found_kinds = base.kinds(self._api.schemas)
        if "object" not in found_kinds:
            hint = self._inside_hint(node, base) if "array" in found_kinds else None
            self._misread(node, base, f"has no field `{node.name}`", hint)
            return UNKNOWN
        found = member(base.schema, node.name, self._api.schemas)
        if found.presence in {Presence.UNDECLARED, Presence.FORBIDDEN}:
            self._unknown_field(node, base, found.presence)
            return UNKNOWN
        sure = base.is_sure and not base.is_null(self._api.schemas)
        return Value(found.schema, sure and self._is_required(base.schema, node.name), base.is_wire)

    def _is_required(self, schema: Schema, name: str) -> bool:
        """What travels in one direction only is missing in the other, required or not."""
        found = properties(schema, self._api.schemas).get(name)
        one_way = found is not None and (found.read_only or found.write_only)
        return found is not None and found.required and not one_way

    def _unknown_field(self, node: Field, base: Value, presence: Presence) -> None:
        owner = self._owner(node, base)
        known = properties(base.schema, self._api.schemas)
        at = field_offset(self._findings.text, node)
        hint = did_you_mean(node.name, known, owner)
        if presence is Presence.FORBIDDEN:
            message = f"{owner} cannot have a field `{node.name}`: its schema allows no others"
            self._findings.error(Code.UNKNOWN_FIELD, message, at, hint)
        else:
            message = f"the schema of {owner} declares no field `{node.name}`"
            self._findings.warning(Code.UNKNOWN_FIELD, message, at, hint)

    def _owner(self, node: Field | Index, base: Value) -> str:
        """What a field is taken from: the name of its schema, or else the expression."""
        name = reference_name(base.schema)
        if name is not None:
            return name
        shared = node.base.span == node.span
        return f"`{print_formula(node.base) if shared else self._findings.shown(node.base)}`"

    def _inside_hint(self, node: Field, base: Value) -> str:
        inside = elements(base.schema, self._api.schemas)
        known = list(properties(inside, self._api.schemas))
        near = node.name if node.name in known else nearest(node.name, known)
        end = f": x.{near}" if near else ""
        return f"go over the list with `for x in ...`, or take an element with [0]{end}"

    def index(self, node: Index, base: Value) -> Value:
        """An element of a value."""
        if "array" not in base.kinds(self._api.schemas):
            self._misread(node, base, "has no elements", None)
            return UNKNOWN
        return Value(elements(base.schema, self._api.schemas), is_wire=base.is_wire)

    def _misread(self, node: Field | Index, base: Value, lacks: str, hint: str | None) -> None:
        owner = self._owner(node, base)
        message = f"{owner} is {named(base.kinds(self._api.schemas))} and {lacks}"
        at = field_offset(self._findings.text, node)
        self._findings.add(Severity.ERROR, Code.TYPE_CLASH, message, at, hint)


def _of_parameter(parameter: Parameter | None) -> Value:
    if parameter is None:
        return UNKNOWN
    return Value(parameter.schema, is_sure=parameter.required, is_wire=True)
