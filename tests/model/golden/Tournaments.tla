---------------------------- MODULE Tournaments ----------------------------

EXTENDS Integers, FiniteSets

CONSTANTS PlayerID, TournamentID, EnrolmentID
VARIABLES players, tournaments, enrolments, final

vars == <<players, tournaments, enrolments, final>>

ASSUME PlayerID # {} /\ IsFiniteSet(PlayerID)
ASSUME TournamentID # {} /\ IsFiniteSet(TournamentID)
ASSUME EnrolmentID # {} /\ IsFiniteSet(EnrolmentID)

EmptyMap == [key \in {} |-> key]
MapPut(map, new, value) ==
  [key \in DOMAIN map \cup {new} |-> IF key = new THEN value ELSE map[key]]
Without(map, keys) == [key \in DOMAIN map \ keys |-> map[key]]
IsMap(keys, values, map) ==
  /\ DOMAIN map \subseteq keys
  /\ \A key \in DOMAIN map : map[key] \in values

PlayerType == [id: PlayerID]
TournamentType == [capacity: 1..2]
EnrolmentType == [pid: PlayerID, tid: TournamentID]

TS ==
  /\ DOMAIN players = PlayerID
  /\ DOMAIN tournaments = TournamentID
  /\ DOMAIN enrolments = EnrolmentID

Init ==
  /\ players = EmptyMap
  /\ tournaments = EmptyMap
  /\ enrolments = EmptyMap
  /\ final = TS

TypeInv ==
  /\ IsMap(PlayerID, PlayerType, players)
  /\ IsMap(TournamentID, TournamentType, tournaments)
  /\ IsMap(EnrolmentID, EnrolmentType, enrolments)
  /\ final \in BOOLEAN

CapacityKept ==
  /\ \A t \in TournamentID : t \in DOMAIN tournaments => Cardinality({x \in DOMAIN enrolments : enrolments[x].tid = t}) <= tournaments[t].capacity

EnrolmentsJoin ==
  /\ \A e \in EnrolmentID : e \in DOMAIN enrolments => (enrolments[e].pid \in DOMAIN players /\ enrolments[e].tid \in DOMAIN tournaments)

postPlayer(p) ==
  /\ p \notin DOMAIN players
  /\ players' = MapPut(players, p, [id |-> p])
  /\ UNCHANGED <<tournaments, enrolments>>
  /\ final' = TS'

deletePlayer(p) ==
  /\ p \in DOMAIN players
  \* res_body(GET /players/{pid}/tournaments).len = 0
  /\ ~(\E x \in EnrolmentID : x \in DOMAIN enrolments /\ enrolments[x].pid = p)
  /\ players' = Without(players, {p})
  /\ UNCHANGED <<tournaments, enrolments>>
  /\ final' = TS'

postTournament(t, c) ==
  \* res_code(GET /tournaments/{tid}) = 404
  /\ t \notin DOMAIN tournaments
  \* res_code(GET /tournaments/{tid}) = 200
  /\ tournaments' = MapPut(tournaments, t, [capacity |-> c])
  /\ UNCHANGED <<players, enrolments>>
  /\ final' = TS'

deleteTournament(t) ==
  /\ t \in DOMAIN tournaments
  /\ ~(\E x \in EnrolmentID : x \in DOMAIN enrolments /\ enrolments[x].tid = t)
  /\ tournaments' = Without(tournaments, {t})
  /\ UNCHANGED <<players, enrolments>>
  /\ final' = TS'

postEnrolment(e, p, t) ==
  /\ e \notin DOMAIN enrolments
  \* res_code(GET /players/{pid}) = 200
  /\ p \in DOMAIN players
  \* res_code(GET /tournaments/{tid}) = 200
  /\ t \in DOMAIN tournaments
  /\ ~(\E x \in EnrolmentID : x \in DOMAIN enrolments /\ enrolments[x].pid = p /\ enrolments[x].tid = t)
  \* res_body(GET /tournaments/{tid}/players).len < res_body(GET /tournaments/{tid}/capacity)
  /\ Cardinality({x \in DOMAIN enrolments : enrolments[x].tid = t}) < tournaments[t].capacity
  /\ enrolments' = MapPut(enrolments, e, [pid |-> p, tid |-> t])
  /\ UNCHANGED <<players, tournaments>>
  /\ final' = TS'

deleteEnrolment(e) ==
  /\ e \in DOMAIN enrolments
  /\ enrolments' = Without(enrolments, {e})
  /\ UNCHANGED <<players, tournaments>>
  /\ final' = TS'

Next ==
  \/ \E p \in PlayerID : postPlayer(p)
  \/ \E p \in PlayerID : deletePlayer(p)
  \/ \E t \in TournamentID, c \in 1..2 : postTournament(t, c)
  \/ \E t \in TournamentID : deleteTournament(t)
  \/ \E e \in EnrolmentID, p \in PlayerID, t \in TournamentID : postEnrolment(e, p, t)
  \/ \E e \in EnrolmentID : deleteEnrolment(e)

Spec == Init /\ [][Next]_vars

============================================================================
