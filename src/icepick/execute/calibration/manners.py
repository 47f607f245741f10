"""How a service says things about one resource, as it was seen to: data, and what is unusual."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from icepick.openapi.types import Json
from icepick.resources.types import Resource

_USUAL_DELETED = frozenset({200, 202, 204})
_ABSENT = 404
_SURELY = 2.0
"""So many times what was measured is waited for."""
_ABOUT_FORM = frozenset({400, 422})


class Departure(StrEnum):
    """What becomes of an instance that was deleted."""

    AT_ONCE = "at once"
    LATE = "late"
    MARKED = "marked"  # it stays readable, and says that it is deleted
    STAYS = "stays"  # as if nothing had happened: no habit, but a fault


@dataclass(frozen=True, slots=True)
class Manners:
    """What was seen of one resource; None where it could not be seen.

    `absent` is the status for what never was, `gone` the one for what was deleted, `again` that of
    a second deletion. `slow` is how many seconds it takes for a creation or a deletion to show.
    `mark` are the fields that say of an instance that it is deleted, `on_delete` says by
    `Resource.field` what the deletion of the one referred to did.
    """

    resource: str
    absent: int | None = None
    deleted: int | None = None
    gone: int | None = None
    again: int | None = None
    departure: Departure | None = None
    slow: float = 0.0
    mark: tuple[str, ...] = ()
    on_delete: Mapping[str, str] = field(default_factory=dict)

    @property
    def says_absent(self) -> int:
        """The status that stands for "not there" before a creation.

        What was made up may be refused for its form, so that has to be the word for "gone" too.
        """
        if self.absent in _ABOUT_FORM and self.gone != self.absent:
            return _refusal(self.gone) or _ABSENT
        return _refusal(self.absent) or _ABSENT

    @property
    def says_gone(self) -> int:
        """The status that stands for "not there any more"."""
        return _refusal(self.gone) or self.says_absent

    def deviations(self) -> Iterator[str]:
        """What differs from the conventions of REST, in words."""
        if self.says_absent != _ABSENT:
            yield f"what is absent answers {self.says_absent}"
        if self.says_gone != self.says_absent:
            yield f"what was deleted answers {self.says_gone}"
        if self.deleted is not None and self.deleted not in _USUAL_DELETED:
            yield f"a deletion is answered with {self.deleted}"
        if self.departure is Departure.MARKED:
            yield f"what is deleted stays readable, marked by {', '.join(self.mark)}"
        if self.slow:
            yield f"what is created or deleted takes up to {self.slow:g} s to show"
        if self.again is not None and 200 <= self.again < 300:
            yield f"deleting what is gone already answers {self.again}"

    def lags(self, resource: Resource) -> dict[str, float]:
        """By operation the seconds after which what it does to the resource shows for sure."""
        return {use.operation: _SURELY * self.slow for use in resource.uses} if self.slow else {}

    def consequences(self) -> Iterator[str]:
        """What the deletion of an instance does to those that refer to it, in words."""
        for name, what in self.on_delete.items():
            yield f"deleted while {name} refers to it: {what}"


def _refusal(status: int | None) -> int | None:
    """A status that can stand for absence: a success or a server error cannot."""
    return status if status is not None and 400 <= status < 500 else None


def manners_to_json(one: Manners) -> dict[str, Json]:
    """For a file that keeps it."""
    found: dict[str, Json] = {"resource": one.resource}
    for name in ("absent", "deleted", "gone", "again", "departure", "slow"):
        value = getattr(one, name)
        if value:
            found[name] = value
    if one.mark:
        found["mark"] = list(one.mark)
    if one.on_delete:
        found["on_delete"] = dict(one.on_delete)
    return found


def manners_from_json(content: Json) -> Manners | None:
    """What a file keeps; None where it is not of that form."""
    if not isinstance(content, dict) or not isinstance(content.get("resource"), str):
        return None
    statuses = {name: content.get(name) for name in ("absent", "deleted", "gone", "again")}
    departure, mark = content.get("departure"), content.get("mark", [])
    slow, on_delete = content.get("slow", 0.0), content.get("on_delete", {})
    well_formed = (
        all(one is None or isinstance(one, int) for one in statuses.values())
        and (departure is None or departure in list(Departure))
        and isinstance(slow, int | float)
        and isinstance(mark, list)
        and isinstance(on_delete, dict)
    )
    if not well_formed:
        return None
    return Manners(
        content["resource"],
        departure=Departure(departure) if departure else None,
        slow=float(slow),
        mark=tuple(map(str, mark)),
        on_delete={str(name): str(what) for name, what in on_delete.items()},
        **statuses,
    )
