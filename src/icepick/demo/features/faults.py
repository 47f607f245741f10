"""The faults of the Features-Service, each a mix-in over one rule."""

from __future__ import annotations

from icepick.demo.features.domain import ProductLines
from icepick.demo.features.records import (
    Configuration,
    Constraint,
    Feature,
    Kind,
    Product,
)
from icepick.demo.http import Refusal
from icepick.demo.service import Fault

__all__ = ["FAULTS"]


class DeleteRequiredFeature(ProductLines):
    """Features are deleted although others require them."""

    def _refuse_if_required(self, product: Product, feature: Feature) -> None:
        """Never refuses."""


class DeactivateRequiredFeature(ProductLines):
    """Features are deactivated although active ones require them."""

    def _refuse_if_needed(
        self, product: Product, configuration: Configuration, feature_name: str
    ) -> None:
        """Never refuses."""


class ExcludesOneWay(ProductLines):
    """The target of an excludes constraint may join its source."""

    def _forbids(self, constraint: Constraint, newcomer: str, active: str) -> bool:
        return constraint.source == newcomer and super()._forbids(constraint, newcomer, active)


class ProductLeavesConfigurations(ProductLines):
    """The next product of the same name finds the configurations of the last."""

    def reset(self) -> None:
        super().reset()
        self._left_behind: dict[str, list[str]] = {}

    def delete_product(self, product_name: str) -> None:
        left = self.configuration_names(product_name)
        super().delete_product(product_name)
        self._left_behind[product_name] = left

    def _new_product(self, name: str) -> Product:
        product = super()._new_product(name)
        for left in self._left_behind.pop(name, []):
            product.configurations[left] = Configuration(left)
        return product


class ConfigurationTakesFeatures(ProductLines):
    """Deleting a configuration deletes the features that were active in it."""

    def _remove_configuration(self, product: Product, configuration: Configuration) -> None:
        super()._remove_configuration(product, configuration)
        for name in configuration.active:
            self._deactivate_everywhere(product, name)
            self._remove_feature(product, product.features[name])

    def _deactivate_everywhere(self, product: Product, name: str) -> None:
        for configuration in product.configurations.values():
            if name in configuration.active:
                configuration.active.remove(name)


class ConstraintIdReused(ProductLines):
    """The id of the last deleted constraint goes to the next new one."""

    def reset(self) -> None:
        super().reset()
        self._freed: int | None = None

    def _remove_constraint(self, product: Product, constraint_id: int) -> None:
        super()._remove_constraint(product, constraint_id)
        self._freed = constraint_id

    def _new_constraint_id(self) -> int:
        if self._freed is None:
            return super()._new_constraint_id()
        freed, self._freed = self._freed, None
        return freed


class UpdateClearsDescription(ProductLines):
    """An update without a description empties it."""

    def _new_description(self, old: Feature, description: str | None) -> str:
        return super()._new_description(old, description or "")


class UpdateOfActiveLost(ProductLines):
    """An update of an active feature is answered as done and not stored."""

    def _keep_feature(self, product: Product, feature: Feature) -> None:
        if not _is_active(product, feature.name):
            super()._keep_feature(product, feature)


class ValidNotRecomputed(ProductLines):
    """After a deactivation `valid` keeps its value until the next activation."""

    def reset(self) -> None:
        super().reset()
        self._stale: dict[tuple[int, str], bool] = {}

    def deactivate(self, product_name: str, configuration_name: str, feature_name: str) -> None:
        before = self.configuration(product_name, configuration_name).valid
        super().deactivate(product_name, configuration_name, feature_name)
        self._stale[self.product(product_name).id, configuration_name] = before

    def activate(self, product_name: str, configuration_name: str, feature_name: str) -> Feature:
        feature = super().activate(product_name, configuration_name, feature_name)
        self._stale.pop((self.product(product_name).id, configuration_name), None)
        return feature

    def _remove_configuration(self, product: Product, configuration: Configuration) -> None:
        super()._remove_configuration(product, configuration)
        self._stale.pop((product.id, configuration.name), None)

    def _is_valid(self, product: Product, configuration: Configuration) -> bool:
        computed = super()._is_valid(product, configuration)
        return self._stale.get((product.id, configuration.name), computed)


class ActiveFeaturesUnlisted(ProductLines):
    """The list of features lacks those that are active in a configuration."""

    def features(self, product_name: str) -> list[Feature]:
        product = self.product(product_name)
        listed = super().features(product_name)
        return [feature for feature in listed if not _is_active(product, feature.name)]


class ConstraintTakesAll(ProductLines):
    """Deleting one constraint deletes all of the product."""

    def _remove_constraint(self, product: Product, constraint_id: int) -> None:
        super()._remove_constraint(product, constraint_id)
        product.constraints.clear()


class ActivateEverywhere(ProductLines):
    """A feature activated in one configuration is active in all of the product."""

    def activate(self, product_name: str, configuration_name: str, feature_name: str) -> Feature:
        feature = super().activate(product_name, configuration_name, feature_name)
        for other in self.product(product_name).configurations.values():
            if feature.name not in other.active:
                other.active.append(feature.name)
        return feature


class ThirdFeatureCrashes(ProductLines):
    """There is room for two features in a product."""

    def _keep_feature(self, product: Product, feature: Feature) -> None:
        if feature.name not in product.features and len(product.features) == 2:
            raise IndexError("no slot left for the feature")
        super()._keep_feature(product, feature)


class DuplicateConstraint(ProductLines):
    """The same constraint is accepted again."""

    def _refuse_if_known(self, product: Product, kind: Kind, source: str, target: str) -> None:
        """Never refuses."""


class RefusedActivationSticks(ProductLines):
    """An excluded feature is refused and active all the same."""

    def _refuse_if_excluded(
        self, product: Product, configuration: Configuration, feature: Feature
    ) -> None:
        try:
            super()._refuse_if_excluded(product, configuration, feature)
        except Refusal:
            configuration.active.append(feature.name)
            raise


class ConstraintsOutliveFeature(ProductLines):
    """The constraints of a deleted feature stay in force."""

    def _remove_constraints_of(self, product: Product, feature: Feature) -> None:
        """Removes none."""


def _is_active(product: Product, feature_name: str) -> bool:
    return any(feature_name in each.active for each in product.configurations.values())


FAULTS: tuple[Fault, ...] = (
    Fault(
        "delete-required-feature",
        "a feature that another feature requires can be deleted",
        DeleteRequiredFeature,
    ),
    Fault(
        "deactivate-required-feature",
        "a feature that another active feature requires can be deactivated",
        DeactivateRequiredFeature,
    ),
    Fault(
        "excludes-one-way",
        "the excluded feature can be activated beside the one that excludes it",
        ExcludesOneWay,
    ),
    Fault(
        "product-leaves-configurations",
        "a deleted product's configurations come back, empty, when it is created again",
        ProductLeavesConfigurations,
    ),
    Fault(
        "configuration-takes-features",
        "deleting a configuration deletes from the product the features active in it",
        ConfigurationTakesFeatures,
    ),
    Fault(
        "constraint-id-reused",
        "the id of the last deleted constraint is handed out again",
        ConstraintIdReused,
    ),
    Fault(
        "update-clears-description",
        "an update of a feature without a description empties the description",
        UpdateClearsDescription,
    ),
    Fault(
        "update-of-active-lost",
        "an update of a feature that is active somewhere is answered as done but not stored",
        UpdateOfActiveLost,
    ),
    Fault(
        "valid-not-recomputed",
        "after a deactivation a configuration's valid is not computed anew",
        ValidNotRecomputed,
    ),
    Fault(
        "active-features-unlisted",
        "the list of a product's features lacks those active in a configuration",
        ActiveFeaturesUnlisted,
    ),
    Fault(
        "constraint-takes-all",
        "deleting a constraint deletes all constraints of the product",
        ConstraintTakesAll,
    ),
    Fault(
        "activate-everywhere",
        "activating a feature activates it in every configuration of the product",
        ActivateEverywhere,
    ),
    Fault(
        "third-feature-crashes",
        "adding a third feature to a product is answered with 500",
        ThirdFeatureCrashes,
    ),
    Fault(
        "duplicate-constraint",
        "a constraint that exists already is accepted again under another id",
        DuplicateConstraint,
    ),
    Fault(
        "refused-activation-sticks",
        "an activation refused because of an excludes constraint takes place all the same",
        RefusedActivationSticks,
    ),
    Fault(
        "constraints-outlive-feature",
        "deleting a feature leaves its constraints in the product",
        ConstraintsOutliveFeature,
    ),
)
