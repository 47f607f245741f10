"""The services by name."""

from __future__ import annotations

from icepick.demo.features import FEATURES
from icepick.demo.petstore import PETSTORE
from icepick.demo.service import DemoService
from icepick.demo.shop import SHOP
from icepick.demo.sockshop import SOCKSHOP
from icepick.demo.tournaments import TOURNAMENTS

SERVICES: dict[str, DemoService] = {
    service.name: service for service in (TOURNAMENTS, PETSTORE, FEATURES, SHOP, SOCKSHOP)
}
