"""How a service is reached."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import NamedTuple
from urllib.parse import urlsplit

from icepick.execute.transport.auth import Authenticator, AuthOptions, auth_for
from icepick.execute.transport.http import http_transport
from icepick.execute.transport.secrets import Secrets
from icepick.execute.transport.settings import HttpSettings
from icepick.execute.types import Transport
from icepick.openapi.types import ApiSpec


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a service is, who calls it, and by which rules of HTTP."""

    url: str | None = None
    auth: AuthOptions = field(default_factory=AuthOptions)
    http: HttpSettings = field(default_factory=HttpSettings)


class Connection(NamedTuple):
    """A transport to a service, and who signs what it sends; None where nobody does."""

    transport: Transport
    auth: Authenticator | None


@asynccontextmanager
async def connected(spec: ApiSpec, reach: Reach, secrets: Secrets) -> AsyncIterator[Connection]:
    """A connection to the service of a document; credentials go nowhere else, and are secrets."""
    auth = auth_for(spec.security_schemes, reach.auth)
    http = replace(reach.http, origins=(base_url(spec, reach.url),))
    async with http_transport(http, auth, secrets) as transport:
        yield Connection(transport, auth)


def base_url(spec: ApiSpec, url: str | None) -> str:
    """The address below which the paths of a document lie.

    A URL with a path of its own is taken as it is; a bare one gets the path of the document's
    first server.
    """
    server = spec.servers[0].expanded()
    if url is None:
        return server.rstrip("/")
    if urlsplit(url).path.strip("/"):
        return url.rstrip("/")
    path = spec.servers[0].base_path if re.match(r"https?:|/", server) else ""
    return url.rstrip("/") + path
