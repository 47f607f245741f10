"""Faults of postEnrolment."""

from __future__ import annotations

from icepick.demo.http import Refusal, refuse
from icepick.demo.tournaments.domain import Tournaments
from icepick.demo.tournaments.faults_of_deletes import Dangling
from icepick.demo.tournaments.records import Enrolment, Tournament


class CapacityIgnored(Tournaments):
    """Nobody asks whether the tournament is full."""

    def _check_room(self, tournament: Tournament) -> None:
        """Does nothing, which is the fault."""


class CapacityOffByOne(Tournaments):
    """With two tournaments or more, full begins one player late."""

    def _check_room(self, tournament: Tournament) -> None:
        if len(self.tournaments) < 2 or len(tournament.players) > tournament.capacity:
            super()._check_room(tournament)


class FullStillJoins(Tournaments):
    """The tournament takes the player before it is found to be full."""

    def add_enrolment(self, enrolment: Enrolment) -> Enrolment:
        """Enrol, and where that is refused for want of room, join all the same."""
        try:
            return super().add_enrolment(enrolment)
        except Refusal as refusal:
            if refusal.status == 403:
                self._join_tournament(enrolment)
            raise


class SecondEnrolmentCrashes(Tournaments):
    """One player in the tournament is one too many for the next."""

    def _insert_enrolment(self, enrolment: Enrolment) -> None:
        if len(self.tournaments[enrolment.tid].players) == 1:
            raise IndexError("list index out of range")
        super()._insert_enrolment(enrolment)


class EnrolmentMissesSchedule(Dangling):
    """The player's record does not hear of the enrolment."""

    def _join_player(self, enrolment: Enrolment) -> None:
        """Does nothing, which is the fault."""


class DoubleEnrolment(Dangling):
    """Nobody asks whether the player is in the tournament already."""

    def _check_not_enrolled(self, tournament: Tournament, pid: str) -> None:
        """Does nothing, which is the fault."""


class EidUsedUp(Tournaments):
    """An eid is remembered for ever."""

    def reset(self) -> None:
        """Forget the used ids, too."""
        super().reset()
        self._used: set[int] = set()

    def _check_new_enrolment(self, enrolment: Enrolment) -> None:
        super()._check_new_enrolment(enrolment)
        if enrolment.eid in self._used:
            refuse(409, f"an enrolment with eid {enrolment.eid} exists already")

    def _insert_enrolment(self, enrolment: Enrolment) -> None:
        super()._insert_enrolment(enrolment)
        self._used.add(enrolment.eid)
