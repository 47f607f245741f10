----------------------------- MODULE PetStore ------------------------------

EXTENDS Integers, FiniteSets

CONSTANTS PetID, UserID, OrderID
VARIABLES pets, users, orders, final

vars == <<pets, users, orders, final>>

ASSUME PetID # {} /\ IsFiniteSet(PetID)
ASSUME UserID # {} /\ IsFiniteSet(UserID)
ASSUME OrderID # {} /\ IsFiniteSet(OrderID)

EmptyMap == [key \in {} |-> key]
MapPut(map, new, value) ==
  [key \in DOMAIN map \cup {new} |-> IF key = new THEN value ELSE map[key]]
Without(map, keys) == [key \in DOMAIN map \ keys |-> map[key]]
IsMap(keys, values, map) ==
  /\ DOMAIN map \subseteq keys
  /\ \A key \in DOMAIN map : map[key] \in values

PetType == [id: PetID]
UserType == [id: UserID]
OrderType == [petId: PetID]

TS ==
  /\ DOMAIN pets = PetID
  /\ DOMAIN users = UserID
  /\ DOMAIN orders = OrderID

Init ==
  /\ pets = EmptyMap
  /\ users = EmptyMap
  /\ orders = EmptyMap
  /\ final = TS

TypeInv ==
  /\ IsMap(PetID, PetType, pets)
  /\ IsMap(UserID, UserType, users)
  /\ IsMap(OrderID, OrderType, orders)
  /\ final \in BOOLEAN

\* Operation addPet
addPet(p) ==
  \* req_body(@){id} != null => res_code(GET /pet/req_body(@){id}) = 404
  /\ p \notin DOMAIN pets
  \* res_code(GET /pet/res_body(@){id}) = 200
  /\ pets' = MapPut(pets, p, [id |-> p])
  /\ UNCHANGED <<users, orders>>
  /\ final' = TS'

\* Operation deletePet
deletePet(p) ==
  \* res_code(GET /pet/{petId}) = 200
  /\ p \in DOMAIN pets
  /\ LET goneOrders == {key \in DOMAIN orders : orders[key].petId = p}
     IN  \* res_code(GET /pet/{petId}) = 404
         /\ pets' = Without(pets, {p})
         \* res_code(GET /pet/{petId}) = 404
         /\ orders' = Without(orders, goneOrders)
  /\ UNCHANGED <<users>>
  /\ final' = TS'

\* Operation createUser
createUser(u) ==
  \* res_code(GET /user/req_body(@){username}) = 404
  /\ u \notin DOMAIN users
  \* res_code(GET /user/req_body(@){username}) = 200
  /\ users' = MapPut(users, u, [id |-> u])
  /\ UNCHANGED <<pets, orders>>
  /\ final' = TS'

\* Operation createUsersWithListInput
createUsersWithListInput(S) ==
  \* exists u in req_body(@) :- res_code(GET /user/{u.username}) = 404
  /\ (\E u_1 \in S : u_1 \notin DOMAIN users) = TRUE
  \* for x in req_body(@) :- res_code(GET /user/{x.username}) = 200
  /\ users' = [member \in DOMAIN users \cup S |-> IF member \in DOMAIN users THEN users[member] ELSE [id |-> member]]
  /\ UNCHANGED <<pets, orders>>
  /\ final' = TS'

\* Operation deleteUser
deleteUser(u) ==
  \* res_code(GET /user/{username}) = 200
  /\ u \in DOMAIN users
  \* res_code(GET /user/{username}) = 404
  /\ users' = Without(users, {u})
  /\ UNCHANGED <<pets, orders>>
  /\ final' = TS'

\* Operation placeOrder
placeOrder(o, p) ==
  \* req_body(@){id} != null => res_code(GET /store/order/req_body(@){id}) = 404
  /\ o \notin DOMAIN orders
  \* res_code(GET /pet/req_body(@){petId}) = 200
  /\ p \in DOMAIN pets
  \* res_code(GET /store/order/res_body(@){id}) = 200
  /\ orders' = MapPut(orders, o, [petId |-> p])
  /\ UNCHANGED <<pets, users>>
  /\ final' = TS'

\* Operation deleteOrder
deleteOrder(o) ==
  \* res_code(GET /store/order/{orderId}) = 200
  /\ o \in DOMAIN orders
  \* res_code(GET /store/order/{orderId}) = 404
  /\ orders' = Without(orders, {o})
  /\ UNCHANGED <<pets, users>>
  /\ final' = TS'

Next ==
  \/ \E p \in PetID : addPet(p)
  \/ \E p \in PetID : deletePet(p)
  \/ \E u \in UserID : createUser(u)
  \/ \E S \in (SUBSET UserID) \ {{}} : createUsersWithListInput(S)
  \/ \E u \in UserID : deleteUser(u)
  \/ \E o \in OrderID, p \in PetID : placeOrder(o, p)
  \/ \E o \in OrderID : deleteOrder(o)

Spec == Init /\ [][Next]_vars

============================================================================
