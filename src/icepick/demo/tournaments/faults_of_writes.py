"""Faults of the operations that create and update players and tournaments."""

from __future__ import annotations

from dataclasses import replace

from icepick.demo.tournaments.domain import Tournaments
from icepick.demo.tournaments.faults_of_deletes import Dangling
from icepick.demo.tournaments.records import Player, Tournament


class UpdatePlayerLosesEmail(Tournaments):
    """The e-mail address is not among the updated fields."""

    def _updated_player(self, old: Player, sent: Player) -> Player:
        return replace(super()._updated_player(old, sent), email=old.email)


class UpdateTournamentLost(Tournaments):
    """The answer is built from the request, and the store never written."""

    def update_tournament(self, tid: int, tournament: Tournament) -> Tournament:
        """Answer as though updated, and put back what was there."""
        old = self._tournament(tid)
        answer = super().update_tournament(tid, tournament)
        self.tournaments[tid] = old
        return answer


class UpdateTournamentDropsPlayers(Dangling):
    """The record is replaced whole, its players with it."""

    def _updated_tournament(self, old: Tournament, sent: Tournament) -> Tournament:
        return replace(super()._updated_tournament(old, sent), players=())


class UpdateTournamentSpreads(Tournaments):
    """The update does not say which tournament it means."""

    def update_tournament(self, tid: int, tournament: Tournament) -> Tournament:
        """Update one, and give all others its capacity."""
        updated = super().update_tournament(tid, tournament)
        for each in list(self.tournaments.values()):
            self.tournaments[each.tid] = replace(each, capacity=updated.capacity)
        return updated


class UpdateTournamentCreates(Tournaments):
    """What is not there is made."""

    def update_tournament(self, tid: int, tournament: Tournament) -> Tournament:
        """Update, or create where there is nothing to update."""
        if tid not in self.tournaments and tournament.tid == tid:
            return self.add_tournament(tournament)
        return super().update_tournament(tid, tournament)


class DuplicatePlayerOverwrites(Dangling):
    """Nobody asks whether the pid is taken."""

    def _check_new_player(self, player: Player) -> None:
        """Does nothing, which is the fault."""


class DuplicateTournamentAccepted(Tournaments):
    """A tid that is taken is quietly left alone."""

    def _check_new_tournament(self, tournament: Tournament) -> None:
        """Does nothing, which is half of the fault."""

    def _insert_tournament(self, tournament: Tournament) -> None:
        if tournament.tid not in self.tournaments:
            super()._insert_tournament(tournament)


class PlayerResurrected(Tournaments):
    """A deleted player is only archived, and found again under the same pid."""

    def reset(self) -> None:
        """Empty the archive, too."""
        super().reset()
        self._archive: dict[str, Player] = {}

    def _remove_player(self, pid: str) -> None:
        self._archive[pid] = replace(self.players[pid], tournaments=())
        super()._remove_player(pid)

    def _insert_player(self, player: Player) -> None:
        super()._insert_player(self._archive.pop(player.pid, player))
