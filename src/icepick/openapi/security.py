"""How one signs in: the declared schemes, and what an operation asks for."""

from __future__ import annotations

from collections.abc import Mapping

from icepick.errors import Code, Severity
from icepick.openapi.context import Context
from icepick.openapi.references import BrokenPartError
from icepick.openapi.source import Node
from icepick.openapi.types import (
    ParameterLocation,
    SecurityKind,
    SecurityRequirement,
    SecurityScheme,
)


def security_schemes(context: Context) -> dict[str, SecurityScheme]:
    """The declared ways to authenticate; one that makes no sense is left out and reported."""
    owner = context.root if context.is_swagger else context.root.get("components")
    key = "securityDefinitions" if context.is_swagger else "securitySchemes"
    found = {}
    for name, child in context.members(owner, key) if owner else ():
        try:
            found[name] = _scheme(name, context.documents.follow(child))
        except BrokenPartError as error:
            context.broken(error, severity=Severity.WARNING)
    return found


def _scheme(name: str, node: Node) -> SecurityScheme:
    kind = _kind(node)
    if kind is None:
        message = f"the security scheme {name!r} has the unknown type {node.text('type')!r}"
        raise BrokenPartError(Code.UNKNOWN_SECURITY, message, node)
    if kind is not SecurityKind.API_KEY:
        return SecurityScheme(
            name,
            kind,
            scheme=node.text("scheme").lower() or None,
            description=node.text("description"),
            token_url=_token_url(node) if kind is SecurityKind.OAUTH2 else None,
        )
    try:
        location = ParameterLocation(node.text("in"))
    except ValueError:
        message = f"the API key {name!r} is in {node.text('in')!r}, which is no place"
        raise BrokenPartError(Code.UNKNOWN_SECURITY, message, node) from None
    parameter = node.text("name")
    return SecurityScheme(name, kind, location, parameter, description=node.text("description"))


def _token_url(node: Node) -> str | None:
    """Where a user and a password are good for a token; Swagger has one flow for each scheme."""
    if node.text("flow") == "password":
        return node.text("tokenUrl") or None
    flows = node.get("flows")
    flow = flows.get("password") if flows is not None else None
    return (flow.text("tokenUrl") or None) if flow is not None else None


def _kind(node: Node) -> SecurityKind | None:
    kind, scheme = node.text("type"), node.text("scheme").lower()
    if kind == "http":
        return {"basic": SecurityKind.BASIC, "bearer": SecurityKind.BEARER}.get(
            scheme, SecurityKind.HTTP
        )
    try:
        return SecurityKind(kind)
    except ValueError:
        return None


def requirements(
    node: Node,
    schemes: Mapping[str, SecurityScheme],
    context: Context,
    operation: str | None,
) -> tuple[SecurityRequirement, ...] | None:
    """The alternatives under `security`; None where the node has no such key."""
    elements = list(context.elements(node, "security", operation))
    if not elements and (not node.is_mapping or node.value.get("security") != []):
        return None
    found: list[SecurityRequirement] = []
    for element in elements:
        if not element.is_mapping:
            message = "a security requirement must be an object; left out"
            context.warn(Code.WRONG_TYPE, message, element, operation)
            continue
        for name in element.value:
            if name not in schemes:
                message = f"security names {name!r}, which is not declared"
                context.warn(Code.UNKNOWN_SECURITY, message, element, operation)
        found.append(
            {
                name: tuple(str(scope) for scope in scopes) if isinstance(scopes, list) else ()
                for name, scopes in element.value.items()
            }
        )
    return tuple(found)
