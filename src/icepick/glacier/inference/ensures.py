"""What a call ensures: what exists afterwards, what it looks like, and what is counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from icepick.glacier.inference.drafts import Draft, Gap, Line, unseen
from icepick.glacier.inference.keys import Key, access
from icepick.glacier.inference.naming import Naming
from icepick.glacier.inference.views import Existence, compared
from icepick.openapi.shape import properties
from icepick.resources.types import Chooser, Role


class Ensures:
    """Writes the ensures clauses of one operation in one role."""

    def __init__(self, named: Naming) -> None:
        self._named = named
        self._resource = named.resource
        self._use = named.use
        self._views = named.views

    def lines(self) -> Iterator[Line]:
        """The clauses, and what cannot be said."""
        match self._use.role:
            case Role.CREATE:
                yield from self._create()
            case Role.CREATE_MANY:
                yield from self._create_many()
            case Role.REPLACE | Role.UPDATE:
                yield from self._change()
            case Role.DELETE:
                yield from self._delete()
            case Role.ACTION:
                yield Gap("what the action does is not known")

    def _create(self) -> Iterator[Line]:
        identifier = self._resource.identifier
        either = identifier is not None and identifier.chooser is Chooser.EITHER
        sent, answered = self._named.keys_sent(), self._named.keys_answered()
        keys = (answered or sent) if either else (sent or answered)
        if keys is None:
            yield Gap("the answer does not show the identifier of what was created")
        else:
            yield from self._now_present(keys)
            yield from self._counted(keys, "+ 1", "creation adds one to the collection")
        yield from self._echoed()
        yield from self._read_back(keys)

    def _create_many(self) -> Iterator[Line]:
        sent, identifier = self._use.request, self._resource.identifier
        if sent is None or identifier is None or identifier.property is None:
            yield Gap("the identifiers of what is created are not known")
            return
        keys = {**self._named.own, identifier.parameter: Key.of_variable("x", identifier.property)}
        there = self._views.existence(self._resource, keys)
        if there is None or there.by_list:
            yield unseen(self._resource)
            return
        listed = access("req_body(@)", sent.path)
        reason = f"every {self._resource.name} of the list must exist afterwards"
        yield Draft(f"for x in {listed} :- {there.present}", reason)

    def _change(self) -> Iterator[Line]:
        keys = self._named.keys_addressed()
        if keys is not None:
            yield from self._now_present(keys)
            if not self._use.creates:
                yield from self._counted(keys, "", "an update adds and removes nothing")
        yield from self._echoed()
        yield from self._read_back(keys)

    def _delete(self) -> Iterator[Line]:
        keys = self._named.keys_addressed()
        there = self._views.existence(self._resource, keys) if keys is not None else None
        if keys is None or there is None:
            return
        yield Draft(there.absent, f"the {self._resource.name} is gone")
        before = self._views.body(self._resource, keys)
        shown = self._use.response
        if before is not None and shown is not None and self._named.is_representation(shown):
            text = f"{access('res_body(@)', shown.path)} = prev({before})"
            yield Draft(text, "the answer shows what was deleted", 0.8)
        yield from self._listed(keys, there, "for", "!=", "the collection no longer lists it")
        yield from self._counted(keys, "- 1", "deletion takes one from the collection")

    def _now_present(self, keys: Mapping[str, Key]) -> Iterator[Line]:
        there = self._views.existence(self._resource, keys)
        if there is None:
            yield unseen(self._resource)
            return
        yield Draft(there.present, f"the {self._resource.name} can be found afterwards")
        yield from self._listed(keys, there, "exists", "=", "the collection lists it")

    def _listed(
        self, keys: Mapping[str, Key], there: Existence, kind: str, sign: str, reason: str
    ) -> Iterator[Line]:
        """What the list of the collection shows of the instance, where reading it shows more."""
        listed = self._views.listing(self._resource, keys)
        identifier = self._resource.identifier
        if there.by_list or listed is None or identifier is None or identifier.property is None:
            return
        if properties(listed[1].schema, self._named.schemas):
            named = compared(self._resource, keys, sign)
            yield Draft(f"{kind} x in {listed[0]} :- {named}", reason, 0.85)

    def _counted(self, keys: Mapping[str, Key], change: str, reason: str) -> Iterator[Line]:
        listed = self._views.listing(self._resource, keys)
        if listed is not None:
            length = f"len({listed[0]})"
            yield Draft(f"{length} = prev({length}) {change}".rstrip(), reason, 0.7)

    def _echoed(self) -> Iterator[Line]:
        sent, shown = self._use.request, self._use.response
        if sent is None or shown is None or sent.many or shown.many:
            return
        if self._named.is_representation(sent) and self._named.is_representation(shown):
            text = f"{access('req_body(@)', sent.path)} = {access('res_body(@)', shown.path)}"
            yield Draft(self._if_sent(text), "the answer shows what was sent", 0.8)

    def _read_back(self, keys: Mapping[str, Key] | None) -> Iterator[Line]:
        sent = self._use.request
        after = self._views.body(self._resource, keys) if keys is not None else None
        if sent is None or after is None or sent.many or not self._named.is_representation(sent):
            return
        text = f"{access('req_body(@)', sent.path)} = {after}"
        yield Draft(self._if_sent(text), "what was sent can be read back", 0.85)

    def _if_sent(self, text: str) -> str:
        """A statement on the request body, with a condition where there may be none."""
        body = self._named.operation.request_body
        return text if body is not None and body.required else f"req_body(@) != null => {text}"
