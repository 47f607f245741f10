-------------------------- MODULE FeaturesService --------------------------

EXTENDS Integers, FiniteSets

CONSTANTS ProductID, FeatureID, ConfigurationID, ConstraintID, ConfigurationFeatureID, Null
VARIABLES products, features, configurations, constraints, configurationFeatures, final

vars == <<products, features, configurations, constraints, configurationFeatures, final>>

ASSUME ProductID # {} /\ IsFiniteSet(ProductID)
ASSUME FeatureID # {} /\ IsFiniteSet(FeatureID)
ASSUME ConfigurationID # {} /\ IsFiniteSet(ConfigurationID)
ASSUME ConstraintID # {} /\ IsFiniteSet(ConstraintID)
ASSUME ConfigurationFeatureID # {} /\ IsFiniteSet(ConfigurationFeatureID)

EmptyMap == [key \in {} |-> key]
MapPut(map, new, value) ==
  [key \in DOMAIN map \cup {new} |-> IF key = new THEN value ELSE map[key]]
Without(map, keys) == [key \in DOMAIN map \ keys |-> map[key]]
IsMap(keys, values, map) ==
  /\ DOMAIN map \subseteq keys
  /\ \A key \in DOMAIN map : map[key] \in values

ProductType == [id: ProductID]
FeatureType == [Product: ProductID]
ConfigurationType == [Product: ProductID]
ConstraintType == [Product: ProductID, sourceFeature: FeatureID, requiredFeature: FeatureID \cup {Null}, excludedFeature: FeatureID \cup {Null}]
ConfigurationFeatureType == [Configuration: ConfigurationID, featureName: FeatureID]

TS ==
  /\ DOMAIN products = ProductID
  /\ DOMAIN features = FeatureID
  /\ DOMAIN configurations = ConfigurationID
  /\ DOMAIN constraints = ConstraintID
  /\ DOMAIN configurationFeatures = ConfigurationFeatureID

Init ==
  /\ products = EmptyMap
  /\ features = EmptyMap
  /\ configurations = EmptyMap
  /\ constraints = EmptyMap
  /\ configurationFeatures = EmptyMap
  /\ final = TS

TypeInv ==
  /\ IsMap(ProductID, ProductType, products)
  /\ IsMap(FeatureID, FeatureType, features)
  /\ IsMap(ConfigurationID, ConfigurationType, configurations)
  /\ IsMap(ConstraintID, ConstraintType, constraints)
  /\ IsMap(ConfigurationFeatureID, ConfigurationFeatureType, configurationFeatures)
  /\ final \in BOOLEAN

\* for p in res_body(GET /products) :- for f, f2 in res_body(GET /products/{p}/features) :- f.name != f2.name
Inv1 ==
  /\ \A p \in ProductID : p \in DOMAIN products => (\A f \in FeatureID : \A f2_ \in FeatureID : (f \in DOMAIN features /\ features[f].Product = p /\ f2_ \in DOMAIN features /\ features[f2_].Product = p /\ ~(f = f2_)) => ~(f = f2_))

\* for p in res_body(GET /products) :- for k in res_body(GET /products/{p}){constraints} :- exists f in res_body(GET /products/{p}/features) :- f.name = k.sourceFeature
Inv3 ==
  /\ \A p \in ProductID : p \in DOMAIN products => (\A k \in ConstraintID : (k \in DOMAIN constraints /\ constraints[k].Product = p) => (\E f \in FeatureID : f \in DOMAIN features /\ features[f].Product = p /\ f = constraints[k].sourceFeature))

\* Operation addProduct
addProduct(p) ==
  \* res_code(GET /products/{productName}) = 404
  /\ p \notin DOMAIN products
  \* res_code(GET /products/{productName}) = 200
  /\ products' = MapPut(products, p, [id |-> p])
  /\ UNCHANGED <<features, configurations, constraints, configurationFeatures>>
  /\ final' = TS'

\* Operation deleteProductByName
deleteProductByName(p) ==
  \* res_code(GET /products/{productName}) = 200
  /\ p \in DOMAIN products
  /\ LET goneFeatures == {key \in DOMAIN features : features[key].Product = p}
         goneConfigurations == {key \in DOMAIN configurations : configurations[key].Product = p}
         goneConstraints == {key \in DOMAIN constraints : constraints[key].Product = p \/ constraints[key].sourceFeature \in goneFeatures \/ constraints[key].excludedFeature \in goneFeatures}
         goneConfigurationFeatures == {key \in DOMAIN configurationFeatures : configurationFeatures[key].Configuration \in goneConfigurations}
     IN  /\ \A key \in DOMAIN constraints \ goneConstraints : constraints[key].requiredFeature \notin goneFeatures
         /\ \A key \in DOMAIN configurationFeatures \ goneConfigurationFeatures : configurationFeatures[key].featureName \notin goneFeatures
         \* res_code(GET /products/{productName}) = 404
         /\ products' = Without(products, {p})
         \* res_code(GET /products/{productName}) = 404
         /\ features' = Without(features, goneFeatures)
         \* res_code(GET /products/{productName}) = 404
         /\ configurations' = Without(configurations, goneConfigurations)
         \* res_code(GET /products/{productName}) = 404
         /\ constraints' = Without(constraints, goneConstraints)
         \* res_code(GET /products/{productName}) = 404
         /\ configurationFeatures' = Without(configurationFeatures, goneConfigurationFeatures)
  /\ final' = TS'

\* Operation addFeatureToProduct
addFeatureToProduct(f, p) ==
  \* res_code(GET /products/{productName}) = 200
  /\ p \in DOMAIN products
  \* for x in res_body(GET /products/{productName}/features) :- x.name != path_param(@){featureName}
  /\ \A x \in FeatureID : (x \in DOMAIN features /\ features[x].Product = p) => ~(x = f)
  /\ f \notin DOMAIN features
  /\ features' = MapPut(features, f, [Product |-> p])
  /\ UNCHANGED <<products, configurations, constraints, configurationFeatures>>
  /\ final' = TS'

\* Operation deleteFeatureOfProduct
deleteFeatureOfProduct(f) ==
  \* res_code(GET /products/{productName}) = 200
  /\ f \in DOMAIN features
  /\ features[f].Product \in DOMAIN products
  \* exists x in res_body(GET /products/{productName}/features) :- x.name = path_param(@){featureName}
  /\ (\E x \in FeatureID : x \in DOMAIN features /\ features[x].Product = features[f].Product /\ x = f) = TRUE
  \* for c in res_body(GET /products/{productName}){constraints} :- c.requiredFeature = null || c.requiredFeature != path_param(@){featureName}
  /\ (\A c_1 \in ConstraintID : (c_1 \in DOMAIN constraints /\ constraints[c_1].Product = features[f].Product) => (FALSE \/ ~(constraints[c_1].requiredFeature = f))) = TRUE
  \* for c in res_body(GET /products/{productName}/configurations) :- !contains(res_body(GET /products/{productName}/configurations/{c}/features), path_param(@){featureName})
  /\ \A c_1 \in ConfigurationID : (c_1 \in DOMAIN configurations /\ configurations[c_1].Product = features[f].Product) => ~(\E j_1 \in ConfigurationFeatureID : j_1 \in DOMAIN configurationFeatures /\ configurationFeatures[j_1].Configuration = c_1 /\ configurationFeatures[j_1].featureName = f)
  /\ f \in DOMAIN features
  /\ LET goneConstraints == {key \in DOMAIN constraints : constraints[key].sourceFeature = f \/ constraints[key].excludedFeature = f}
     IN  /\ \A key \in DOMAIN constraints \ goneConstraints : constraints[key].requiredFeature \notin {f}
         /\ \A key \in DOMAIN configurationFeatures : configurationFeatures[key].featureName \notin {f}
         /\ features' = Without(features, {f})
         /\ constraints' = Without(constraints, goneConstraints)
  /\ UNCHANGED <<products, configurations, configurationFeatures>>
  /\ final' = TS'

\* Operation addConfiguration
addConfiguration(c, p) ==
  \* res_code(GET /products/{productName}) = 200
  /\ p \in DOMAIN products
  \* res_code(GET /products/{productName}/configurations/{configurationName}) = 404
  /\ ~(c \in DOMAIN configurations /\ configurations[c].Product = p)
  /\ c \notin DOMAIN configurations
  /\ configurations' = MapPut(configurations, c, [Product |-> p])
  /\ UNCHANGED <<products, features, constraints, configurationFeatures>>
  /\ final' = TS'

\* Operation deleteConfiguration
deleteConfiguration(c) ==
  \* res_code(GET /products/{productName}/configurations/{configurationName}) = 200
  /\ c \in DOMAIN configurations
  /\ LET goneConfigurationFeatures == {key \in DOMAIN configurationFeatures : configurationFeatures[key].Configuration = c}
     IN  \* res_code(GET /products/{productName}/configurations/{configurationName}) = 404
         /\ configurations' = Without(configurations, {c})
         \* res_code(GET /products/{productName}/configurations/{configurationName}) = 404
         /\ configurationFeatures' = Without(configurationFeatures, goneConfigurationFeatures)
  /\ UNCHANGED <<products, features, constraints>>
  /\ final' = TS'

\* Operation addRequiresConstraintToProduct
addRequiresConstraintToProduct(constraint, p, f, requiredFeature) ==
  \* res_code(GET /products/{productName}) = 200
  /\ p \in DOMAIN products
  \* exists x in res_body(GET /products/{productName}/features) :- x.name = req_body(@){sourceFeature}
  /\ (\E x \in FeatureID : x \in DOMAIN features /\ features[x].Product = p /\ x = f) = TRUE
  \* exists x in res_body(GET /products/{productName}/features) :- x.name = req_body(@){requiredFeature}
  /\ (\E x \in FeatureID : x \in DOMAIN features /\ features[x].Product = p /\ x = requiredFeature) = TRUE
  \* req_body(@){sourceFeature} != req_body(@){requiredFeature}
  /\ ~(f = requiredFeature)
  \* for c in res_body(GET /products/{productName}){constraints} :- c.requiredFeature != null && c.sourceFeature = req_body(@){sourceFeature} => c.requiredFeature != req_body(@){requiredFeature}
  /\ \A c_1 \in ConstraintID : (c_1 \in DOMAIN constraints /\ constraints[c_1].Product = p) => (constraints[c_1].sourceFeature = f => ~(constraints[c_1].requiredFeature = requiredFeature))
  /\ constraint \notin DOMAIN constraints
  /\ f \in DOMAIN features
  /\ requiredFeature \in DOMAIN features
  /\ constraints' = MapPut(constraints, constraint, [Product |-> p, sourceFeature |-> f, requiredFeature |-> requiredFeature, excludedFeature |-> Null])
  /\ UNCHANGED <<products, features, configurations, configurationFeatures>>
  /\ final' = TS'

\* Operation addExcludesConstraintToProduct
addExcludesConstraintToProduct(constraint, p, f, excludedFeature) ==
  \* res_code(GET /products/{productName}) = 200
  /\ p \in DOMAIN products
  \* exists x in res_body(GET /products/{productName}/features) :- x.name = req_body(@){sourceFeature}
  /\ (\E x \in FeatureID : x \in DOMAIN features /\ features[x].Product = p /\ x = f) = TRUE
  \* exists x in res_body(GET /products/{productName}/features) :- x.name = req_body(@){excludedFeature}
  /\ (\E x \in FeatureID : x \in DOMAIN features /\ features[x].Product = p /\ x = excludedFeature) = TRUE
  \* req_body(@){sourceFeature} != req_body(@){excludedFeature}
  /\ ~(f = excludedFeature)
  \* for c in res_body(GET /products/{productName}){constraints} :- c.excludedFeature != null && c.sourceFeature = req_body(@){sourceFeature} => c.excludedFeature != req_body(@){excludedFeature}
  /\ \A c_1 \in ConstraintID : (c_1 \in DOMAIN constraints /\ constraints[c_1].Product = p) => (constraints[c_1].sourceFeature = f => ~(constraints[c_1].excludedFeature = excludedFeature))
  /\ constraint \notin DOMAIN constraints
  /\ f \in DOMAIN features
  /\ excludedFeature \in DOMAIN features
  /\ constraints' = MapPut(constraints, constraint, [Product |-> p, sourceFeature |-> f, requiredFeature |-> Null, excludedFeature |-> excludedFeature])
  /\ UNCHANGED <<products, features, configurations, configurationFeatures>>
  /\ final' = TS'

\* Operation deleteConstraint
deleteConstraint(constraint) ==
  \* res_code(GET /products/{productName}) = 200
  /\ constraint \in DOMAIN constraints
  /\ constraints[constraint].Product \in DOMAIN products
  \* exists x in res_body(GET /products/{productName}){constraints} :- x.id = path_param(@){constraintId}
  /\ (\E x \in ConstraintID : x \in DOMAIN constraints /\ constraints[x].Product = constraints[constraint].Product /\ x = constraint) = TRUE
  /\ constraint \in DOMAIN constraints
  /\ constraints' = Without(constraints, {constraint})
  /\ UNCHANGED <<products, features, configurations, configurationFeatures>>
  /\ final' = TS'

\* Operation addFeatureToConfiguration
addFeatureToConfiguration(configurationfeature, c, f) ==
  \* res_code(GET /products/{productName}) = 200
  /\ f \in DOMAIN features
  /\ features[f].Product \in DOMAIN products
  \* res_code(GET /products/{productName}/configurations/{configurationName}) = 200
  /\ c \in DOMAIN configurations
  /\ configurations[c].Product = features[f].Product
  \* !contains(res_body(GET /products/{productName}/configurations/{configurationName}/features), path_param(@){featureName})
  /\ ~(\E j \in ConfigurationFeatureID : j \in DOMAIN configurationFeatures /\ configurationFeatures[j].Configuration = c /\ configurationFeatures[j].featureName = f)
  \* exists x in res_body(GET /products/{productName}/features) :- x.name = path_param(@){featureName}
  /\ (\E x \in FeatureID : x \in DOMAIN features /\ features[x].Product = features[f].Product /\ x = f) = TRUE
  \* for c in res_body(GET /products/{productName}){constraints} :- c.excludedFeature != null && c.sourceFeature = path_param(@){featureName} => !contains(res_body(GET /products/{productName}/configurations/{configurationName}/features), c.excludedFeature)
  /\ \A c_1 \in ConstraintID : (c_1 \in DOMAIN constraints /\ constraints[c_1].Product = features[f].Product) => (constraints[c_1].sourceFeature = f => ~(\E j_1 \in ConfigurationFeatureID : j_1 \in DOMAIN configurationFeatures /\ configurationFeatures[j_1].Configuration = c /\ configurationFeatures[j_1].featureName = constraints[c_1].excludedFeature))
  \* for c in res_body(GET /products/{productName}){constraints} :- c.excludedFeature != null && c.excludedFeature = path_param(@){featureName} => !contains(res_body(GET /products/{productName}/configurations/{configurationName}/features), c.sourceFeature)
  /\ \A c_1 \in ConstraintID : (c_1 \in DOMAIN constraints /\ constraints[c_1].Product = features[f].Product) => (constraints[c_1].excludedFeature = f => ~(\E j_1 \in ConfigurationFeatureID : j_1 \in DOMAIN configurationFeatures /\ configurationFeatures[j_1].Configuration = c /\ configurationFeatures[j_1].featureName = constraints[c_1].sourceFeature))
  /\ configurationfeature \notin DOMAIN configurationFeatures
  /\ f \in DOMAIN features
  /\ configurationFeatures' = MapPut(configurationFeatures, configurationfeature, [Configuration |-> c, featureName |-> f])
  /\ UNCHANGED <<products, features, configurations, constraints>>
  /\ final' = TS'

\* Operation deleteFeature
deleteFeature(configurationfeature) ==
  \* res_code(GET /products/{productName}) = 200
  /\ configurationfeature \in DOMAIN configurationFeatures
  /\ configurationFeatures[configurationfeature].featureName \in DOMAIN features
  /\ features[configurationFeatures[configurationfeature].featureName].Product \in DOMAIN products
  \* res_code(GET /products/{productName}/configurations/{configurationName}) = 200
  /\ configurationFeatures[configurationfeature].Configuration \in DOMAIN configurations
  /\ configurations[configurationFeatures[configurationfeature].Configuration].Product = features[configurationFeatures[configurationfeature].featureName].Product
  \* contains(res_body(GET /products/{productName}/configurations/{configurationName}/features), path_param(@){featureName})
  /\ (\E j \in ConfigurationFeatureID : j \in DOMAIN configurationFeatures /\ configurationFeatures[j].Configuration = configurationFeatures[configurationfeature].Configuration /\ configurationFeatures[j].featureName = configurationFeatures[configurationfeature].featureName) = TRUE
  \* for c in res_body(GET /products/{productName}){constraints} :- c.requiredFeature != null && c.requiredFeature = path_param(@){featureName} => !contains(res_body(GET /products/{productName}/configurations/{configurationName}/features), c.sourceFeature)
  /\ \A c_1 \in ConstraintID : (c_1 \in DOMAIN constraints /\ constraints[c_1].Product = features[configurationFeatures[configurationfeature].featureName].Product) => (constraints[c_1].requiredFeature = configurationFeatures[configurationfeature].featureName => ~(\E j_1 \in ConfigurationFeatureID : j_1 \in DOMAIN configurationFeatures /\ configurationFeatures[j_1].Configuration = configurationFeatures[configurationfeature].Configuration /\ configurationFeatures[j_1].featureName = constraints[c_1].sourceFeature))
  /\ configurationfeature \in DOMAIN configurationFeatures
  /\ configurationFeatures' = Without(configurationFeatures, {configurationfeature})
  /\ UNCHANGED <<products, features, configurations, constraints>>
  /\ final' = TS'

Next ==
  \/ \E p \in ProductID : addProduct(p)
  \/ \E p \in ProductID : deleteProductByName(p)
  \/ \E f \in FeatureID, p \in ProductID : addFeatureToProduct(f, p)
  \/ \E f \in FeatureID : deleteFeatureOfProduct(f)
  \/ \E c \in ConfigurationID, p \in ProductID : addConfiguration(c, p)
  \/ \E c \in ConfigurationID : deleteConfiguration(c)
  \/ \E constraint \in ConstraintID, p \in ProductID, f \in FeatureID, requiredFeature \in FeatureID : addRequiresConstraintToProduct(constraint, p, f, requiredFeature)
  \/ \E constraint \in ConstraintID, p \in ProductID, f \in FeatureID, excludedFeature \in FeatureID : addExcludesConstraintToProduct(constraint, p, f, excludedFeature)
  \/ \E constraint \in ConstraintID : deleteConstraint(constraint)
  \/ \E configurationfeature \in ConfigurationFeatureID, c \in ConfigurationID, f \in FeatureID : addFeatureToConfiguration(configurationfeature, c, f)
  \/ \E configurationfeature \in ConfigurationFeatureID : deleteFeature(configurationfeature)

Spec == Init /\ [][Next]_vars

============================================================================
