"""What all readers of one document share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from icepick.errors import Code, Diagnostic, Severity
from icepick.openapi.references import BrokenPartError, Documents
from icepick.openapi.source import Node
from icepick.openapi.types import Dialect


@dataclass(frozen=True, slots=True)
class Context:
    """The documents, their dialect, and the defects met so far."""

    documents: Documents
    dialect: Dialect
    diagnostics: list[Diagnostic] = field(default_factory=list)

    @property
    def is_swagger(self) -> bool:
        """Whether this is Swagger 2.0, which has its own way with bodies and servers."""
        return self.dialect is Dialect.SWAGGER_2_0

    @property
    def root(self) -> Node:
        """The whole document."""
        return Node(self.documents.root, (), self.documents.root.content)

    def mapping(self, node: Node, key: str, operation: str | None = None) -> Node | None:
        """The object under a key; anything else there is reported and ignored."""
        child = node.get(key)
        if child is None:
            return None
        self._expect(child.is_mapping, child, "an object", operation)
        return child if child.is_mapping else None

    def members(
        self, node: Node, key: str, operation: str | None = None
    ) -> Iterator[tuple[str, Node]]:
        """The members of the object under a key."""
        child = self.mapping(node, key, operation)
        yield from child.items() if child else ()

    def elements(self, node: Node, key: str, operation: str | None = None) -> Iterator[Node]:
        """The elements of the list under a key; anything else there is reported and ignored."""
        child = node.get(key)
        if child is not None:
            self._expect(isinstance(child.value, list), child, "a list", operation)
            yield from child.elements()

    def _expect(self, fits: bool, node: Node, kind: str, operation: str | None) -> None:
        if not fits:
            message = f"`{node.path[-1]}` must be {kind}; ignored"
            self.warn(Code.WRONG_TYPE, message, node, operation)

    def warn(
        self,
        code: Code,
        message: str,
        node: Node,
        operation: str | None = None,
        hint: str | None = None,
    ) -> None:
        """Note that something was guessed or ignored."""
        self.diagnostics.append(
            Diagnostic(code, Severity.WARNING, message, node.place(), hint, operation)
        )

    def broken(
        self,
        error: BrokenPartError,
        operation: str | None = None,
        severity: Severity = Severity.ERROR,
    ) -> None:
        """Note that a part was left out."""
        self.diagnostics.append(error.diagnostic(severity, operation))
