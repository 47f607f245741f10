"""The Features-Service: products, their features, configurations and constraints."""

from __future__ import annotations

from icepick.demo.features.domain import ProductLines
from icepick.demo.features.faults import FAULTS
from icepick.demo.features.routes import routes
from icepick.demo.service import DemoService

__all__ = ["FEATURES"]

FEATURES = DemoService(
    name="features",
    summary="Products with features, configurations that activate them, and constraints.",
    document="icepick.demo.features:openapi.yaml",
    domain=ProductLines,
    routes=routes,
    faults=FAULTS,
)
