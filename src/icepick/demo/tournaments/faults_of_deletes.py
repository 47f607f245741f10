"""Faults of the delete operations."""

from __future__ import annotations

from icepick.demo.tournaments.domain import Tournaments
from icepick.demo.tournaments.records import Enrolment, Player, Tournament


class Dangling(Tournaments):
    """No fault itself: keeps calls from crashing where enrolments and lists disagree."""

    def _join_tournament(self, enrolment: Enrolment) -> None:
        if enrolment.pid not in self.tournaments[enrolment.tid].players:
            super()._join_tournament(enrolment)

    def _join_player(self, enrolment: Enrolment) -> None:
        if enrolment.tid not in self.players[enrolment.pid].tournaments:
            super()._join_player(enrolment)

    def _leave_tournament(self, enrolment: Enrolment) -> None:
        if enrolment.tid in self.tournaments:
            super()._leave_tournament(enrolment)

    def _leave_player(self, enrolment: Enrolment) -> None:
        if enrolment.pid in self.players:
            super()._leave_player(enrolment)


class DeletePlayerKeeps(Tournaments):
    """The player stays."""

    def _remove_player(self, pid: str) -> None:
        """Does nothing, which is the fault."""


class DeleteTournamentOther(Tournaments):
    """The oldest other tournament without players goes in place of the one named."""

    def _remove_tournament(self, tid: int) -> None:
        others = (each for each in self.tournaments.values() if each.tid != tid)
        victim = next((each for each in others if not each.players), None)
        if victim is not None:
            super()._remove_tournament(victim.tid)


class DeleteEnrolmentKeepsMembership(Tournaments):
    """The tournament keeps the player."""

    def _leave_tournament(self, enrolment: Enrolment) -> None:
        """Does nothing, which is the fault."""


class DeleteEnrolmentKeepsSchedule(Dangling):
    """The player keeps the tournament."""

    def _leave_player(self, enrolment: Enrolment) -> None:
        """Does nothing, which is the fault."""


class DeleteEnrolmentTakesAll(Tournaments):
    """The player leaves every tournament."""

    def _remove_enrolment(self, enrolment: Enrolment) -> None:
        for each in list(self.enrolments.values()):
            if each.pid == enrolment.pid:
                super()._remove_enrolment(each)


class DeleteEnrolledPlayer(Dangling):
    """Nobody asks whether the player is enrolled."""

    def _check_player_free(self, player: Player) -> None:
        """Does nothing, which is the fault."""


class DeleteTournamentHides(Tournaments):
    """A deleted tournament is put aside, and the next new one brings it back."""

    def reset(self) -> None:
        """Forget what is hidden, too."""
        super().reset()
        self._hidden: list[Tournament] = []

    def _remove_tournament(self, tid: int) -> None:
        self._hidden.append(self.tournaments[tid])
        super()._remove_tournament(tid)

    def _insert_tournament(self, tournament: Tournament) -> None:
        super()._insert_tournament(tournament)
        for each in self._hidden:
            self.tournaments.setdefault(each.tid, each)
        self._hidden.clear()


class DeleteTournamentPrefix(Dangling):
    """The id is matched as text, by its beginning."""

    def _remove_tournament(self, tid: int) -> None:
        matching = sorted(each for each in map(str, self.tournaments) if each.startswith(str(tid)))
        super()._remove_tournament(int(matching[-1]))
