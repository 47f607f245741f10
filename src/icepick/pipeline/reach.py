"""How a service is reached."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from icepick.execute.transport.auth import AuthOptions
from icepick.execute.transport.settings import HttpSettings
from icepick.openapi.types import ApiSpec


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a service is, who calls it, and by which rules of HTTP."""

    url: str | None = None
    auth: AuthOptions = field(default_factory=AuthOptions)
    http: HttpSettings = field(default_factory=HttpSettings)


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
