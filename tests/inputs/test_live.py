"""Generated bodies are taken by running services."""

from __future__ import annotations

from contextlib import closing
from random import Random

import pytest

from icepick.demo.catalogue import SERVICES
from icepick.inputs import Fresh, Generator, Made, Optionals, Options
from icepick.openapi import ApiSpec, Schema, read_spec
from icepick.openapi.shape import properties
from icepick.openapi.types import MediaType
from icepick.resources.fields import json_media
from tests.glacier.live import Live, served
from tests.glacier.test_inference import DEMO

CREATIONS = [
    ("tournaments", "postPlayer", ("pid",)),
    ("tournaments", "postTournament", ("tid",)),
    ("petstore", "addPet", ("id",)),
    ("petstore", "createUser", ("username",)),
]


def _property(spec: ApiSpec, media: MediaType, path: tuple[str, ...]) -> Schema:
    return properties(media.schema, spec.schemas)[path[0]].schema


@pytest.mark.parametrize("optionals", Optionals)
@pytest.mark.parametrize(("service", "operation", "identifier"), CREATIONS)
def test_fifty_creations(
    service: str, operation: str, identifier: tuple[str, ...], optionals: Optionals
) -> None:
    spec = read_spec(str(DEMO / service / "openapi.yaml"))
    found = spec.operation(operation)
    media = json_media(found.request_body)
    assert media is not None
    generator, rng = Generator(spec.schemas), Random(7)
    fresh = Fresh(generator, rng)
    with served(SERVICES[service]) as url, closing(Live(url, spec)) as live:
        for _ in range(50):
            known = fresh.value(_property(spec, media, identifier), identifier[-1], operation)
            assert isinstance(known, Made)
            options = Options(optionals=optionals)
            body = generator.body(media, rng, options, {identifier: known.value})
            assert isinstance(body, Made), body
            answer = live.send("POST", found.path, body.value)
            assert answer.status == 201, (body.value, answer.body)
