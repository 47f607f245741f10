"""Requests to a service on loopback, made by hand and past every proxy."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Call:
    """One request: a path of the service's document, and a JSON body or none."""

    method: str
    path: str
    body: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    body: bytes

    @property
    def ok(self) -> bool:
        """Whether the call did what it was for."""
        return 200 <= self.status < 300


def send(url: str, call: Call, headers: Mapping[str, str], seconds: float = 30.0) -> Answer:
    """The answer to a call below `url`; OSError or HTTPException where there is none."""
    body = None if call.body is None else json.dumps(call.body).encode()
    sent = dict(headers) if body is None else {**headers, "Content-Type": "application/json"}
    request = urllib.request.Request(url + call.path, data=body, headers=sent, method=call.method)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=seconds) as response:
            return Answer(response.status, response.read())
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, error.read())
