"""What exists already is refused where the document says so: the same creation is made twice."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from http import HTTPStatus

from icepick.execute.binding.emulator import Instance
from icepick.execute.laws.errands import Arrived, Errands
from icepick.execute.laws.items import ItemLaw, Wrong, creation_of, look_at_items, send, sight, twin
from icepick.execute.phases import Stage
from icepick.execute.types import Provenance, Verdict
from icepick.openapi.types import ABSENT, Operation
from icepick.resources.fields import inputs
from icepick.resources.types import Chooser, Resource, Role, Use
from icepick.resources.words import words

TWICE = "twice"
_CONFLICT = str(HTTPStatus.CONFLICT.value)
_EXISTS = re.compile(
    r"(?i)\bexist(s|ing)?\b|\bduplicat|\bunique|\b(of|with) the same\b"
    r"|\balready (been )?(taken|used|in use|registered|known|present|defined)\b"
)
_ABSENCE = re.compile(r"(?i)(\bnot|n't|\bnever|\bno longer|\bno|\bnon)[ -]+exist")
_PASSING = re.compile(
    r"(?i)progress|running|process|pending|flight|busy|lock|idempot|version|concurren|modif"
    r"|\b(in)?active\b|\b(re)?open(ed)?\b|\bcurrent|\bstat(e|us)\b|ongoing|unfinished|expir"
)
"""Words of conflicts that come and go: whether there is one nobody knows but the service."""


class Twice:
    """Makes the same thing twice, where the document declares a conflict with what exists."""

    def __init__(self, errands: Errands) -> None:
        self._errands = errands
        self._kit = errands.kit

    async def run(self, stage: Stage) -> None:
        """Look at every resource that the service names and does not want twice."""
        law = ItemLaw(
            TWICE, self._concerns, self._wrong, Verdict.WARN, Provenance.DECLARED, anywhere=True
        )
        await look_at_items(law, self._errands, stage)

    def _concerns(self, resource: Resource) -> bool:
        return any(self._said(resource, use) for use in resource.having(Role.CREATE))

    def _said(self, resource: Resource, use: Use) -> str:
        """What the document says of a conflict with what exists; empty where it says nothing.

        Words that stand at creations of other resources as well are no rule of this one, and where
        a person wrote what a creation requires, that is the rule.
        """
        operation, identifier = self._kit.operations[use.operation], resource.identifier
        named = identifier is not None and identifier.chooser is Chooser.SERVER
        written = self._kit.promises.of(operation).is_written
        text = conflict_said(operation) if named and not written else ""
        others = (
            conflict_said(self._kit.operations[one.operation])
            for other in self._kit.resources.resources.values()
            for one in other.having(Role.CREATE)
            if other.name != resource.name and one.operation != use.operation
        )
        return "" if text in others else text

    async def _wrong(
        self, arrived: Arrived, resource: Resource, instance: Instance
    ) -> AsyncIterator[Wrong]:
        made = creation_of(arrived, instance)
        for use in resource.having(Role.CREATE):
            operation, text = self._kit.operations[use.operation], self._said(resource, use)
            if made is None or made.operation != operation.id or not text:
                continue
            if self._speaks_of_others(operation, text, instance):
                continue
            again = await send(self._kit, made.request, operation)
            other = twin(arrived, instance, resource, again)
            if other is None or again.status == HTTPStatus.ACCEPTED:
                continue
            if await self._is_there(arrived, instance) and await self._is_there(arrived, other):
                happened = f"the same again answered {again.status} and made another "
                happened += f"{resource.name}, where {_CONFLICT} is declared: {text}"
                law = f"{operation.label} answers {_CONFLICT}: {text}"
                yield law, happened, f"{operation.id} twice", (made, again)

    def _speaks_of_others(self, operation: Operation, text: str, instance: Instance) -> bool:
        """Whether a conflict is about an input that was not sent."""
        sent = instance.sent if isinstance(instance.sent, Mapping) else {}
        said = f" {' '.join(words(text))} "
        return any(
            f" {' '.join(words(leaf.name))} " in said and leaf.path[0] not in sent
            for leaf in inputs(operation, self._kit.scene.schemas)
            if leaf.name not in instance.address
        )

    async def _is_there(self, arrived: Arrived, instance: Instance) -> bool:
        seen = await sight(arrived, self._kit, instance)
        return seen is not None and seen.shown is not ABSENT


def conflict_said(operation: Operation) -> str:
    """The document's words for a conflict of a creation with what exists already."""
    declared = operation.responses.get(_CONFLICT)
    text = " ".join(declared.description.split()) if declared is not None else ""
    doubtful = _ABSENCE.search(text) or _PASSING.search(text)
    return text if _EXISTS.search(text) and not doubtful else ""
