"""A small driver: sends what a learner proposes to a running service and tells it the answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.client import HTTPConnection
from random import Random
from typing import Any
from urllib.parse import urlsplit

from icepick.demo.catalogue import SERVICES
from icepick.inputs import Fresh, Generator, Responses, Wire, wire
from icepick.inputs.learn import (
    Effort,
    Learned,
    OperationLearner,
    Schedule,
    Setting,
    identity_of,
    references_of,
)
from icepick.inputs.learn.exceptional import Exceptional, Oddity, OddityKind
from icepick.openapi import ApiSpec, Operation, read_spec
from icepick.resources.find import find_resources
from icepick.resources.types import ResourceMap
from tests.glacier.live import served
from tests.glacier.test_inference import DEMO


@dataclass(frozen=True)
class Reply:
    status: int
    body: Any
    content_type: str


class Client:
    """Sends requests to one service."""

    def __init__(self, url: str, spec: ApiSpec) -> None:
        self._connection = HTTPConnection(urlsplit(url).netloc, timeout=20)
        self._prefix = urlsplit(spec.servers[0].url).path.rstrip("/")
        self._headers: dict[str, str] = {}
        self.calls = 0

    def close(self) -> None:
        self._connection.close()

    def sign_in(self) -> None:
        body = json.dumps({"username": "demo", "password": "demo-password"}).encode()
        kind = (("Content-Type", "application/json"),)
        reply = self.send(Wire("POST", "/sessions", kind, body))
        self._headers = {"Authorization": f"Bearer {reply.body['token']}"}

    def send(self, request: Wire) -> Reply:
        self.calls += 1
        headers = {**self._headers, **dict(request.headers)}
        target = self._prefix + request.target
        self._connection.request(request.method, target, request.content, headers)
        answer = self._connection.getresponse()
        raw, kind = answer.read(), answer.headers.get("Content-Type", "")
        if "json" in kind:
            return Reply(answer.status, json.loads(raw), kind)
        return Reply(answer.status, raw.decode("utf-8", "replace"), kind)


@dataclass
class World:
    """A service, its document and what is shared by the learners of its operations."""

    spec: ApiSpec
    resources: ResourceMap
    client: Client
    rng: Random
    setting: Setting
    learned: dict[str, Learned] = field(default_factory=dict)
    spent: dict[str, int] = field(default_factory=dict)

    def learner(
        self, operation: Operation, effort: Effort, *, anew: bool = False
    ) -> OperationLearner:
        setting = replace(self.setting, references=references_of(operation, self.resources))
        known = self.learned.get(operation.id, Learned(operation.id))
        if anew:
            new = dict.fromkeys([*known.unique, *identity_of(operation, self.resources)])
            known = replace(known, unique=tuple(new))
        return OperationLearner(operation, setting, self.rng, effort, known)

    def learn(self, operation: Operation, effort: Effort, *, anew: bool = False) -> Learned:
        learner = self.learner(operation, effort, anew=anew)
        while (trial := learner.next()) is not None:
            reply = self.client.send(wire(trial.case, self.spec.schemas))
            learner.observe(trial, reply.status, reply.body, reply.content_type)
            if operation.id == "deleteSession" and reply.status == 204:
                self.client.sign_in()
        if not anew:
            self.learned[operation.id] = learner.learned
        self.spent[operation.id] = self.spent.get(operation.id, 0) + learner.learned.calls
        return learner.learned

    def learn_all(self, calls: int = 60) -> dict[str, bool]:
        schedule = Schedule(self.spec, self.resources)
        done: dict[str, bool] = {}
        while (turn := schedule.next()) is not None:
            found = self.learn(turn.operation, Effort(calls), anew=turn.anew)
            done[turn.operation.id] = found.successes > 0 or done.get(turn.operation.id, False)
            schedule.done(turn, success=done[turn.operation.id])
        return done


@contextmanager
def world(service: str, seed: int, *faults: str) -> Iterator[World]:
    spec = read_spec(str(DEMO / service / "openapi.yaml"))
    resources = find_resources(spec)
    rng = Random(seed)
    generator = Generator(spec.schemas)
    setting = Setting(spec.schemas, generator, Fresh(generator, rng), Responses())
    with served(SERVICES[service], *faults) as url:
        client = Client(url, spec)
        try:
            if service == "shop":
                client.sign_in()
            yield World(spec, resources, client, rng, setting)
        finally:
            client.close()


def hunt(place: World, before: list[str], target: str, calls: int) -> tuple[list[Oddity], int]:
    """Send wrong calls until one of them crashes the service; what was found, after how many."""
    for name in before:
        place.learn(place.spec.operation(name), Effort(30))
    learner = place.learner(place.spec.operation(target), Effort(30))
    while (trial := learner.next()) is not None:
        reply = place.client.send(wire(trial.case, place.spec.schemas))
        learner.observe(trial, reply.status, reply.body, reply.content_type)
    phase = Exceptional([learner], place.setting, place.rng)
    for count in range(1, calls + 1):
        mutation = phase.next()
        if mutation is None:
            break
        reply = place.client.send(mutation.wire(place.spec.schemas))
        found = phase.observe(mutation, reply.status, reply.body, reply.content_type)
        crashes = [one for one in found if one.kind is OddityKind.CRASH]
        if crashes:
            return crashes, count
    return [], calls
