"""Which calls come into question where credentials are suddenly good for nothing."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from icepick.execute.events import Noted
from icepick.execute.transport.auth import Authenticator
from icepick.execute.types import Exchange

SIGN_IN = "sign-in"
_SUSPECTS = 3
_SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})


class Lockout:
    """Remembers the last changes until credentials are refused and there are no others."""

    def __init__(self, auth: Authenticator | None, labels: Mapping[str, str]) -> None:
        self._auth = auth
        self._labels = labels
        self._changes: deque[str] = deque(maxlen=_SUSPECTS)
        self._trouble: str | None = None

    def add(self, exchange: Exchange) -> None:
        """See one more call."""
        if self._auth is None or self._trouble is not None:
            return
        self._trouble = self._auth.trouble
        status, label = exchange.status or 0, self._labels.get(exchange.operation or "")
        changed = 200 <= status < 300 and exchange.request.method not in _SAFE
        if changed and label is not None and self._trouble is None:
            if label in self._changes:
                self._changes.remove(label)
            self._changes.append(label)

    def note(self, url: str) -> Noted | None:
        """What to say where credentials ran out and there were no others."""
        trouble = self._auth.trouble if self._auth is not None else None
        if trouble is None:
            return None
        last = f"; the last changes before it: {', '.join(self._changes)}" if self._changes else ""
        return Noted(
            SIGN_IN, url, f"signing in again did not work: {self._trouble or trouble}{last}"
        )
