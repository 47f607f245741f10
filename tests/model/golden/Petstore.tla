----------------------------- MODULE Petstore ------------------------------

EXTENDS Integers, FiniteSets

CONSTANTS UserID, PetID, OrderID
VARIABLES users, pets, orders, final

vars == <<users, pets, orders, final>>

ASSUME UserID # {} /\ IsFiniteSet(UserID)
ASSUME PetID # {} /\ IsFiniteSet(PetID)
ASSUME OrderID # {} /\ IsFiniteSet(OrderID)

EmptyMap == [key \in {} |-> key]
MapPut(map, new, value) ==
  [key \in DOMAIN map \cup {new} |-> IF key = new THEN value ELSE map[key]]
Without(map, keys) == [key \in DOMAIN map \ keys |-> map[key]]
IsMap(keys, values, map) ==
  /\ DOMAIN map \subseteq keys
  /\ \A key \in DOMAIN map : map[key] \in values

UserType == [id: UserID]
PetType == [id: PetID]
OrderType == [petId: PetID]

TS ==
  /\ DOMAIN users = UserID
  /\ DOMAIN pets = PetID
  /\ DOMAIN orders = OrderID

Init ==
  /\ users = EmptyMap
  /\ pets = EmptyMap
  /\ orders = EmptyMap
  /\ final = TS

TypeInv ==
  /\ IsMap(UserID, UserType, users)
  /\ IsMap(PetID, PetType, pets)
  /\ IsMap(OrderID, OrderType, orders)
  /\ final \in BOOLEAN

createUser(u) ==
  /\ u \notin DOMAIN users
  /\ users' = MapPut(users, u, [id |-> u])
  /\ UNCHANGED <<pets, orders>>
  /\ final' = TS'

\* Operation createUsersWithListInput
createUsersWithList(S) ==
  /\ (\E u \in S : u \notin DOMAIN users) = TRUE
  /\ users' = [u \in DOMAIN users \cup S |-> IF u \in DOMAIN users THEN users[u] ELSE [id |-> u]]
  /\ UNCHANGED <<pets, orders>>
  /\ final' = TS'

deleteUser(u) ==
  /\ u \in DOMAIN users
  /\ users' = Without(users, {u})
  /\ UNCHANGED <<pets, orders>>
  /\ final' = TS'

addPet(p) ==
  /\ p \notin DOMAIN pets
  /\ pets' = MapPut(pets, p, [id |-> p])
  /\ UNCHANGED <<users, orders>>
  /\ final' = TS'

deletePet(p) ==
  /\ p \in DOMAIN pets
  /\ LET goneOrders == {key \in DOMAIN orders : orders[key].petId = p}
     IN  /\ pets' = Without(pets, {p})
         /\ orders' = Without(orders, goneOrders)
  /\ UNCHANGED <<users>>
  /\ final' = TS'

placeOrder(o, p) ==
  /\ o \notin DOMAIN orders
  /\ p \in DOMAIN pets
  /\ orders' = MapPut(orders, o, [petId |-> p])
  /\ UNCHANGED <<users, pets>>
  /\ final' = TS'

deleteOrder(o) ==
  /\ o \in DOMAIN orders
  /\ orders' = Without(orders, {o})
  /\ UNCHANGED <<users, pets>>
  /\ final' = TS'

Next ==
  \/ \E u \in UserID : createUser(u)
  \/ \E S \in (SUBSET UserID) \ {{}} : createUsersWithList(S)
  \/ \E u \in UserID : deleteUser(u)
  \/ \E p \in PetID : addPet(p)
  \/ \E p \in PetID : deletePet(p)
  \/ \E o \in OrderID, p \in PetID : placeOrder(o, p)
  \/ \E o \in OrderID : deleteOrder(o)

Spec == Init /\ [][Next]_vars

============================================================================
