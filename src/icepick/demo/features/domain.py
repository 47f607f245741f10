"""The rules of the Features-Service: `products` and, over them, their configurations."""

from __future__ import annotations

from icepick.demo.features.products import Products
from icepick.demo.features.records import (
    Configuration,
    ConfigurationReport,
    Constraint,
    Feature,
    Product,
)
from icepick.demo.http import Refusal


class ProductLines(Products):
    """Products, and configurations that make some of their features active."""

    def configuration_names(self, product_name: str) -> list[str]:
        """The names of a product's configurations, oldest first."""
        return list(self.product(product_name).configurations)

    def configuration(self, product_name: str, configuration_name: str) -> ConfigurationReport:
        """The configuration, whether it is valid, and its active features."""
        product = self.product(product_name)
        configuration = self._configuration(product, configuration_name)
        active = tuple(product.features[name] for name in configuration.active)
        return ConfigurationReport(
            configuration.name, self._is_valid(product, configuration), active
        )

    def create_configuration(
        self, product_name: str, configuration_name: str
    ) -> ConfigurationReport:
        """Add a configuration without active features."""
        product = self.product(product_name)
        if configuration_name in product.configurations:
            raise Refusal(
                409, f"configurationName: configuration {configuration_name!r} exists already"
            )
        product.configurations[configuration_name] = Configuration(configuration_name)
        return self.configuration(product_name, configuration_name)

    def delete_configuration(self, product_name: str, configuration_name: str) -> None:
        """Remove a configuration; the features stay."""
        product = self.product(product_name)
        configuration = self._configuration(product, configuration_name)
        self._remove_configuration(product, configuration)

    def active_features(self, product_name: str, configuration_name: str) -> list[str]:
        """The names of the features active in a configuration, in the order of activation."""
        product = self.product(product_name)
        return list(self._configuration(product, configuration_name).active)

    def activate(self, product_name: str, configuration_name: str, feature_name: str) -> Feature:
        """Make a feature active in a configuration."""
        product = self.product(product_name)
        configuration = self._configuration(product, configuration_name)
        feature = self._feature(product, feature_name)
        if feature.name in configuration.active:
            raise Refusal(409, f"featureName: feature {feature.name!r} is active already")
        self._refuse_if_excluded(product, configuration, feature)
        configuration.active.append(feature.name)
        return feature

    def deactivate(self, product_name: str, configuration_name: str, feature_name: str) -> None:
        """Make a feature inactive in a configuration."""
        product = self.product(product_name)
        configuration = self._configuration(product, configuration_name)
        if feature_name not in configuration.active:
            raise Refusal(
                404,
                f"featureName: feature {feature_name!r} is not active in configuration "
                f"{configuration.name!r}",
            )
        self._refuse_if_needed(product, configuration, feature_name)
        configuration.active.remove(feature_name)

    def _configuration(self, product: Product, name: str) -> Configuration:
        try:
            return product.configurations[name]
        except KeyError:
            raise Refusal(
                404,
                f"configurationName: product {product.name!r} has no configuration {name!r}",
            ) from None

    def _remove_configuration(self, product: Product, configuration: Configuration) -> None:
        del product.configurations[configuration.name]

    def _is_valid(self, product: Product, configuration: Configuration) -> bool:
        return all(
            constraint.target in configuration.active
            for constraint in product.constraints.values()
            if constraint.kind == "requires" and constraint.source in configuration.active
        )

    def _refuse_if_excluded(
        self, product: Product, configuration: Configuration, feature: Feature
    ) -> None:
        for constraint in product.constraints.values():
            for other in configuration.active:
                if self._forbids(constraint, feature.name, other):
                    raise Refusal(
                        400,
                        f"featureName: features {feature.name!r} and {other!r} exclude each "
                        f"other (constraint {constraint.id})",
                    )

    def _forbids(self, constraint: Constraint, newcomer: str, active: str) -> bool:
        return constraint.kind == "excludes" and {constraint.source, constraint.target} == {
            newcomer,
            active,
        }

    def _refuse_if_needed(
        self, product: Product, configuration: Configuration, feature_name: str
    ) -> None:
        for constraint in product.constraints.values():
            if (
                constraint.kind == "requires"
                and constraint.target == feature_name
                and constraint.source in configuration.active
            ):
                raise Refusal(
                    400,
                    f"featureName: feature {feature_name!r} is required by the active feature "
                    f"{constraint.source!r} (constraint {constraint.id})",
                )
