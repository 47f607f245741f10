"""The base addresses of an API."""

from __future__ import annotations

from urllib.parse import urlsplit

from icepick.errors import Code
from icepick.openapi.context import Context
from icepick.openapi.fetch import join
from icepick.openapi.source import Node
from icepick.openapi.types import Server, ServerVariable
from icepick.openapi.web import is_url


def servers(node: Node, context: Context) -> tuple[Server, ...]:
    """Those of a document, a path or an operation; a document without any stands at its own `/`."""
    if context.is_swagger:
        return _swagger_servers(node, context) if not node.path else ()
    found = []
    for child in context.elements(node, "servers"):
        server = _server(child, context)
        if server is None:
            context.warn(Code.BROKEN_SERVER, "a server needs a `url`; left out", child)
        else:
            found.append(server)
    if not found and not node.path:
        return (Server(_absolute("/", node)),)
    return tuple(found)


def _server(node: Node, context: Context) -> Server | None:
    url = node.text("url")
    if not url:
        return None
    variables = {
        name: _variable(child, context)
        for name, child in context.members(node, "variables")
        if child.is_mapping
    }
    return Server(_absolute(url, node), variables, node.text("description"))


def _variable(node: Node, context: Context) -> ServerVariable:
    default = node.get("default")
    choices = tuple(str(child.value) for child in context.elements(node, "enum"))
    return ServerVariable(str(default.value) if default else "", choices)


def _absolute(url: str, node: Node) -> str:
    """A relative address counts from where the document was fetched."""
    if not is_url(node.source.name) or "://" in url or url.startswith("{"):
        return url
    try:
        return join(node.source.name, url).rstrip("/")
    except ValueError:
        return url


def _swagger_servers(node: Node, context: Context) -> tuple[Server, ...]:
    base = "/" + node.text("basePath").strip("/")
    host = node.text("host")
    if not host:
        return (Server(_absolute(base, node)),)
    named = [child.value for child in context.elements(node, "schemes")]
    own = urlsplit(node.source.name).scheme if is_url(node.source.name) else "http"
    schemes = [scheme for scheme in named if scheme in ("http", "https")] or [own]
    return tuple(Server(f"{scheme}://{host}{base}".rstrip("/")) for scheme in schemes)
