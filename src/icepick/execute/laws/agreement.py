"""Views: operations that show a resource, and which of them were seen to agree with the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from icepick.execute.answers import at
from icepick.execute.binding.emulator import Instance
from icepick.execute.laws.echo import same
from icepick.execute.reads import Reads
from icepick.execute.types import Complaint, Provenance, Verdict
from icepick.glacier import Answer
from icepick.inputs import path_text
from icepick.openapi.places import holes
from icepick.openapi.types import Json, Operation
from icepick.resources.types import Path, Resource, Use

VIEW = "view"


@dataclass(frozen=True, slots=True)
class View:
    """An operation that shows a resource, or the members of one."""

    operation: Operation
    use: Use
    resource: str
    identifier: Path
    key: tuple[str, ...] = ()
    """The other parts of a key, where it has several."""

    def path(self, *instances: Instance, query: bool = False) -> str | None:
        """Where instances are shown; `query` where whoever asks adds what is required there."""
        operation = self.operation
        address: dict[str, Json] = {}
        for one in instances:
            address |= one.parameters(operation.path)
        if any(name not in address for name in holes(operation.path)):
            return None
        asked = any(one.required and one.location.value == "query" for one in operation.parameters)
        if asked and not query:
            return None
        return path_text(operation.path, operation.parameters, address)

    async def elements(
        self, reads: Reads, instance: Instance
    ) -> tuple[str | None, list[Json] | None]:
        """Where a list is that should have an instance, and what it has."""
        path = self.path(instance)
        answer = await reads.look(path) if path is not None else None
        return path, self.listed_in(answer)

    def listed_in(self, answer: Answer | None) -> list[Json] | None:
        """The elements that an answer has; None where it is no list."""
        if answer is None or answer.status != 200 or self.use.response is None:
            return None
        found = at(answer.body, self.use.response.path)
        return found if isinstance(found, list) else None

    def identifier_of(self, element: Json) -> Json:
        """What an element of the list is known by."""
        return at(element, self.identifier) if isinstance(element, Mapping) else element

    def has(self, elements: list[Json], instance: Instance) -> bool:
        """Whether an instance is among the elements."""
        return any(self.shows(one, instance) for one in elements)

    def shows(self, element: Json, instance: Instance) -> bool:
        """Whether an element is an instance."""
        return same(self.identifier_of(element), instance.identifier) and all(
            same(at(element, (name,)), instance.address.get(name)) for name in self.key
        )


def key_beside(resource: Resource) -> tuple[str, ...]:
    """The parts of a key beside the identifier."""
    own = resource.identifier.parameter if resource.identifier is not None else ""
    names = holes(resource.item_path or "") if resource.is_keyed else ()
    return tuple(name for name in names if name != own)


class Agreement:
    """Which views were seen to agree: one that never did may only be misunderstood."""

    def __init__(self) -> None:
        self._agreed: set[str] = set()

    def note(self, about: str) -> None:
        """This view agreed, and not for lack of anything to show."""
        self._agreed.add(about)

    def level(self, about: str) -> Verdict:
        """How grave it is if this view disagrees."""
        return Verdict.ERR if about in self._agreed else Verdict.WARN

    def complaint(
        self, reads: Reads, about: str, law: str, text: str, path: str | None
    ) -> Complaint:
        """A view disagrees, as the GET of this path shows."""
        exchange = reads.exchanges.get(path or "")
        numbers = (exchange.number,) if exchange is not None else ()
        return Complaint(
            VIEW, self.level(about), law, text, Provenance.LAW, about, exchanges=numbers
        )
