"""The HTTP side that all demo services share: refusals, bodies, the document, reset."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NoReturn

import jsonschema_rs
import yaml
from aiohttp import web
from aiohttp.typedefs import Handler

from icepick.demo.service import DemoService


class Refusal(Exception):  # noqa: N818 - a refusal is correct behaviour, not an error
    """The service will not do it: answered with `status` and a message that says why."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        details: Iterable[str] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.details = tuple(details)
        self.headers = dict(headers or {})

    def response(self) -> web.Response:
        """The JSON answer: `code`, `message`, and `details` where there are any."""
        body: dict[str, Any] = {"code": str(self.status), "message": self.message}
        if self.details:
            body["details"] = list(self.details)
        return web.json_response(body, status=self.status, headers=self.headers)


def refuse(status: int, message: str, *details: str) -> NoReturn:
    """Raise a `Refusal`; for use inside expressions."""
    raise Refusal(status, message, details=details)


async def json_body(request: web.Request) -> Any:
    """The JSON body of a request; refused with 415 or 400 where there is none."""
    if request.content_type != "application/json":
        refuse(415, f"Content-Type must be application/json, not {request.content_type}")
    try:
        return parsed_json(await request.text())
    except (ValueError, LookupError, web.RequestPayloadError) as error:
        refuse(400, f"the body is not JSON: {error}")


def parsed_json(text: str) -> Any:
    """A JSON value that can be checked and sent back; ValueError for everything else."""
    try:
        value = json.loads(text, parse_constant=_no_constant)
        # JSON can escape half a surrogate pair, which is no text.
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    _check_depth(value)
    return value


def _check_depth(value: Any, room: int = 100) -> None:
    """Keep nesting within what the schema validator can walk."""
    if room == 0:
        raise ValueError("it is nested more than 100 levels deep")
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            _check_depth(each, room - 1)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def whole_number(text: str, name: str) -> int:
    """An integer from a path or query parameter; refused with 400 where it is none."""
    if not re.fullmatch(r"-?[0-9]{1,19}", text):
        refuse(400, f"{name} must be an integer, not {text!r}")
    return int(text)


@dataclass(frozen=True, slots=True)
class Document:
    """The OpenAPI document of a service, and validation of bodies against its schemas."""

    content: Mapping[str, Any]
    validators: Mapping[str, jsonschema_rs.Validator]

    @classmethod
    @cache
    def load(cls, package: str, name: str) -> Document:
        """Read the document that lies beside the code of `package`."""
        text = files(package).joinpath(name).read_text(encoding="utf-8")
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast where it exists
        content = yaml.load(text, loader)  # noqa: S506 - both loaders are safe
        swagger = "swagger" in content
        schemas = content["definitions"] if swagger else content["components"]["schemas"]
        prefix = "#/definitions/" if swagger else "#/components/schemas/"
        validators = {
            name: jsonschema_rs.Draft202012Validator(
                {**content, "$ref": prefix + name}, validate_formats=True
            )
            for name in schemas
        }
        return cls(content, validators)

    def problems(self, schema: str, value: Any) -> list[str]:
        """What is wrong with `value`, one line for each defect, led by the field's name."""
        return [
            f"{'.'.join(map(str, error.instance_path)) or 'body'}: {error.message}"
            for error in self.validators[schema].iter_errors(value)
        ]

    def check(self, schema: str, value: Any, *, status: int = 400) -> None:
        """Refuse a value that does not fit the schema."""
        if found := self.problems(schema, value):
            raise Refusal(status, f"invalid {schema}: {found[0]}", details=found)


@web.middleware
async def answer_errors(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Every refusal and every crash gets a JSON body that says what happened."""
    try:
        return await handler(request)
    except Refusal as refusal:
        return refusal.response()
    except web.HTTPException as error:
        return Refusal(error.status, error.reason, headers=_allow(error)).response()
    except Exception as error:  # noqa: BLE001 - a server answers 500 whatever happened
        message = f"{type(error).__name__}: {error}"
        return web.json_response({"code": "500", "message": message}, status=500)


def _allow(error: web.HTTPException) -> dict[str, str]:
    allowed = error.headers.get("Allow")
    return {"Allow": allowed} if allowed else {}


def build_app(
    service: DemoService, faults: Iterable[str] = (), *, allow_reset: bool = False
) -> web.Application:
    """The application: the service's routes, its document, and `/__reset__` where allowed."""
    domain = service.with_faults(faults)
    package, name = service.document.split(":")
    document = Document.load(package, name).content
    app = web.Application(middlewares=[answer_errors])
    app.add_routes(service.routes(domain))

    async def openapi_json(_: web.Request) -> web.Response:
        return web.json_response(document)

    async def reset(_: web.Request) -> web.Response:
        domain.reset()
        return web.Response(status=204)

    app.router.add_get("/openapi.json", openapi_json)
    if allow_reset:
        app.router.add_post("/__reset__", reset)
    return app
