"""The state of the tournaments service and its rules."""

from __future__ import annotations

from dataclasses import replace

from icepick.demo.http import refuse
from icepick.demo.tournaments.records import Enrolment, Player, Tournament


class Tournaments:
    """Players, tournaments and enrolments, each kept under the id that its client chose."""

    players: dict[str, Player]
    tournaments: dict[int, Tournament]
    enrolments: dict[int, Enrolment]

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Return to the empty service."""
        self.players = {}
        self.tournaments = {}
        self.enrolments = {}

    # Players

    def list_players(self) -> list[Player]:
        """Every player, oldest first."""
        return list(self.players.values())

    def add_player(self, player: Player) -> Player:
        """Keep a new player."""
        self._check_new_player(player)
        self._insert_player(player)
        return player

    def read_player(self, pid: str) -> Player:
        """One player."""
        return self._player(pid)

    def update_player(self, pid: str, player: Player) -> Player:
        """Replace what the client may set; the enrolments stay."""
        old = self._player(pid)
        self._check_same_id("pid", pid, player.pid)
        self.players[pid] = self._updated_player(old, player)
        return self.players[pid]

    def delete_player(self, pid: str) -> Player:
        """Remove a player who is in no tournament."""
        player = self._player(pid)
        self._check_player_free(player)
        self._remove_player(pid)
        return player

    def tournaments_of(self, pid: str) -> tuple[int, ...]:
        """The tournaments of a player, in the order of enrolling."""
        return self._player(pid).tournaments

    def plays_in(self, pid: str, tid: int) -> bool:
        """True, or a refusal: the player's own record says whether the tournament is in it."""
        if tid not in self._player(pid).tournaments:
            refuse(404, f"player {pid} is not enrolled in a tournament {tid}")
        return True

    # Tournaments

    def list_tournaments(self) -> list[Tournament]:
        """Every tournament, oldest first."""
        return list(self.tournaments.values())

    def add_tournament(self, tournament: Tournament) -> Tournament:
        """Keep a new tournament."""
        self._check_new_tournament(tournament)
        self._insert_tournament(tournament)
        return tournament

    def read_tournament(self, tid: int) -> Tournament:
        """One tournament."""
        return self._tournament(tid)

    def update_tournament(self, tid: int, tournament: Tournament) -> Tournament:
        """Replace what the client may set; the enrolments stay and must still fit."""
        old = self._tournament(tid)
        self._check_same_id("tid", tid, tournament.tid)
        self._check_capacity_suffices(old, tournament.capacity)
        self.tournaments[tid] = self._updated_tournament(old, tournament)
        return self.tournaments[tid]

    def delete_tournament(self, tid: int) -> Tournament:
        """Remove a tournament that has no players."""
        tournament = self._tournament(tid)
        self._check_tournament_empty(tournament)
        self._remove_tournament(tid)
        return tournament

    def capacity_of(self, tid: int) -> int:
        """How many players the tournament takes at most."""
        return self._tournament(tid).capacity

    def players_of(self, tid: int) -> tuple[str, ...]:
        """The players of a tournament, in the order of enrolling."""
        return self._tournament(tid).players

    def has_player(self, tid: int, pid: str) -> bool:
        """True, or a refusal: the tournament's own record says whether the player is in it."""
        if pid not in self._tournament(tid).players:
            refuse(404, f"tournament {tid} has no player {pid}")
        return True

    # Enrolments

    def list_enrolments(self) -> list[Enrolment]:
        """Every enrolment, oldest first."""
        return list(self.enrolments.values())

    def add_enrolment(self, enrolment: Enrolment) -> Enrolment:
        """Enrol an existing player in an existing tournament that has room."""
        self._check_new_enrolment(enrolment)
        self._player(enrolment.pid)
        tournament = self._tournament(enrolment.tid)
        self._check_not_enrolled(tournament, enrolment.pid)
        self._check_room(tournament)
        self._insert_enrolment(enrolment)
        return enrolment

    def read_enrolment(self, eid: int) -> Enrolment:
        """One enrolment."""
        return self._enrolment(eid)

    def delete_enrolment(self, eid: int) -> Enrolment:
        """Take the player out of the tournament again."""
        enrolment = self._enrolment(eid)
        self._remove_enrolment(enrolment)
        return enrolment

    # What is there

    def _player(self, pid: str) -> Player:
        return self.players.get(pid) or refuse(404, f"there is no player with pid {pid}")

    def _tournament(self, tid: int) -> Tournament:
        return self.tournaments.get(tid) or refuse(404, f"there is no tournament with tid {tid}")

    def _enrolment(self, eid: int) -> Enrolment:
        return self.enrolments.get(eid) or refuse(404, f"there is no enrolment with eid {eid}")

    # What is refused

    def _check_same_id(self, name: str, addressed: str | int, sent: str | int) -> None:
        if addressed != sent:
            refuse(409, f"{name} is {sent} in the body but {addressed} in the path")

    def _check_new_player(self, player: Player) -> None:
        if player.pid in self.players:
            refuse(409, f"a player with pid {player.pid} exists already")

    def _check_player_free(self, player: Player) -> None:
        if player.tournaments:
            refuse(409, f"player {player.pid} is enrolled in tournament {player.tournaments[0]}")

    def _check_new_tournament(self, tournament: Tournament) -> None:
        if tournament.tid in self.tournaments:
            refuse(409, f"a tournament with tid {tournament.tid} exists already")

    def _check_tournament_empty(self, tournament: Tournament) -> None:
        if tournament.players:
            refuse(409, f"tournament {tournament.tid} has players: {len(tournament.players)}")

    def _check_capacity_suffices(self, tournament: Tournament, capacity: int) -> None:
        if capacity < len(tournament.players):
            refuse(409, f"capacity {capacity} is below the {len(tournament.players)} enrolled")

    def _check_new_enrolment(self, enrolment: Enrolment) -> None:
        if enrolment.eid in self.enrolments:
            refuse(409, f"an enrolment with eid {enrolment.eid} exists already")

    def _check_not_enrolled(self, tournament: Tournament, pid: str) -> None:
        if pid in tournament.players:
            refuse(409, f"player {pid} is already enrolled in tournament {tournament.tid}")

    def _check_room(self, tournament: Tournament) -> None:
        if len(tournament.players) >= tournament.capacity:
            refuse(403, f"tournament {tournament.tid} is full: capacity {tournament.capacity}")

    # What changes

    def _insert_player(self, player: Player) -> None:
        self.players[player.pid] = player

    def _updated_player(self, old: Player, sent: Player) -> Player:
        return replace(sent, tournaments=old.tournaments)

    def _remove_player(self, pid: str) -> None:
        del self.players[pid]

    def _insert_tournament(self, tournament: Tournament) -> None:
        self.tournaments[tournament.tid] = tournament

    def _updated_tournament(self, old: Tournament, sent: Tournament) -> Tournament:
        return replace(sent, players=old.players)

    def _remove_tournament(self, tid: int) -> None:
        del self.tournaments[tid]

    def _insert_enrolment(self, enrolment: Enrolment) -> None:
        self.enrolments[enrolment.eid] = enrolment
        self._join_tournament(enrolment)
        self._join_player(enrolment)

    def _remove_enrolment(self, enrolment: Enrolment) -> None:
        del self.enrolments[enrolment.eid]
        self._leave_tournament(enrolment)
        self._leave_player(enrolment)

    def _join_tournament(self, enrolment: Enrolment) -> None:
        old = self.tournaments[enrolment.tid]
        self.tournaments[old.tid] = replace(old, players=(*old.players, enrolment.pid))

    def _join_player(self, enrolment: Enrolment) -> None:
        old = self.players[enrolment.pid]
        self.players[old.pid] = replace(old, tournaments=(*old.tournaments, enrolment.tid))

    def _leave_tournament(self, enrolment: Enrolment) -> None:
        old = self.tournaments[enrolment.tid]
        rest = tuple(pid for pid in old.players if pid != enrolment.pid)
        self.tournaments[old.tid] = replace(old, players=rest)

    def _leave_player(self, enrolment: Enrolment) -> None:
        old = self.players[enrolment.pid]
        rest = tuple(tid for tid in old.tournaments if tid != enrolment.tid)
        self.players[old.pid] = replace(old, tournaments=rest)
