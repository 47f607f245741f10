"""The SockShop of the COTS paper: customers with payment cards and addresses, behind a key."""

from __future__ import annotations

from icepick.demo.service import DemoService
from icepick.demo.sockshop.domain import SockShop
from icepick.demo.sockshop.faults import FAULTS
from icepick.demo.sockshop.routes import routes

__all__ = ["SOCKSHOP"]

SOCKSHOP = DemoService(
    name="sockshop",
    summary="Customers with payment cards and addresses; every call carries a key.",
    document="icepick.demo.sockshop:openapi.yaml",
    domain=SockShop,
    routes=routes,
    faults=FAULTS,
)
