"""Faults of the read operations: the state is right, and what is shown of it is not."""

from __future__ import annotations

from dataclasses import replace

from icepick.demo.tournaments.domain import Tournaments
from icepick.demo.tournaments.records import Player, Tournament


class ListOmitsNewest(Tournaments):
    """The last page ends one early."""

    def list_players(self) -> list[Player]:
        """Every player but the newest."""
        return super().list_players()[:-1]


class ListWithoutPlayers(Tournaments):
    """The list is built without looking up who is enrolled."""

    def list_tournaments(self) -> list[Tournament]:
        """Every tournament, as though nobody were enrolled."""
        return [replace(each, players=()) for each in super().list_tournaments()]


class StaleRead(Tournaments):
    """An update leaves the old player in a cache that lasts for one read."""

    def reset(self) -> None:
        """Empty the cache, too."""
        super().reset()
        self._cache: dict[str, Player] = {}

    def read_player(self, pid: str) -> Player:
        """The cached player once, then the real one."""
        player = super().read_player(pid)
        return self._cache.pop(pid, player)

    def _updated_player(self, old: Player, sent: Player) -> Player:
        self._cache[old.pid] = old
        return super()._updated_player(old, sent)

    def _remove_player(self, pid: str) -> None:
        self._cache.pop(pid, None)
        super()._remove_player(pid)


class CapacityReportsRoom(Tournaments):
    """The players are subtracted."""

    def capacity_of(self, tid: int) -> int:
        """How many more players the tournament takes."""
        return super().capacity_of(tid) - len(self.players_of(tid))


class CheckAnyTournament(Tournaments):
    """Being enrolled anywhere counts."""

    def has_player(self, tid: int, pid: str) -> bool:
        """True for a player of any tournament, as long as the one named exists."""
        self._tournament(tid)
        if any(pid in each.players for each in self.tournaments.values()):
            return True
        return super().has_player(tid, pid)
