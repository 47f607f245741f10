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

\* for e in res_body(GET /enrolments) :- res_code(GET /players/{e.pid}) = 200
Inv1 ==
  /\ \A e \in EnrolmentID : e \in DOMAIN enrolments => enrolments[e].pid \in DOMAIN players

\* for e in res_body(GET /enrolments) :- res_code(GET /tournaments/{e.tid}) = 200
Inv2 ==
  /\ \A e \in EnrolmentID : e \in DOMAIN enrolments => enrolments[e].tid \in DOMAIN tournaments

\* for t in res_body(GET /tournaments) :- for p in res_body(GET /tournaments/{t.tid}/players) :- res_code(GET /players/{p}) = 200
Inv3 ==
  /\ \A t \in TournamentID : t \in DOMAIN tournaments => (\A p \in PlayerID : (\E j_1 \in EnrolmentID : j_1 \in DOMAIN enrolments /\ enrolments[j_1].tid = t /\ enrolments[j_1].pid = p) => p \in DOMAIN players)

\* for p in res_body(GET /players) :- for t in res_body(GET /players/{p.pid}/tournaments) :- res_code(GET /tournaments/{t}) = 200
Inv4 ==
  /\ \A p \in PlayerID : p \in DOMAIN players => (\A t \in TournamentID : (\E j_1 \in EnrolmentID : j_1 \in DOMAIN enrolments /\ enrolments[j_1].pid = p /\ enrolments[j_1].tid = t) => t \in DOMAIN tournaments)

\* for p, p2 in res_body(GET /players) :- p.pid != p2.pid
Inv5 ==
  /\ \A p \in PlayerID : \A p2_ \in PlayerID : (p \in DOMAIN players /\ p2_ \in DOMAIN players /\ ~(p = p2_)) => ~(p = p2_)

\* for t, t2 in res_body(GET /tournaments) :- t.tid != t2.tid
Inv6 ==
  /\ \A t \in TournamentID : \A t2_ \in TournamentID : (t \in DOMAIN tournaments /\ t2_ \in DOMAIN tournaments /\ ~(t = t2_)) => ~(t = t2_)

\* for e, e2 in res_body(GET /enrolments) :- e.eid != e2.eid
Inv7 ==
  /\ \A e \in EnrolmentID : \A e2_ \in EnrolmentID : (e \in DOMAIN enrolments /\ e2_ \in DOMAIN enrolments /\ ~(e = e2_)) => ~(e = e2_)

\* for t in res_body(GET /tournaments) :- res_body(GET /tournaments/{t.tid}/players).len <= res_body(GET /tournaments/{t.tid}/capacity)
Inv8 ==
  /\ \A t \in TournamentID : t \in DOMAIN tournaments => Cardinality({enrolments[n].pid : n \in {n \in DOMAIN enrolments : enrolments[n].tid = t}}) <= tournaments[t].capacity

\* for t in res_body(GET /tournaments) :- for p in res_body(GET /tournaments/{t.tid}/players) :- contains(res_body(GET /players/{p}/tournaments), t.tid)
Inv9 ==
  /\ \A t \in TournamentID : t \in DOMAIN tournaments => (\A p \in PlayerID : (\E j_1 \in EnrolmentID : j_1 \in DOMAIN enrolments /\ enrolments[j_1].tid = t /\ enrolments[j_1].pid = p) => (\E j_2 \in EnrolmentID : j_2 \in DOMAIN enrolments /\ enrolments[j_2].pid = p /\ enrolments[j_2].tid = t))

\* for p in res_body(GET /players) :- for t in res_body(GET /players/{p.pid}/tournaments) :- contains(res_body(GET /tournaments/{t}/players), p.pid)
Inv10 ==
  /\ \A p \in PlayerID : p \in DOMAIN players => (\A t \in TournamentID : (\E j_1 \in EnrolmentID : j_1 \in DOMAIN enrolments /\ enrolments[j_1].pid = p /\ enrolments[j_1].tid = t) => (\E j_2 \in EnrolmentID : j_2 \in DOMAIN enrolments /\ enrolments[j_2].tid = t /\ enrolments[j_2].pid = p))

\* Operation postPlayer
postPlayer(p) ==
  \* res_code(GET /players/req_body(@){pid}) = 404
  /\ p \notin DOMAIN players
  \* res_code(GET /players/req_body(@){pid}) = 200
  /\ players' = MapPut(players, p, [id |-> p])
  /\ UNCHANGED <<tournaments, enrolments>>
  /\ final' = TS'

\* Operation deletePlayer
deletePlayer(p) ==
  \* res_code(GET /players/{pid}) = 200
  /\ p \in DOMAIN players
  \* res_body(GET /players/{pid}/tournaments).len = 0
  /\ Cardinality({enrolments[n].tid : n \in {n \in DOMAIN enrolments : enrolments[n].pid = p}}) = 0
  /\ \A key \in DOMAIN enrolments : enrolments[key].pid \notin {p}
  \* res_code(GET /players/{pid}) = 404
  /\ players' = Without(players, {p})
  /\ UNCHANGED <<tournaments, enrolments>>
  /\ final' = TS'

\* Operation postTournament
postTournament(t, capacity) ==
  \* res_code(GET /tournaments/req_body(@){tid}) = 404
  /\ t \notin DOMAIN tournaments
  \* res_code(GET /tournaments/req_body(@){tid}) = 200
  /\ tournaments' = MapPut(tournaments, t, [capacity |-> capacity])
  /\ UNCHANGED <<players, enrolments>>
  /\ final' = TS'

\* Operation deleteTournament
deleteTournament(t) ==
  \* res_code(GET /tournaments/{tid}) = 200
  /\ t \in DOMAIN tournaments
  \* res_body(GET /tournaments/{tid}/players).len = 0
  /\ Cardinality({enrolments[n].pid : n \in {n \in DOMAIN enrolments : enrolments[n].tid = t}}) = 0
  /\ \A key \in DOMAIN enrolments : enrolments[key].tid \notin {t}
  \* res_code(GET /tournaments/{tid}) = 404
  /\ tournaments' = Without(tournaments, {t})
  /\ UNCHANGED <<players, enrolments>>
  /\ final' = TS'

\* Operation postEnrolment
postEnrolment(e, p, t) ==
  \* res_code(GET /enrolments/req_body(@){eid}) = 404
  /\ e \notin DOMAIN enrolments
  \* res_code(GET /players/req_body(@){pid}) = 200
  /\ p \in DOMAIN players
  \* res_code(GET /tournaments/req_body(@){tid}) = 200
  /\ t \in DOMAIN tournaments
  \* !contains(res_body(GET /tournaments/req_body(@){tid}/players), req_body(@){pid})
  /\ ~(\E j \in EnrolmentID : j \in DOMAIN enrolments /\ enrolments[j].tid = t /\ enrolments[j].pid = p)
  \* res_body(GET /tournaments/req_body(@){tid}/players).len < res_body(GET /tournaments/req_body(@){tid}/capacity)
  /\ Cardinality({enrolments[n].pid : n \in {n \in DOMAIN enrolments : enrolments[n].tid = t}}) < tournaments[t].capacity
  \* res_code(GET /enrolments/req_body(@){eid}) = 200
  /\ enrolments' = MapPut(enrolments, e, [pid |-> p, tid |-> t])
  /\ UNCHANGED <<players, tournaments>>
  /\ final' = TS'

\* Operation deleteEnrolment
deleteEnrolment(e) ==
  \* res_code(GET /enrolments/{eid}) = 200
  /\ e \in DOMAIN enrolments
  \* res_code(GET /enrolments/{eid}) = 404
  /\ enrolments' = Without(enrolments, {e})
  /\ UNCHANGED <<players, tournaments>>
  /\ final' = TS'

Next ==
  \/ \E p \in PlayerID : postPlayer(p)
  \/ \E p \in PlayerID : deletePlayer(p)
  \/ \E t \in TournamentID, capacity \in 1..2 : postTournament(t, capacity)
  \/ \E t \in TournamentID : deleteTournament(t)
  \/ \E e \in EnrolmentID, p \in PlayerID, t \in TournamentID : postEnrolment(e, p, t)
  \/ \E e \in EnrolmentID : deleteEnrolment(e)

Spec == Init /\ [][Next]_vars

============================================================================
