"""Follow `$ref` from node to node, across files where that is allowed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

from icepick.errors import Code, Diagnostic, DocumentError, Severity
from icepick.openapi.fetch import fetch, has_other_scheme, join
from icepick.openapi.options import ReadOptions
from icepick.openapi.source import Node, Source, unescaped
from icepick.openapi.syntax import parse
from icepick.openapi.types import Json
from icepick.openapi.web import is_url, same_host, signed_in


class BrokenPartError(Exception):
    """A part of the document is unusable; whoever reads that part decides what falls with it."""

    def __init__(self, code: Code, message: str, node: Node, hint: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.node = node
        self.hint = hint

    def diagnostic(
        self, severity: Severity = Severity.ERROR, operation: str | None = None
    ) -> Diagnostic:
        """The same as data."""
        return Diagnostic(
            self.code, severity, self.message, self.node.place(), self.hint, operation
        )


class Documents:
    """The root document and every other one that its references lead to."""

    def __init__(self, location: str, options: ReadOptions) -> None:
        location, self._options = signed_in(location, options)
        self._ends: dict[tuple[str, str], Node] = {}
        self._failed: dict[str, DocumentError] = {}
        self.root = self._load(location, self._options)
        self._loaded = {self.root.name: self.root}

    @staticmethod
    def _load(location: str, options: ReadOptions, *, stay: bool = False) -> Source:
        text, found = fetch(location, options, stay=stay)
        return parse(text, found, options)

    def follow(self, node: Node) -> Node:
        """The node itself, or where its chain of references ends."""
        passed: dict[tuple[str, str], None] = {}
        while isinstance(node.value, dict) and "$ref" in node.value:
            spot = (node.source.name, node.pointer)
            if spot in self._ends:
                node = self._ends[spot]
                break
            if spot in passed:
                raise BrokenPartError(
                    Code.CIRCULAR_REFERENCE,
                    f"the reference {node.value['$ref']!r} leads back to itself",
                    node,
                    "point one of the references in this circle at a real definition",
                )
            passed[spot] = None
            node = self.target(node)
        self._ends |= dict.fromkeys(passed, node)
        return node

    def target(self, node: Node) -> Node:
        """Where the `$ref` of a node points, one step."""
        reference = node.value["$ref"]
        if not isinstance(reference, str):
            shown = repr(reference)[:60]
            raise BrokenPartError(
                Code.DANGLING_REFERENCE, f"$ref: {shown} is not a reference: it must be text", node
            )
        location, _, fragment = reference.partition("#")
        source = self._source(node, location) if location else node.source
        if fragment and not fragment.startswith("/"):
            return self._anchor(node, source, fragment)
        return self._pointed(node, source, fragment)

    def _source(self, node: Node, location: str) -> Source:
        try:
            full = self._located(node, location)
        except (OSError, RuntimeError, ValueError) as error:
            raise _unfollowed(node, str(error), None) from error
        if full in self._failed:
            raise _unfollowed(node, self._failed[full].message, self._failed[full].hint)
        if full not in self._loaded:
            self._loaded[full] = self._referenced(node, full)
        return self._loaded[full]

    def _referenced(self, node: Node, full: str) -> Source:
        if len(self._loaded) >= self._options.max_documents:
            reason = f"the references lead to more than {self._options.max_documents:,} documents"
            raise _unfollowed(node, reason, None)
        options = self._options
        if is_url(full):
            own = is_url(self.root.name) and same_host(self.root.name, full)
            options = replace(options, wait_seconds=0, headers=options.headers if own else {})
        try:
            return self._load(full, options, stay=not options.allow_remote_refs)
        except DocumentError as error:
            self._failed[full] = error
            raise _unfollowed(node, error.message, error.hint) from error

    def _located(self, node: Node, location: str) -> str:
        """The one name of the document that a reference means, if it may be read at all."""
        full = join(node.source.name, location)
        if is_url(full):
            if self._options.allow_remote_refs or self._is_beside(full):
                return signed_in(full, self._options)[0]
            raise BrokenPartError(
                Code.REMOTE_REFERENCE,
                f"the reference {node.value['$ref']!r} leads to another host or folder",
                node,
                "--allow-remote-refs follows it, if you trust what is there",
            )
        folder = Path(self.root.name).parent
        path = Path(full).resolve()
        inside = path.is_relative_to(folder.resolve()) and not is_url(node.source.name)
        if has_other_scheme(location) or not inside:
            raise BrokenPartError(
                Code.OUTSIDE_REFERENCE,
                f"the reference {node.value['$ref']!r} leads outside the document's folder",
                node,
                "move the file into the folder of the document",
            )
        if path == Path(self.root.name).resolve():
            return self.root.name
        return str(folder / path.relative_to(folder.resolve()))

    def _is_beside(self, url: str) -> bool:
        """Whether a URL is in the folder of the root document, which has a URL too."""
        if not is_url(self.root.name) or not same_host(self.root.name, url):
            return False
        folder = urlsplit(self.root.name).path.rpartition("/")[0] + "/"
        path = unquote(urlsplit(url).path)
        return path.startswith(unquote(folder)) and ".." not in path.split("/")

    def _pointed(self, node: Node, source: Source, fragment: str) -> Node:
        path = tuple(_unescape(part) for part in fragment.split("/")[1:])
        value = source.content
        for depth, part in enumerate(path):
            try:
                value = value[_index(part)] if isinstance(value, list) else value[part]
            except (KeyError, IndexError, TypeError, ValueError):
                raise self._dangling(node, source, path[: depth + 1]) from None
        return Node(source, path, value)

    @staticmethod
    def _dangling(node: Node, source: Source, path: tuple[str, ...]) -> BrokenPartError:
        missing = f"{source.name} has no " + "/".join(path)
        return BrokenPartError(
            Code.DANGLING_REFERENCE,
            f"the reference {node.value['$ref']!r} points at nothing: {missing}",
            node,
            "define it, or correct the reference",
        )

    def _anchor(self, node: Node, source: Source, name: str) -> Node:
        found = _find_anchor(source.content, name, ())
        if found is None:
            raise self._dangling(node, source, (f"anchor {name}",))
        path, value = found
        return Node(source, path, value)


def _unfollowed(node: Node, reason: str, hint: str | None) -> BrokenPartError:
    message = f"the reference {node.value['$ref']!r} cannot be followed: {reason}"
    return BrokenPartError(Code.DANGLING_REFERENCE, message, node, hint)


def _index(part: str) -> int:
    if not (part.isascii() and part.isdigit()):
        raise ValueError(part)
    return int(part)


def _unescape(part: str) -> str:
    return unescaped(unquote(part))


def _find_anchor(
    value: Json, name: str, path: tuple[str, ...]
) -> tuple[tuple[str, ...], Json] | None:
    if isinstance(value, dict):
        if name in (value.get("$anchor"), value.get("$dynamicAnchor")):
            return path, value
        children = list(value.items())
    elif isinstance(value, list):
        children = [(str(index), child) for index, child in enumerate(value)]
    else:
        return None
    for key, child in children:
        if found := _find_anchor(child, name, (*path, key)):
            return found
    return None
