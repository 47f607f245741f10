"""What has been heard of the inputs of one operation, and how far it is to be believed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace

from icepick.inputs.case import Slot
from icepick.inputs.learn.names import Names, valued
from icepick.inputs.learn.quoted import Said, read
from icepick.inputs.learn.relating import IN_PATH
from icepick.inputs.learn.types import Complaint, Heard, Kind, Learned, Relation
from icepick.inputs.learn.undeclared import Beside, missing
from icepick.inputs.types import Hint
from icepick.openapi.shape import Schemas, types
from icepick.openapi.types import ABSENT, Json
from icepick.resources.types import Field, Location
from icepick.resources.words import words

_IN_VAIN = 4
"""A sentence that comes again this often although it is heeded was misread."""

_NUMBERS = frozenset({"integer", "number"})
_SENTENCES = re.compile(r"\s*(?:;|\n|(?<=[a-z)'\"])\.\s)\s*")
_NO_HINT = Hint()


class Knowledge:
    """Collects what sentences say; a reading that does not help is dropped again."""

    def __init__(
        self, inputs: Iterable[Field], schemas: Schemas, beside: Beside | None = None
    ) -> None:
        self._fields: dict[Slot, Field] = {(one.location, one.path): one for one in inputs}
        self._schemas = schemas
        self._beside = beside or Beside()
        self.undeclared: dict[Slot, Field] = {}
        """Inputs that the service asks for and the document does not declare."""
        self.names = Names(self._fields)
        self.hints: dict[Slot, Hint] = {}
        self._passing: dict[Slot, Hint] = {}
        self.relations: list[Relation] = []
        self.unique: list[Slot] = []
        self.existing: list[Slot] = []
        self.forbidden: list[Slot] = []
        self.examples: dict[Slot, tuple[Json, ...]] = {}
        self.picky: dict[Slot, tuple[Json, ...]] = {}
        self.heard: list[Heard] = []
        self._vain: dict[tuple[Slot, str], int] = {}

    def recall(self, learned: Learned) -> None:
        """Take over what was learned before."""
        for (location, path), schema in learned.undeclared.items():
            self._add(Field(path, location, schema, required=True))
        known = self._fields
        self.hints |= {slot: hint for slot, hint in learned.hints.items() if slot in known}
        self.relations += [one for one in learned.relations if one.slot in known]
        self.unique += [slot for slot in learned.unique if slot in known]
        self.existing += [slot for slot in learned.existing if slot in known]
        self.forbidden += [slot for slot in learned.forbidden if slot in known]
        self.examples |= {slot: some for slot, some in learned.examples.items() if slot in known}
        self.picky |= {slot: some for slot, some in learned.picky.items() if slot in known}
        self.heard += learned.heard

    def slots(self, complaint: Complaint, values: Mapping[Slot, Json]) -> tuple[Slot, ...]:
        """The inputs that a complaint is about, the one it is mainly about first."""
        named = [slot for name in complaint.names if (slot := self.names.slot(name))]
        told = self.names.mentioned(complaint.text)
        held = () if named or told else tuple(valued(complaint.text, values))
        return tuple(dict.fromkeys([*named, *told, *held]))

    def hint(self, slot: Slot) -> Hint:
        """All that is known of the values of an input, what holds only now included."""
        return _merged(self.hints.get(slot, _NO_HINT), self._passing.get(slot, _NO_HINT))

    def hear(
        self, complaint: Complaint, values: Mapping[Slot, Json], *, lasting: bool = True
    ) -> bool:
        """Learn from a complaint about an input; whether anything is new.

        What is said of values in a conflict with the state of things does not last.
        """
        changed = False
        for sentence in _SENTENCES.split(complaint.text):
            part = replace(complaint, text=sentence)
            about = self.slots(part, values)
            if sentence and about:
                sent = values.get(about[0], ABSENT) is not ABSENT
                changed |= self._learn(about[0], sentence, lasting=lasting, sent=sent)
            elif sentence:
                changed |= self._ask(part)
        return changed

    def _ask(self, complaint: Complaint) -> bool:
        """Note an input that is missing and not declared; whether there is such a one."""
        name = missing(complaint)
        inside = self._inside(name) if name is not None else None
        if inside is not None:
            return self._apply(inside, Said(Hint(required=True)), self.hints)
        new = self._beside.field(name) if name is not None else None
        if new is None or (new.location, new.path) in self._fields:
            return False
        self._add(new)
        slot = (new.location, new.path)
        self.hints[slot] = Hint(required=True)
        self.heard.append(Heard((slot,), complaint.text))
        return True

    def _inside(self, name: str) -> Slot | None:
        """The first input inside an object of that name."""
        found = (slot for slot in self._fields if slot[0] is Location.BODY and len(slot[1]) > 1)
        return next((slot for slot in found if slot[1][0] == name and "[]" not in slot[1]), None)

    def suppose(self, names: Iterable[str]) -> list[Slot]:
        """Take it that fields are asked for which nobody has asked for; their slots."""
        found = [one for name in names if (one := self._beside.field(name))]
        new = [one for one in found if (one.location, one.path) not in self._fields]
        for one in new:
            self._add(one)
        return [(one.location, one.path) for one in new]

    def retract(self, slots: Iterable[Slot]) -> None:
        """Take back what was supposed."""
        for slot in slots:
            del self._fields[slot], self.undeclared[slot]
        self.names = Names(self._fields)

    def _add(self, new: Field) -> None:
        slot = (new.location, new.path)
        self._fields[slot] = self.undeclared[slot] = new
        self.names = Names(self._fields)

    def _learn(self, slot: Slot, sentence: str, *, lasting: bool, sent: bool) -> bool:
        heard = read(sentence, lambda name: self._slot(name) is not None)
        if heard.forbidden or heard.hint.required:
            slot = self._outside_the_path(slot)
        if any(IN_PATH in one.others for one in heard.relations):
            slot = self._twin(slot)
        said = self._resolved(slot, heard)
        if not sent and said.hint.allowed and not self._fields[slot].required:
            # Whoever says which values there are wants one of them.
            said = replace(said, hint=replace(said.hint, required=True))
        key = (slot, repr((said.hint, said.unique, said.existing, said.forbidden, said.relations)))
        if said == Said():
            return False
        if self._vain.get(key, 0) >= _IN_VAIN:
            return False
        if self._apply(slot, said, self.hints if lasting else self._passing):
            self.heard.append(Heard((slot,), sentence))
            return True
        self._vain[key] = self._vain.get(key, 0) + 1
        if self._vain[key] >= _IN_VAIN:
            self._drop(slot, said)
            return True
        return False

    def _outside_the_path(self, slot: Slot) -> Slot:
        """What is named where something is missing or unwanted: a part of the path is always there,
        so that it is another input of that name."""
        alike = (one for one in self._fields if one[0] is not Location.PATH)
        named = [one for one in alike if _letters(one[1][-1]) == _letters(slot[1][-1])]
        return slot if slot[0] is not Location.PATH else min(named, key=_depth, default=slot)

    def _twin(self, slot: Slot) -> Slot:
        """The input of the body that says what a parameter of the path says."""
        if slot[0] is not Location.PATH:
            return slot
        said = set(words(slot[1][-1]))
        tops = [one for one in self._fields if one[0] is Location.BODY and len(one[1]) == 1]
        return next((one for one in tops if set(words(one[1][0])) <= said), slot)

    def _slot(self, name: str) -> Slot | None:
        if name == IN_PATH:
            return next((one for one in reversed(self._fields) if one[0] is Location.PATH), None)
        found = self.names.slot(name.strip().replace(" ", "_"))
        if found is None:
            return None
        # A sentence must name the input itself: "before closing.time" is not about `closing`.
        last = re.split(r"[./]", name)[-1]
        return found if _letters(last) in map(_letters, found[1]) else None

    def _resolved(self, slot: Slot, said: Said) -> Said:
        """What was said, as far as it makes sense for this input, its values typed."""
        kinds = self._kinds(slot)
        hint = said.hint
        if hint.allowed:
            hint = replace(hint, allowed=tuple(_typed(hint.allowed, kinds)))
        bounded = (hint.minimum, hint.maximum) != (None, None)
        if bounded and "string" in kinds and not kinds & _NUMBERS:
            low, high = _whole(hint.minimum), _whole(hint.maximum)
            hint = replace(hint, minimum=None, maximum=None, min_length=low, max_length=high)
        if kinds and "string" not in kinds:
            hint = replace(hint, pattern=None, format=None, min_length=None, max_length=None)
        if hint.required and self._fields[slot].required:
            hint = replace(hint, required=None)
        examples = tuple(_typed(said.examples, kinds))
        return replace(said, hint=hint, examples=examples)

    def _kinds(self, slot: Slot) -> frozenset[str]:
        return types(self._fields[slot].schema, self._schemas) - {"null"}

    def _apply(self, slot: Slot, said: Said, hints: dict[Slot, Hint]) -> bool:
        merged = _merged(hints.get(slot, _NO_HINT), said.hint)
        changed = merged != hints.get(slot, _NO_HINT)
        if changed:
            hints[slot] = merged
        for flag, known in self._flags(said):
            if flag and slot not in known:
                known.append(slot)
                changed = True
        for relation in self._relations(slot, said):
            if relation not in self.relations:
                self.relations.append(relation)
                changed = True
        new = tuple(one for one in said.examples if one not in self.examples.get(slot, ()))
        if new:
            self.examples[slot] = (*self.examples.get(slot, ()), *new)
        return changed or bool(new)

    def _flags(self, said: Said) -> tuple[tuple[bool, list[Slot]], ...]:
        return (
            (said.unique, self.unique),
            (said.existing, self.existing),
            (said.forbidden, self.forbidden),
        )

    def _relations(self, slot: Slot, said: Said) -> Iterator[Relation]:
        for one in said.relations:
            others = [found for name in one.others if (found := self._slot(name))]
            others = [other for other in dict.fromkeys(others) if other != slot]
            if one.kind is Kind.ONE_OF and others:
                yield Relation(Kind.ONE_OF, slot if not one.reverse else others[0], tuple(others))
            elif others and one.reverse:
                yield Relation(one.kind, others[0], (slot,))
            elif others:
                values = (
                    [*_typed((one.value,), self._kinds(others[0]))]
                    if one.value is not ABSENT
                    else []
                )
                yield Relation(one.kind, slot, tuple(others), values[0] if values else ABSENT)

    def _drop(self, slot: Slot, said: Said) -> None:
        for hints in (self.hints, self._passing):
            kept = _without(hints.pop(slot, _NO_HINT), said.hint)
            if kept != _NO_HINT:
                hints[slot] = kept
        for flag, known in self._flags(said):
            if flag and slot in known:
                known.remove(slot)
        wrong = list(self._relations(slot, said))
        self.relations = [one for one in self.relations if one not in wrong]


def _without(hint: Hint, wrong: Hint) -> Hint:
    """A hint without the parts that it shares with a wrong one."""
    for part in fields(Hint):
        if getattr(wrong, part.name) == getattr(hint, part.name):
            hint = replace(hint, **{part.name: getattr(_NO_HINT, part.name)})
    return hint


def _merged(old: Hint, new: Hint) -> Hint:
    """The old hint with what the new one says in its place."""
    changed = {
        part.name: value
        for part in fields(Hint)
        if (value := getattr(new, part.name)) not in (None, ())
    }
    merged = replace(old, **changed)
    if _crossed(merged.minimum, merged.maximum) or _crossed(merged.min_length, merged.max_length):
        return new
    return merged


def _depth(slot: Slot) -> int:
    return len(slot[1])


def _letters(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


def _crossed(low: float | None, high: float | None) -> bool:
    return low is not None and high is not None and low > high


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)


def _typed(words: Iterable[Json], kinds: frozenset[str]) -> Iterator[Json]:
    """Words as values of a type; those that are none are left out."""
    for word in words:
        text = str(word)
        if not kinds or "string" in kinds:
            yield text
        elif kinds & _NUMBERS and re.fullmatch(r"-?\d{1,15}", text):
            yield int(text)
        elif "number" in kinds and re.fullmatch(r"-?\d{1,15}\.\d{1,10}", text):
            yield float(text)
        elif "boolean" in kinds and text.lower() in {"true", "false"}:
            yield text.lower() == "true"
