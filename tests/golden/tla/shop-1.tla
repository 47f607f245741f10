------------------------------- MODULE Shop --------------------------------

EXTENDS Integers, FiniteSets

CONSTANTS CustomerID, ProductID, OrderID, UserID, AddressID, LineID
VARIABLES customers, products, orders, users, addresses, lines, final

vars == <<customers, products, orders, users, addresses, lines, final>>

ASSUME CustomerID # {} /\ IsFiniteSet(CustomerID)
ASSUME ProductID # {} /\ IsFiniteSet(ProductID)
ASSUME OrderID # {} /\ IsFiniteSet(OrderID)
ASSUME UserID # {} /\ IsFiniteSet(UserID)
ASSUME AddressID # {} /\ IsFiniteSet(AddressID)
ASSUME LineID # {} /\ IsFiniteSet(LineID)

EmptyMap == [key \in {} |-> key]
MapPut(map, new, value) ==
  [key \in DOMAIN map \cup {new} |-> IF key = new THEN value ELSE map[key]]
Without(map, keys) == [key \in DOMAIN map \ keys |-> map[key]]
IsMap(keys, values, map) ==
  /\ DOMAIN map \subseteq keys
  /\ \A key \in DOMAIN map : map[key] \in values

CustomerType == [id: CustomerID]
ProductType == [id: ProductID]
OrderType == [customer_id: CustomerID, address_id: AddressID]
UserType == [id: UserID]
AddressType == [Customer: CustomerID]
LineType == [Order: OrderID, sku: ProductID]

TS ==
  /\ DOMAIN customers = CustomerID
  /\ DOMAIN products = ProductID
  /\ DOMAIN orders = OrderID
  /\ DOMAIN users = UserID
  /\ DOMAIN addresses = AddressID
  /\ DOMAIN lines = LineID

Init ==
  /\ customers = EmptyMap
  /\ products = EmptyMap
  /\ orders = EmptyMap
  /\ users = EmptyMap
  /\ addresses = EmptyMap
  /\ lines = EmptyMap
  /\ final = TS

TypeInv ==
  /\ IsMap(CustomerID, CustomerType, customers)
  /\ IsMap(ProductID, ProductType, products)
  /\ IsMap(OrderID, OrderType, orders)
  /\ IsMap(UserID, UserType, users)
  /\ IsMap(AddressID, AddressType, addresses)
  /\ IsMap(LineID, LineType, lines)
  /\ final \in BOOLEAN

\* for o in res_body(GET /orders){data} :- res_code(GET /customers/{o.customer_id}) = 200
Inv1 ==
  /\ \A o \in OrderID : o \in DOMAIN orders => orders[o].customer_id \in DOMAIN customers

\* for o in res_body(GET /orders){data} :- for l in res_body(GET /orders/{o.id}/lines) :- res_code(GET /products/{l.sku}) = 200
Inv2 ==
  /\ \A o \in OrderID : o \in DOMAIN orders => (\A l \in LineID : (l \in DOMAIN lines /\ lines[l].Order = o) => lines[l].sku \in DOMAIN products)

\* for c, c2 in res_body(GET /customers){data} :- c.id != c2.id
Inv3 ==
  /\ \A c \in CustomerID : \A c2_ \in CustomerID : (c \in DOMAIN customers /\ c2_ \in DOMAIN customers /\ ~(c = c2_)) => ~(c = c2_)

\* for p, p2 in res_body(GET /products){data} :- p.sku != p2.sku
Inv4 ==
  /\ \A p \in ProductID : \A p2_ \in ProductID : (p \in DOMAIN products /\ p2_ \in DOMAIN products /\ ~(p = p2_)) => ~(p = p2_)

\* for o, o2 in res_body(GET /orders){data} :- o.id != o2.id
Inv5 ==
  /\ \A o \in OrderID : \A o2_ \in OrderID : (o \in DOMAIN orders /\ o2_ \in DOMAIN orders /\ ~(o = o2_)) => ~(o = o2_)

\* for u, u2 in res_body(GET /users){data} :- u.id != u2.id
Inv6 ==
  /\ \A u \in UserID : \A u2_ \in UserID : (u \in DOMAIN users /\ u2_ \in DOMAIN users /\ ~(u = u2_)) => ~(u = u2_)

\* for c in res_body(GET /customers){data} :- for a, a2 in res_body(GET /customers/{c.id}/addresses){data} :- a.id != a2.id
Inv7 ==
  /\ \A c \in CustomerID : c \in DOMAIN customers => (\A a \in AddressID : \A a2_ \in AddressID : (a \in DOMAIN addresses /\ addresses[a].Customer = c /\ a2_ \in DOMAIN addresses /\ addresses[a2_].Customer = c /\ ~(a = a2_)) => ~(a = a2_))

\* for o in res_body(GET /orders){data} :- for l, l2 in res_body(GET /orders/{o.id}/lines) :- l.id != l2.id
Inv8 ==
  /\ \A o \in OrderID : o \in DOMAIN orders => (\A l \in LineID : \A l2_ \in LineID : (l \in DOMAIN lines /\ lines[l].Order = o /\ l2_ \in DOMAIN lines /\ lines[l2_].Order = o /\ ~(l = l2_)) => ~(l = l2_))

\* for c in res_body(GET /customers){data} :- for a in res_body(GET /customers/{c.id}/addresses){data} :- a.id != null
Inv9 ==
  /\ \A c \in CustomerID : c \in DOMAIN customers => (\A a \in AddressID : (a \in DOMAIN addresses /\ addresses[a].Customer = c) => TRUE)

\* Operation createCustomer
createCustomer(c) ==
  /\ c \notin DOMAIN customers
  \* res_code(GET /customers/res_body(@){id}) = 200
  /\ customers' = MapPut(customers, c, [id |-> c])
  /\ UNCHANGED <<products, orders, users, addresses, lines>>
  /\ final' = TS'

\* Operation deleteCustomer
deleteCustomer(c) ==
  \* res_code(GET /customers/{customer_id}) = 200
  /\ c \in DOMAIN customers
  /\ LET goneAddresses == {key \in DOMAIN addresses : addresses[key].Customer = c}
     IN  /\ \A key \in DOMAIN orders : orders[key].customer_id \notin {c}
         /\ \A key \in DOMAIN orders : orders[key].address_id \notin goneAddresses
         \* res_code(GET /customers/{customer_id}) = 404
         /\ customers' = Without(customers, {c})
         \* res_code(GET /customers/{customer_id}) = 404
         /\ addresses' = Without(addresses, goneAddresses)
  /\ UNCHANGED <<products, orders, users, lines>>
  /\ final' = TS'

\* Operation putProduct
putProduct(p) ==
  /\ p \notin DOMAIN products
  \* res_code(GET /products/{sku}) = 200
  /\ products' = MapPut(products, p, [id |-> p])
  /\ UNCHANGED <<customers, orders, users, addresses, lines>>
  /\ final' = TS'

\* Operation deleteProduct
deleteProduct(p) ==
  \* res_code(GET /products/{sku}) = 200
  /\ p \in DOMAIN products
  /\ \A key \in DOMAIN lines : lines[key].sku \notin {p}
  \* res_code(GET /products/{sku}) = 404
  /\ products' = Without(products, {p})
  /\ UNCHANGED <<customers, orders, users, addresses, lines>>
  /\ final' = TS'

\* Operation createOrder
createOrder(o, c, a) ==
  \* res_code(GET /customers/req_body(@){customer_id}) = 200
  /\ c \in DOMAIN customers
  \* req_body(@){address_id} != null => res_code(GET /customers/req_body(@){customer_id}/addresses/req_body(@){address_id}) = 200
  /\ a \in DOMAIN addresses
  /\ addresses[a].Customer = c
  /\ o \notin DOMAIN orders
  \* res_code(GET /orders/res_body(@){id}) = 200
  /\ orders' = MapPut(orders, o, [customer_id |-> c, address_id |-> a])
  /\ UNCHANGED <<customers, products, users, addresses, lines>>
  /\ final' = TS'

\* Operation deleteOrder
deleteOrder(o) ==
  \* res_code(GET /orders/{order_id}) = 200
  /\ o \in DOMAIN orders
  /\ \A key \in DOMAIN lines : lines[key].Order \notin {o}
  \* res_code(GET /orders/{order_id}) = 404
  /\ orders' = Without(orders, {o})
  /\ UNCHANGED <<customers, products, users, addresses, lines>>
  /\ final' = TS'

\* Operation createUser
createUser(u) ==
  /\ u \notin DOMAIN users
  \* res_code(GET /users/res_body(@){id}) = 200
  /\ users' = MapPut(users, u, [id |-> u])
  /\ UNCHANGED <<customers, products, orders, addresses, lines>>
  /\ final' = TS'

\* Operation deleteUser
deleteUser(u) ==
  \* res_code(GET /users/{user_id}) = 200
  /\ u \in DOMAIN users
  \* res_code(GET /users/{user_id}) = 404
  /\ users' = Without(users, {u})
  /\ UNCHANGED <<customers, products, orders, addresses, lines>>
  /\ final' = TS'

\* Operation createAddress
createAddress(a, c) ==
  \* res_code(GET /customers/{customer_id}) = 200
  /\ c \in DOMAIN customers
  /\ a \notin DOMAIN addresses
  /\ addresses' = MapPut(addresses, a, [Customer |-> c])
  /\ UNCHANGED <<customers, products, orders, users, lines>>
  /\ final' = TS'

\* Operation deleteAddress
deleteAddress(a) ==
  \* res_code(GET /customers/{customer_id}/addresses/{address_id}) = 200
  /\ a \in DOMAIN addresses
  /\ \A key \in DOMAIN orders : orders[key].address_id \notin {a}
  \* res_code(GET /customers/{customer_id}/addresses/{address_id}) = 404
  /\ addresses' = Without(addresses, {a})
  /\ UNCHANGED <<customers, products, orders, users, lines>>
  /\ final' = TS'

\* Operation createLine
createLine(l, o, p) ==
  \* res_code(GET /orders/{order_id}) = 200
  /\ o \in DOMAIN orders
  \* res_code(GET /products/req_body(@){sku}) = 200
  /\ p \in DOMAIN products
  /\ l \notin DOMAIN lines
  /\ lines' = MapPut(lines, l, [Order |-> o, sku |-> p])
  /\ UNCHANGED <<customers, products, orders, users, addresses>>
  /\ final' = TS'

\* Operation deleteLine
deleteLine(l) ==
  \* res_code(GET /orders/{order_id}/lines/{line_id}) = 200
  /\ l \in DOMAIN lines
  \* res_code(GET /orders/{order_id}/lines/{line_id}) = 404
  /\ lines' = Without(lines, {l})
  /\ UNCHANGED <<customers, products, orders, users, addresses>>
  /\ final' = TS'

Next ==
  \/ \E c \in CustomerID : createCustomer(c)
  \/ \E c \in CustomerID : deleteCustomer(c)
  \/ \E p \in ProductID : putProduct(p)
  \/ \E p \in ProductID : deleteProduct(p)
  \/ \E o \in OrderID, c \in CustomerID, a \in AddressID : createOrder(o, c, a)
  \/ \E o \in OrderID : deleteOrder(o)
  \/ \E u \in UserID : createUser(u)
  \/ \E u \in UserID : deleteUser(u)
  \/ \E a \in AddressID, c \in CustomerID : createAddress(a, c)
  \/ \E a \in AddressID : deleteAddress(a)
  \/ \E l \in LineID, o \in OrderID, p \in ProductID : createLine(l, o, p)
  \/ \E l \in LineID : deleteLine(l)

Spec == Init /\ [][Next]_vars

============================================================================
