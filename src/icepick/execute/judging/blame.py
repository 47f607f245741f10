"""From what held before and after a call to its verdict, and to what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from icepick.execute.binding.bound import Bound
from icepick.execute.judging.judge import together, verdict_in_doubt
from icepick.execute.judging.promises import Promise, broken
from icepick.execute.said import refusal_text
from icepick.execute.types import Complaint, Provenance, Verdict
from icepick.glacier import Answer, Outcome, Truth
from icepick.glacier import Provenance as Source
from icepick.openapi.types import Operation
from icepick.resources.types import Role
from icepick.sequences.types import Call, Kind

ENSURES = "ensures"
INVARIANT = "invariant"
ACCEPTED = "accepted"
REFUSED = "refused"

Judgement = tuple[Verdict, str, list[Complaint]]
"""A verdict, the reason for it where it needs one, and what is wrong."""

UPSERTED = "accepted: it creates what is not there"
RENAMED = "accepted: it gives what it creates an identifier of its own"
PROVIDED = "accepted: it creates what it refers to, where that is not there"
FOLLOWS = "accepted, and what it requires does not hold since an earlier call"
KNOWN = "it creates nothing new, but gives what is there already"


@dataclass(frozen=True, slots=True)
class Blame:
    """Everything known of one call that was answered.

    `new_broken` are the invariants that this call broke, `exchanges` the numbers of the GETs by
    path, and that of the call itself under the empty path.
    """

    call: Call
    operation: Operation
    promise: Promise
    bound: Bound
    answer: Answer
    requires: list[Outcome]
    ensures: list[Outcome]
    new_broken: list[Outcome]
    invariants: Truth
    exchanges: Mapping[str, int]
    was_there: bool = True
    """Whether what the call is about existed before it."""
    known: bool = False
    """Whether it created nothing new, but gave what was there already."""
    renamed: bool = False
    """Whether it gave what it created another identifier than it was sent."""
    fulfilled: frozenset[str] = frozenset()
    """What it requires and what holds now, where it was accepted though it must not be."""

    def verdict(self) -> Judgement:
        """What the call comes to."""
        status, pre = self.answer.status, together(self.requires)
        if self.known:
            return self._known()
        if 300 <= status < 400:
            return Verdict.NOT_TESTED, f"{self.operation.label} answered {status}", []
        if self.call.kind is Kind.REFUSAL:
            return self._refusal()
        if 400 <= status < 500 and pre is not Truth.FALSE:
            return self._unexpected(pre)
        found = verdict_in_doubt(pre, together(self.ensures), self.invariants, status)
        complaints = self._about(self.new_broken, INVARIANT, Verdict.ERR)
        if self._provides_it([one for one in self.requires if one.value is Truth.FALSE]):
            return (Verdict.ERR if complaints else Verdict.OK), PROVIDED, complaints
        if 200 <= status < 300 and pre is not Truth.FALSE:
            complaints = self._about(self.ensures, ENSURES, Verdict.ERR) + complaints
        elif 200 <= status < 300 and self._follows():
            return (Verdict.ERR if complaints else Verdict.NOT_TESTED), FOLLOWS, complaints
        elif 200 <= status < 300:
            complaints = self._about(self.requires, ACCEPTED, found) + complaints
        return found, self._doubt(found), complaints

    def _follows(self) -> bool:
        """Whether the state is another than the calls before should have led to, by what is only
        inferred. One of them is to blame, or a GET that does not tell: not this call, which does
        what its turn in the life cycle is."""
        violated = [one for one in self.requires if one.value is Truth.FALSE]
        return all(one.clause.provenance is Source.INFERRED for one in violated)

    def _known(self) -> Judgement:
        """To give what is there for the same data once more is a convention, of which a person
        alone can say otherwise."""
        written = [one for one in self.ensures if one.clause.provenance is Source.WRITTEN]
        complaints = self._about(written, ENSURES, Verdict.ERR)
        complaints += self._about(self.new_broken, INVARIANT, Verdict.ERR)
        return (Verdict.ERR if complaints else Verdict.OK), KNOWN, complaints

    def _doubt(self, found: Verdict) -> str:
        if found is not Verdict.OK:
            return ""
        unknown = [o for o in (*self.requires, *self.ensures) if o.value is Truth.UNKNOWN]
        return f"not decided: {unknown[0].reason}" if unknown else ""

    def _about(self, outcomes: list[Outcome], check: str, level: Verdict) -> list[Complaint]:
        return _complaints(outcomes, check, level, self.exchanges)

    # A call that should succeed and is refused

    def _unexpected(self, pre: Truth) -> Judgement:
        status = self.answer.status
        said = f"{self.operation.label} answered {status}{refusal_text(self.answer)}"
        more = self._about(self.new_broken, INVARIANT, Verdict.ERR)
        if self._is_there() and status in {404, 410}:
            law = "what exists can be read and deleted"
            return Verdict.ERR, "", [self._refused(law, said, Provenance.LAW), *more]
        if self.promise.is_written and pre is Truth.TRUE:
            clauses = " && ".join(one.clause.text for one in self.requires)
            promised = f"accepted where {clauses}"
            return Verdict.ERR, "", [self._refused(promised, said, Provenance.WRITTEN), *more]
        return Verdict.NOT_TESTED, said, more

    def _is_there(self) -> bool:
        """Whether the call names nothing but instances that exist."""
        role = self.bound.use.role if self.bound.use is not None else None
        return not self.bound.drawn and role in {Role.READ, Role.DELETE}

    def _refused(self, promised: str, said: str, provenance: Provenance) -> Complaint:
        return Complaint(
            REFUSED, Verdict.ERR, promised, said, provenance, exchanges=(self.exchanges[""],)
        )

    # A call that must be refused

    def _refusal(self) -> Judgement:
        status = self.answer.status
        complaints = self._about(self.new_broken, INVARIANT, Verdict.ERR)
        if not 200 <= status < 300:
            return (Verdict.OK if status < 500 else Verdict.ERR), "", complaints
        violated = [one for one in self.requires if one.value is Truth.FALSE]
        if not violated:
            expected = "; ".join(self.call.violated)
            reason = f"accepted, though nothing but an assumption forbids it: {expected}"
            return Verdict.OK, reason, complaints
        if self._changes_nothing(violated):
            return Verdict.OK, "accepted: deleting what is not there changes nothing", complaints
        if self._makes_it(violated):
            return Verdict.OK, UPSERTED, complaints
        if self._provides_it(violated):
            return Verdict.OK, PROVIDED, complaints
        if self._finds_it(violated):
            return Verdict.OK, "accepted: the document has a 200 for what exists", complaints
        if self._names_it_itself(violated):
            return Verdict.OK, RENAMED, complaints
        level = verdict_in_doubt(Truth.FALSE, together(self.ensures), self.invariants, status)
        return level, "", self._about(violated, ACCEPTED, level) + complaints

    def _makes_it(self, violated: list[Outcome]) -> bool:
        """A PUT that makes what is not there is a convention: it is there afterwards, and nothing
        else that was asked for was missing."""
        role = self.bound.use.role if self.bound.use is not None else None
        inferred = all(one.clause.provenance is Source.INFERRED for one in violated)
        now = {one.clause.text for one in self.ensures if one.value is Truth.TRUE}
        made = role in {Role.REPLACE, Role.UPDATE} and self.operation.method in {"PUT", "POST"}
        return made and inferred and {one.clause.text for one in violated} <= now

    def _provides_it(self, violated: list[Outcome]) -> bool:
        """A creation that makes what it refers to leaves no reference to nothing."""
        inferred = all(one.clause.provenance is Source.INFERRED for one in violated)
        made = bool(violated) and inferred and bool(self.bound.created)
        return made and {one.clause.text for one in violated} <= self.fulfilled

    def _finds_it(self, violated: list[Outcome]) -> bool:
        """A creation that declares 201 for what is new and 200 for what exists."""
        inferred = all(one.clause.provenance is Source.INFERRED for one in violated)
        both = {"200", "201"} <= set(self.operation.responses)
        return inferred and both and bool(self.bound.created) and self.answer.status == 200

    def _names_it_itself(self, violated: list[Outcome]) -> bool:
        """A service that names what it creates itself pays no heed to a name that is taken."""
        sent = [one.identifier for one in self.bound.created]
        inferred = all(one.clause.provenance is Source.INFERRED for one in violated)
        named = [f"/{quote(str(one), safe='')}" for one in sent]
        return (
            self.renamed
            and inferred
            and all(path.endswith(tuple(named)) for one in violated for path in one.asked)
        )

    def _changes_nothing(self, violated: list[Outcome]) -> bool:
        """An idempotent DELETE is a convention; only a person can forbid it."""
        inferred = all(one.clause.provenance is Source.INFERRED for one in violated)
        return self.operation.method == "DELETE" and inferred and not self.was_there


def broken_invariants(broken: list[Outcome], exchanges: Mapping[str, int]) -> list[Complaint]:
    """The complaints about invariants."""
    return _complaints(broken, INVARIANT, Verdict.ERR, exchanges)


def _complaints(
    outcomes: list[Outcome], check: str, level: Verdict, exchanges: Mapping[str, int]
) -> list[Complaint]:
    found = []
    for one in outcomes:
        if one.value is Truth.FALSE:
            paths = ["", *one.asked_before, *one.asked]
            numbers = sorted({exchanges[path] for path in paths if path in exchanges})
            found.append(broken(one, check, level, numbers))
    return found
