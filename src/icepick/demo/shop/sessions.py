"""Logging in and out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from icepick.demo.shop.problems import refuse_if, unauthorized
from icepick.demo.shop.store import Store
from icepick.demo.shop.types import Session
from icepick.demo.shop.validation import schema_errors

ACCOUNT = ("demo", "demo-password")


class Sessions(Store):
    """Tokens: given for the right password, good until they are revoked or used up."""

    token_lifetime: ClassVar[int | None] = None
    """For how many calls a new token is good; None for no end."""

    def log_in(self, body: Any) -> Session:
        """A new session for the account."""
        self.check_credentials(body)
        if (body["username"], body["password"]) != ACCOUNT:
            raise unauthorized("username or password is wrong")
        session = Session(self.new_secret().hex(), self.token_lifetime)
        self.sessions[session.token] = session
        return session

    def check_credentials(self, body: Any) -> None:
        """Refuse a login that is not well-formed."""
        refuse_if(422, schema_errors("Credentials", body))

    def authenticate(self, token: str) -> None:
        """Refuse a call without a valid token; a valid one is used once."""
        session = self.sessions.get(token)
        if session is None:
            raise unauthorized("a valid bearer token is required; POST /sessions gives one")
        if session.calls_left == 0:
            raise unauthorized("the token has expired")
        if session.calls_left is not None:
            self.sessions[token] = replace(session, calls_left=session.calls_left - 1)

    def log_out(self, token: str) -> None:
        """Revoke a token."""
        del self.sessions[token]
