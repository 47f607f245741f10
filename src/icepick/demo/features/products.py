"""Products, their features, and the constraints between features."""

from __future__ import annotations

from itertools import count

from icepick.demo.features.records import TARGET_FIELDS, Constraint, Feature, Kind, Product
from icepick.demo.http import Refusal


class Products:
    """Products by name; each method either does all of its work or refuses and does none."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget everything; numbering starts again at 1."""
        self._products: dict[str, Product] = {}
        self._product_ids = count(1)
        self._feature_ids = count(1)
        self._constraint_ids = count(1)

    # Products

    def product_names(self) -> list[str]:
        """The names of all products, oldest first."""
        return list(self._products)

    def product(self, product_name: str) -> Product:
        """The product of that name."""
        try:
            return self._products[product_name]
        except KeyError:
            raise Refusal(404, f"productName: there is no product {product_name!r}") from None

    def create_product(self, product_name: str) -> Product:
        """Add a product with nothing in it."""
        if product_name in self._products:
            raise Refusal(409, f"productName: product {product_name!r} exists already")
        product = self._new_product(product_name)
        self._products[product_name] = product
        return product

    def delete_product(self, product_name: str) -> None:
        """Remove a product with its features, configurations and constraints."""
        product = self.product(product_name)
        del self._products[product.name]

    def _new_product(self, name: str) -> Product:
        return Product(next(self._product_ids), name)

    # Features

    def features(self, product_name: str) -> list[Feature]:
        """The features of a product, oldest first."""
        return list(self.product(product_name).features.values())

    def create_feature(self, product_name: str, feature_name: str, description: str) -> Feature:
        """Add a feature to a product."""
        product = self.product(product_name)
        if feature_name in product.features:
            raise Refusal(409, f"featureName: feature {feature_name!r} exists already")
        feature = Feature(next(self._feature_ids), feature_name, description)
        self._keep_feature(product, feature)
        return feature

    def update_feature(
        self, product_name: str, feature_name: str, description: str | None
    ) -> Feature:
        """Describe a feature anew; None leaves the description as it is."""
        product = self.product(product_name)
        old = self._feature(product, feature_name)
        new = Feature(old.id, old.name, self._new_description(old, description))
        self._keep_feature(product, new)
        return new

    def delete_feature(self, product_name: str, feature_name: str) -> None:
        """Remove a feature that nothing needs, with its remaining constraints."""
        product = self.product(product_name)
        feature = self._feature(product, feature_name)
        self._refuse_if_required(product, feature)
        self._refuse_if_active(product, feature)
        self._remove_feature(product, feature)

    def _feature(self, product: Product, name: str, field: str = "featureName") -> Feature:
        try:
            return product.features[name]
        except KeyError:
            raise Refusal(
                404, f"{field}: product {product.name!r} has no feature {name!r}"
            ) from None

    def _new_description(self, old: Feature, description: str | None) -> str:
        return old.description if description is None else description

    def _keep_feature(self, product: Product, feature: Feature) -> None:
        product.features[feature.name] = feature

    def _refuse_if_required(self, product: Product, feature: Feature) -> None:
        for constraint in product.constraints.values():
            if constraint.kind == "requires" and constraint.target == feature.name:
                raise Refusal(
                    400,
                    f"featureName: feature {feature.name!r} is required by feature "
                    f"{constraint.source!r} (constraint {constraint.id})",
                )

    def _refuse_if_active(self, product: Product, feature: Feature) -> None:
        for configuration in product.configurations.values():
            if feature.name in configuration.active:
                raise Refusal(
                    400,
                    f"featureName: feature {feature.name!r} is active in configuration "
                    f"{configuration.name!r}",
                )

    def _remove_feature(self, product: Product, feature: Feature) -> None:
        del product.features[feature.name]
        self._remove_constraints_of(product, feature)

    def _remove_constraints_of(self, product: Product, feature: Feature) -> None:
        for constraint in list(product.constraints.values()):
            if constraint.mentions(feature.name):
                del product.constraints[constraint.id]

    # Constraints

    def create_constraint(
        self, product_name: str, kind: Kind, source: str, target: str
    ) -> Constraint:
        """Let the feature `source` require or exclude the feature `target`."""
        if source == target:
            raise Refusal(400, f"{TARGET_FIELDS[kind]}: must differ from sourceFeature {source!r}")
        product = self.product(product_name)
        self._feature(product, source, "sourceFeature")
        self._feature(product, target, TARGET_FIELDS[kind])
        self._refuse_if_known(product, kind, source, target)
        constraint = Constraint(self._new_constraint_id(), kind, source, target)
        product.constraints[constraint.id] = constraint
        return constraint

    def delete_constraint(self, product_name: str, constraint_id: int) -> None:
        """Lift a constraint."""
        product = self.product(product_name)
        if constraint_id not in product.constraints:
            raise Refusal(
                404, f"constraintId: product {product.name!r} has no constraint {constraint_id}"
            )
        self._remove_constraint(product, constraint_id)

    def _new_constraint_id(self) -> int:
        return next(self._constraint_ids)

    def _refuse_if_known(self, product: Product, kind: Kind, source: str, target: str) -> None:
        for known in product.constraints.values():
            if (known.kind, known.source, known.target) == (kind, source, target):
                raise Refusal(
                    409,
                    f"sourceFeature: {source!r} {kind} {target!r} already (constraint {known.id})",
                )

    def _remove_constraint(self, product: Product, constraint_id: int) -> None:
        del product.constraints[constraint_id]
