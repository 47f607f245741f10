"""Players, tournaments, and the enrolments that join them."""

from __future__ import annotations

from icepick.demo.service import DemoService
from icepick.demo.tournaments.domain import Tournaments
from icepick.demo.tournaments.faults import FAULTS
from icepick.demo.tournaments.routes import routes

__all__ = ["TOURNAMENTS"]

TOURNAMENTS = DemoService(
    name="tournaments",
    summary="Players enrol in tournaments of limited capacity; every id is the client's choice.",
    document="icepick.demo.tournaments:openapi.yaml",
    domain=Tournaments,
    routes=routes,
    faults=FAULTS,
)
