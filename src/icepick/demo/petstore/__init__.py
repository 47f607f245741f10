"""The pet store: pets, orders that refer to them, and users, with ids chosen by the client."""

from __future__ import annotations

from icepick.demo.petstore.domain import Petstore
from icepick.demo.petstore.faults import FAULTS
from icepick.demo.petstore.routes import routes
from icepick.demo.service import DemoService

__all__ = ["PETSTORE"]

PETSTORE = DemoService(
    name="petstore",
    summary="pets, their orders, and users: ids chosen by the client, a cascading delete",
    document="icepick.demo.petstore:openapi.yaml",
    domain=Petstore,
    routes=routes,
    faults=FAULTS,
)
