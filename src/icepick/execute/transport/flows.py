"""What a user and a password are good for where a document declares a flow of OAuth 2."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urljoin

from icepick.execute.transport.login import OAuth2
from icepick.execute.transport.redirects import same_origin
from icepick.openapi.types import SecurityKind, SecurityScheme


def password_grant(schemes: Mapping[str, SecurityScheme], pair: str, url: str) -> OAuth2 | None:
    """The token endpoint for USER:PASSWORD; None where they are to be sent as they are.

    A document may name any host: a password goes only to the service that it is meant for.
    """
    user, colon, password = pair.partition(":")
    found = schemes.values()
    if not colon or any(scheme.kind is SecurityKind.BASIC for scheme in found):
        return None
    declared = (scheme.token_url for scheme in found if scheme.token_url)
    addresses = (_joined(url, each) for each in declared)
    own = next((each for each in addresses if each and same_origin(each, url)), None)
    return OAuth2(own, "", username=user, password=password) if own is not None else None


def _joined(url: str, address: str) -> str | None:
    try:
        return urljoin(url.rstrip("/") + "/", address)
    except ValueError:
        return None
