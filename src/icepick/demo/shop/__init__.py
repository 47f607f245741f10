"""A small shop: a login, seven kinds of resources, and rules between them."""

from __future__ import annotations

from icepick.demo.service import DemoService
from icepick.demo.shop.domain import Shop
from icepick.demo.shop.faults import FAULTS
from icepick.demo.shop.routes import routes

__all__ = ["SHOP"]

SHOP = DemoService(
    name="shop",
    summary="a business API: login, customers, addresses, products, orders, lines, users",
    document="icepick.demo.shop:openapi.yaml",
    domain=Shop,
    routes=routes,
    faults=FAULTS,
)
