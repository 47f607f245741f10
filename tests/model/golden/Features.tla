----------------------------- MODULE Features ------------------------------

EXTENDS Integers, FiniteSets

CONSTANTS ProductID, FeatureID, ConfigurationID, Null, Dangling
VARIABLES products, features, configurations, final

vars == <<products, features, configurations, final>>

ASSUME ProductID # {} /\ IsFiniteSet(ProductID)
ASSUME FeatureID # {} /\ IsFiniteSet(FeatureID)
ASSUME ConfigurationID # {} /\ IsFiniteSet(ConfigurationID)

EmptyMap == [key \in {} |-> key]
MapPut(map, new, value) ==
  [key \in DOMAIN map \cup {new} |-> IF key = new THEN value ELSE map[key]]
Without(map, keys) == [key \in DOMAIN map \ keys |-> map[key]]
IsMap(keys, values, map) ==
  /\ DOMAIN map \subseteq keys
  /\ \A key \in DOMAIN map : map[key] \in values

ProductType == [id: ProductID]
FeatureType == [product: ProductID, kind: {"basic", "extra"}]
ConfigurationType == [product: ProductID, active: FeatureID \cup {Null}, note: FeatureID \cup {Null, Dangling}, locked: BOOLEAN]

TS ==
  /\ Cardinality({configurations[c].active : c \in {c \in DOMAIN configurations : configurations[c].locked = TRUE}} \ {Null}) = 2

Init ==
  /\ products = EmptyMap
  /\ features = EmptyMap
  /\ configurations = EmptyMap
  /\ final = TS

TypeInv ==
  /\ IsMap(ProductID, ProductType, products)
  /\ IsMap(FeatureID, FeatureType, features)
  /\ IsMap(ConfigurationID, ConfigurationType, configurations)
  /\ final \in BOOLEAN

SameProduct ==
  /\ \A c \in ConfigurationID : (c \in DOMAIN configurations /\ configurations[c].active \in DOMAIN features) => configurations[c].product = features[configurations[c].active].product

addProduct(p) ==
  /\ p \notin DOMAIN products
  /\ products' = MapPut(products, p, [id |-> p])
  /\ UNCHANGED <<features, configurations>>
  /\ final' = TS'

deleteProduct(p) ==
  /\ p \in DOMAIN products
  /\ LET goneFeatures == {key \in DOMAIN features : features[key].product = p}
         goneConfigurations == {key \in DOMAIN configurations : configurations[key].product = p}
     IN  /\ products' = Without(products, {p})
         /\ features' = Without(features, goneFeatures)
         /\ configurations' = [key \in DOMAIN configurations \ goneConfigurations |-> [configurations[key] EXCEPT !.active = IF @ \in goneFeatures THEN Null ELSE @, !.note = IF @ \in goneFeatures THEN Dangling ELSE @]]
  /\ final' = TS'

addFeature(f, p, k) ==
  /\ f \notin DOMAIN features
  /\ p \in DOMAIN products
  /\ features' = MapPut(features, f, [product |-> p, kind |-> k])
  /\ UNCHANGED <<products, configurations>>
  /\ final' = TS'

deleteFeature(f) ==
  /\ f \in DOMAIN features
  /\ features' = Without(features, {f})
  /\ configurations' = [key \in DOMAIN configurations |-> [configurations[key] EXCEPT !.active = IF @ = f THEN Null ELSE @, !.note = IF @ = f THEN Dangling ELSE @]]
  /\ UNCHANGED <<products>>
  /\ final' = TS'

addConfiguration(c, p) ==
  /\ c \notin DOMAIN configurations
  /\ p \in DOMAIN products
  /\ configurations' = MapPut(configurations, c, [product |-> p, active |-> Null, note |-> Null, locked |-> FALSE])
  /\ UNCHANGED <<products, features>>
  /\ final' = TS'

activate(c, f) ==
  /\ c \in DOMAIN configurations
  /\ f \in DOMAIN features
  /\ configurations[c].product = features[f].product
  /\ configurations[c].locked = TRUE => features[f].kind = "basic"
  /\ LET configurations1 == [key \in DOMAIN configurations |-> IF key = c THEN [configurations[key] EXCEPT !.active = f] ELSE configurations[key]]
     IN  /\ configurations' = [key \in DOMAIN configurations1 |-> IF key = c THEN [configurations1[key] EXCEPT !.note = f] ELSE configurations1[key]]
  /\ UNCHANGED <<products, features>>
  /\ final' = TS'

lock(c) ==
  /\ c \in DOMAIN configurations
  /\ ~(configurations[c].active = Null)
  /\ configurations' = [key \in DOMAIN configurations |-> IF key = c THEN [configurations[key] EXCEPT !.locked = TRUE] ELSE configurations[key]]
  /\ UNCHANGED <<products, features>>
  /\ final' = TS'

deleteConfigurations(S) ==
  /\ \A x \in S : x \in DOMAIN configurations
  /\ LET goneConfigurations == S \cap DOMAIN configurations
     IN  /\ configurations' = Without(configurations, goneConfigurations)
  /\ UNCHANGED <<products, features>>
  /\ final' = TS'

Next ==
  \/ \E p \in ProductID : addProduct(p)
  \/ \E p \in ProductID : deleteProduct(p)
  \/ \E f \in FeatureID, p \in ProductID, k \in {"basic", "extra"} : addFeature(f, p, k)
  \/ \E f \in FeatureID : deleteFeature(f)
  \/ \E c \in ConfigurationID, p \in ProductID : addConfiguration(c, p)
  \/ \E c \in ConfigurationID, f \in FeatureID : activate(c, f)
  \/ \E c \in ConfigurationID : lock(c)
  \/ \E S \in (SUBSET ConfigurationID) \ {{}} : deleteConfigurations(S)

Spec == Init /\ [][Next]_vars

============================================================================
