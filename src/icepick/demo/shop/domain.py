"""The whole shop."""

from __future__ import annotations

from icepick.demo.shop.lines import Lines
from icepick.demo.shop.sessions import Sessions
from icepick.demo.shop.users import Users


class Shop(Sessions, Lines, Users):
    """All state and all rules of the shop; each resource has a module of its own."""

    def begin_call(self, token: str) -> None:
        """What precedes every call but the login."""
        self.settle()
        self.authenticate(token)
