"""The JSON that the Features-Service answers with."""

from __future__ import annotations

from typing import Any

from icepick.demo.features.records import (
    TARGET_FIELDS,
    ConfigurationReport,
    Constraint,
    Feature,
    Product,
)


def product_body(product: Product) -> dict[str, Any]:
    """A product with its features and constraints."""
    return {
        "id": product.id,
        "name": product.name,
        "features": [feature_body(each) for each in product.features.values()],
        "constraints": [constraint_body(each) for each in product.constraints.values()],
    }


def feature_body(feature: Feature) -> dict[str, Any]:
    """A feature."""
    return {"id": feature.id, "name": feature.name, "description": feature.description}


def constraint_body(constraint: Constraint) -> dict[str, Any]:
    """A constraint; the name of its second feature's field depends on its kind."""
    return {
        "id": constraint.id,
        "type": constraint.kind,
        "sourceFeature": constraint.source,
        TARGET_FIELDS[constraint.kind]: constraint.target,
    }


def configuration_body(report: ConfigurationReport) -> dict[str, Any]:
    """A configuration with its active features in full."""
    return {
        "name": report.name,
        "valid": report.valid,
        "activedFeatures": [feature_body(each) for each in report.features],
    }
