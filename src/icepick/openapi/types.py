"""The normalised description of an API: what every later stage reads, whatever the dialect was."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from icepick.errors import Diagnostic

Json = Any
"""Any JSON value."""


class Absent(Enum):
    """The type of ABSENT."""

    ABSENT = "absent"


ABSENT: Final[Literal[Absent.ABSENT]] = Absent.ABSENT
"""In place of a value: there is none, which is not the same as null."""

Schema = Mapping[str, Any]
"""A JSON Schema (2020-12) whose references all have the form `#/$defs/NAME`."""

JSON_PATCH = "application/json-patch+json"
"""The content type of a list of changes (RFC 6902)."""

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class Dialect(StrEnum):
    """The version of the specification that a document is written in."""

    SWAGGER_2_0 = "2.0"
    OPENAPI_3_0 = "3.0"
    OPENAPI_3_1 = "3.1"


class ParameterLocation(StrEnum):
    """Where a parameter travels."""

    PATH = "path"
    QUERY = "query"
    HEADER = "header"
    COOKIE = "cookie"


@dataclass(frozen=True, slots=True)
class MediaType:
    """A body of one content type; `encoding` is that of form and multipart fields.

    Where there is a `step`, the schema is that of the fields which a JSON patch sets by such steps.
    """

    content_type: str
    schema: Schema
    examples: tuple[Json, ...] = ()
    encoding: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    step: str = ""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter outside the body; `content_type` is set where its value is a document."""

    name: str
    location: ParameterLocation
    required: bool
    schema: Schema
    style: str
    explode: bool
    allow_reserved: bool = False
    content_type: str | None = None
    examples: tuple[Json, ...] = ()
    description: str = ""
    deprecated: bool = False


@dataclass(frozen=True, slots=True)
class RequestBody:
    """What a request may carry, by content type, in the order of the document."""

    required: bool
    content: Mapping[str, MediaType]
    description: str = ""


@dataclass(frozen=True, slots=True)
class Header:
    """A header that a response carries."""

    name: str
    required: bool
    schema: Schema
    description: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """A declared way from a response to the input of another operation."""

    name: str
    operation_id: str
    parameters: Mapping[str, Json]
    request_body: Json = None
    description: str = ""


@dataclass(frozen=True, slots=True)
class Response:
    """An answer: `status` is a code ("201"), a class ("2XX") or "default"."""

    status: str
    description: str
    content: Mapping[str, MediaType] = field(default_factory=dict)
    headers: Mapping[str, Header] = field(default_factory=dict)
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class ServerVariable:
    """A hole in a server's address."""

    default: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Server:
    """A base address, which may have variables and may be relative to the document's own."""

    url: str
    variables: Mapping[str, ServerVariable] = field(default_factory=dict)
    description: str = ""

    def expanded(self, values: Mapping[str, str] | None = None) -> str:
        """The address with every variable replaced by the given value, or else its default."""

        def value(match: re.Match[str]) -> str:
            name = match.group(1)
            if values and name in values:
                return values[name]
            variable = self.variables.get(name)
            return variable.default if variable else match.group(0)

        return re.sub(r"\{([^{}]*)\}", value, self.url)

    @property
    def base_path(self) -> str:
        """The path of the address; nothing where it is no address at all."""
        try:
            return urlsplit(self.expanded()).path.rstrip("/")
        except ValueError:
            return ""


class SecurityKind(StrEnum):
    """The families of authentication."""

    API_KEY = "apiKey"
    BASIC = "basic"
    BEARER = "bearer"
    HTTP = "http"
    OAUTH2 = "oauth2"
    OPENID = "openIdConnect"
    MUTUAL_TLS = "mutualTLS"


@dataclass(frozen=True, slots=True)
class SecurityScheme:
    """A way to authenticate; `location` and `parameter` belong to API keys alone.

    `token_url` is where OAuth 2 gives a token for a user and a password, as the document writes it.
    """

    name: str
    kind: SecurityKind
    location: ParameterLocation | None = None
    parameter: str | None = None
    scheme: str | None = None
    description: str = ""
    token_url: str | None = None


SecurityRequirement = Mapping[str, tuple[str, ...]]
"""The schemes that must be met together, each with its scopes; empty where none is needed.

A name that the document does not declare stays: something is needed, though nobody says what.
"""


@dataclass(frozen=True, slots=True)
class Operation:
    """One method on one path."""

    id: str
    method: str
    path: str
    pointer: str
    parameters: tuple[Parameter, ...] = ()
    request_body: RequestBody | None = None
    responses: Mapping[str, Response] = field(default_factory=dict)
    security: tuple[SecurityRequirement, ...] = ()
    servers: tuple[Server, ...] = ()
    tags: tuple[str, ...] = ()
    summary: str = ""
    description: str = ""
    deprecated: bool = False
    id_generated: bool = False
    extensions: Mapping[str, Json] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """How messages name it: `POST /players`."""
        return f"{self.method} {self.path}"

    @property
    def is_safe(self) -> bool:
        """Whether it only reads, by its method."""
        return self.method in _SAFE

    def parameters_in(self, location: ParameterLocation) -> tuple[Parameter, ...]:
        """The parameters of one location, in the order of the document."""
        return tuple([p for p in self.parameters if p.location is location])

    def response_for(self, status: int) -> Response | None:
        """The declared answer for a status: its code, then its class, then `default`."""
        for key in (str(status), f"{status // 100}XX", "default"):
            if key in self.responses:
                return self.responses[key]
        return None


@dataclass(frozen=True, slots=True)
class ApiSpec:
    """A whole API, normalised; `diagnostics` says what was wrong or guessed, `left_out` names the
    operations that could not be read."""

    title: str
    version: str
    dialect: Dialect
    source: str
    servers: tuple[Server, ...]
    operations: tuple[Operation, ...]
    schemas: Mapping[str, Schema]
    security_schemes: Mapping[str, SecurityScheme]
    tags: Mapping[str, str]
    description: str
    extensions: Mapping[str, Json]
    diagnostics: tuple[Diagnostic, ...]
    left_out: tuple[str, ...] = ()

    def operation(self, operation_id: str) -> Operation:
        """The operation of that id; KeyError where there is none."""
        for operation in self.operations:
            if operation.id == operation_id:
                return operation
        raise KeyError(operation_id)
