"""A contract environment over a real service: every GET is sent, and remembered until a change."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from icepick.demo.serve import running
from icepick.demo.service import DemoService
from icepick.glacier import ABSENT, Answer, Check, Outcome, Sent, evaluate, needed_before
from icepick.glacier.tree import Part
from icepick.openapi import ApiSpec, Operation, Schema
from icepick.resources.fields import request_schema, response_schema


@contextmanager
def served(service: DemoService, *faults: str) -> Iterator[str]:
    """The base URL of a service that runs in a thread of its own."""
    with in_thread(running(service, faults)) as url:
        yield url


@contextmanager
def in_thread(service: AbstractAsyncContextManager[str]) -> Iterator[str]:
    """The base URL of whatever serves, in a thread of its own."""
    ready, stop = threading.Event(), threading.Event()
    found: list[str] = []

    async def serve() -> None:
        async with service as url:
            found.append(url)
            ready.set()
            await asyncio.to_thread(stop.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    ready.wait()
    try:
        yield found[0]
    finally:
        stop.set()
        thread.join()


class Live:
    """Calls a service and judges every call by its contract."""

    def __init__(self, url: str, spec: ApiSpec, headers: Mapping[str, str] | None = None) -> None:
        self._connection = HTTPConnection(urlsplit(url).netloc)
        self._prefix = urlsplit(spec.servers[0].url).path.rstrip("/")
        self._headers = dict(headers or {})
        self._operations = {operation.id: operation for operation in spec.operations}
        self._spec = spec
        self._now: dict[str, Answer] = {}
        self._before: dict[str, Answer] = {}
        self._operation: Operation | None = None
        self.sent = Sent()
        self.answer: Answer | None = None
        self.schemas = spec.schemas

    def close(self) -> None:
        """Hang up."""
        self._connection.close()

    def sign_in(self, path: str, body: Any) -> None:
        """Get a bearer token and send it from now on."""
        token = self.send("POST", path, body).body["token"]
        self._headers["Authorization"] = f"Bearer {token}"

    def send(self, method: str, path: str, body: Any = ABSENT, kind: str = "") -> Answer:
        """One request and its answer."""
        headers, content = dict(self._headers), None
        if body is not ABSENT:
            content = json.dumps(body)
            headers["Content-Type"] = kind or "application/json"
        self._connection.request(method, self._prefix + path, content, headers)
        answer = self._connection.getresponse()
        raw = answer.read()
        parsed = json.loads(raw) if "json" in answer.headers.get("Content-Type", "") else ABSENT
        return Answer(answer.status, dict(answer.headers), parsed)

    def get(self, path: str) -> Answer:
        if path not in self._now:
            self._now[path] = self.send("GET", path)
        return self._now[path]

    def get_before(self, path: str) -> Answer | None:
        return self._before.get(path)

    def schema(self, part: Part, path: str | None) -> Schema | None:
        if path is None and self._operation is not None:
            chosen = request_schema if part is Part.REQ_BODY else response_schema
            return chosen(self._operation)
        for operation in self._spec.operations:
            pattern = re.sub(r"\\\{[^{}]*\\\}", "[^/]+", re.escape(operation.path))
            if path and operation.method == "GET" and re.fullmatch(pattern, path.split("?")[0]):
                return response_schema(operation)
        return None

    def call(
        self,
        operation: str,
        path: Mapping[str, Any],
        body: Any,
        requires: list[Check],
        ensures: list[Check],
    ) -> tuple[Answer, list[Outcome], list[Outcome]]:
        """A call with the outcomes of its clauses before and after."""
        found = self._operation = self._operations[operation]
        self.sent, self.answer = Sent(path=path, body=body), None
        self._now = {}
        before = [evaluate(check, self) for check in requires]
        while missing := [p for p in needed_before(ensures, self) if p not in self._now]:
            for wanted in missing:
                self.get(wanted)
        self._before, self._now = self._now, {}
        filled = re.sub(r"\{([^{}]*)\}", lambda m: str(path[m.group(1)]), found.path)
        kinds = found.request_body.content if found.request_body else {}
        self.answer = self.send(found.method, filled, body, next(iter(kinds), ""))
        return self.answer, before, [evaluate(check, self) for check in ensures]
