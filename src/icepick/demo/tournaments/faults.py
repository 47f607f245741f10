"""Named defects of the tournaments service, each a mix-in over the correct rules."""

from __future__ import annotations

from icepick.demo.service import Fault
from icepick.demo.tournaments import faults_of_deletes as deletes
from icepick.demo.tournaments import faults_of_enrolments as enrolments
from icepick.demo.tournaments import faults_of_reads as reads
from icepick.demo.tournaments import faults_of_writes as writes

# The first three are those of the ICEPICK paper, in its order.
FAULTS: tuple[Fault, ...] = (
    Fault(
        "delete-player-keeps",
        "deletePlayer answers 200 and does not remove the player",
        deletes.DeletePlayerKeeps,
    ),
    Fault(
        "delete-tournament-other",
        "deleteTournament removes another tournament without players; nothing where none is left",
        deletes.DeleteTournamentOther,
    ),
    Fault(
        "delete-enrolment-keeps-membership",
        "deleteEnrolment leaves the player in the tournament's players",
        deletes.DeleteEnrolmentKeepsMembership,
    ),
    Fault(
        "delete-enrolment-keeps-schedule",
        "deleteEnrolment leaves the tournament in the player's tournaments",
        deletes.DeleteEnrolmentKeepsSchedule,
    ),
    Fault(
        "delete-enrolment-takes-all",
        "deleteEnrolment removes every enrolment of that player",
        deletes.DeleteEnrolmentTakesAll,
    ),
    Fault(
        "delete-enrolled-player",
        "deletePlayer removes an enrolled player and leaves the enrolments dangling",
        deletes.DeleteEnrolledPlayer,
    ),
    Fault(
        "delete-tournament-hides",
        "a deleted tournament is back after the next postTournament",
        deletes.DeleteTournamentHides,
    ),
    Fault(
        "delete-tournament-prefix",
        "deleteTournament removes the last tid that begins with the digits of the one named",
        deletes.DeleteTournamentPrefix,
    ),
    Fault(
        "capacity-ignored",
        "postEnrolment enrols in a full tournament",
        enrolments.CapacityIgnored,
    ),
    Fault(
        "capacity-off-by-one",
        "postEnrolment takes one player too many while two or more tournaments exist",
        enrolments.CapacityOffByOne,
    ),
    Fault(
        "full-still-joins",
        "postEnrolment in a full tournament answers 403 and yet adds to the tournament's players",
        enrolments.FullStillJoins,
    ),
    Fault(
        "second-enrolment-crashes",
        "postEnrolment answers 500 for the second player of a tournament",
        enrolments.SecondEnrolmentCrashes,
    ),
    Fault(
        "enrolment-misses-schedule",
        "postEnrolment does not add to the player's tournaments",
        enrolments.EnrolmentMissesSchedule,
    ),
    Fault(
        "double-enrolment",
        "postEnrolment enrols a player twice in one tournament under another eid",
        enrolments.DoubleEnrolment,
    ),
    Fault(
        "eid-used-up",
        "postEnrolment refuses the eid of an enrolment that was deleted",
        enrolments.EidUsedUp,
    ),
    Fault(
        "update-player-loses-email",
        "updatePlayer keeps the old e-mail address",
        writes.UpdatePlayerLosesEmail,
    ),
    Fault(
        "update-tournament-lost",
        "updateTournament answers with the new values and stores nothing",
        writes.UpdateTournamentLost,
    ),
    Fault(
        "update-tournament-drops-players",
        "updateTournament empties the tournament's players; the enrolments stay",
        writes.UpdateTournamentDropsPlayers,
    ),
    Fault(
        "update-tournament-spreads",
        "updateTournament sets the capacity of every tournament",
        writes.UpdateTournamentSpreads,
    ),
    Fault(
        "update-tournament-creates",
        "updateTournament of an absent tournament creates it",
        writes.UpdateTournamentCreates,
    ),
    Fault(
        "duplicate-player-overwrites",
        "postPlayer of an existing pid answers 201 and overwrites the player",
        writes.DuplicatePlayerOverwrites,
    ),
    Fault(
        "duplicate-tournament-accepted",
        "postTournament of an existing tid answers 201 and changes nothing",
        writes.DuplicateTournamentAccepted,
    ),
    Fault(
        "player-resurrected",
        "a player created again after its deletion has the old name and e-mail address",
        writes.PlayerResurrected,
    ),
    Fault(
        "list-omits-newest",
        "getPlayers leaves out the newest player",
        reads.ListOmitsNewest,
    ),
    Fault(
        "list-without-players",
        "getTournaments shows every tournament without players",
        reads.ListWithoutPlayers,
    ),
    Fault(
        "stale-read",
        "the first getPlayer after updatePlayer answers with the old values",
        reads.StaleRead,
    ),
    Fault(
        "capacity-reports-room",
        "getTournamentCapacity answers with the room that is left",
        reads.CapacityReportsRoom,
    ),
    Fault(
        "check-any-tournament",
        "checkTournamentPlayer says true for a player who is enrolled in another tournament only",
        reads.CheckAnyTournament,
    ),
)
