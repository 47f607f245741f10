"""Credentials: where each travels in a request, and how a request is signed with it."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, unquote_plus

from icepick.execute.types import Headers, Request
from icepick.openapi.types import ParameterLocation

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Credential:
    """What is added to a request to say who sends it."""

    headers: Headers = ()
    query: Pairs = ()
    cookies: Pairs = ()


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a token travels, and what stands before it."""

    location: ParameterLocation
    name: str
    prefix: str = ""

    def credential(self, token: str) -> Credential:
        """The token in its place."""
        pair = ((self.name, self.prefix + token),)
        if self.location is ParameterLocation.QUERY:
            return Credential(query=pair)
        if self.location is ParameterLocation.COOKIE:
            return Credential(cookies=pair)
        return Credential(headers=pair)


def signed(request: Request, credential: Credential) -> Request:
    """The request with a credential; what the request says itself is left as it is."""
    url, headers = request.url, request.headers
    if credential.headers:
        given = {name.lower() for name, _ in headers}
        more = tuple([pair for pair in credential.headers if pair[0].lower() not in given])
        headers = headers + more if more else headers
    if credential.query:
        url = _with_query(url, credential)
    if credential.cookies:
        headers = _with_cookies(headers, credential)
    if url is request.url and headers is request.headers:
        return request
    return Request(request.method, url, headers, request.body)


def _with_query(url: str, credential: Credential) -> str:
    query = url.partition("?")[2]
    given = {unquote_plus(pair.partition("=")[0]) for pair in query.split("&")}
    for name, value in credential.query:
        if name not in given:
            joint = "&" if "?" in url else "?"
            url = f"{url}{joint}{_query_pair(name, value)}"
    return url


def _with_cookies(headers: Headers, credential: Credential) -> Headers:
    cookies = [value for name, value in headers if name.lower() == "cookie"]
    given = {pair.partition("=")[0].strip() for text in cookies for pair in text.split(";")}
    more = [f"{name}={value}" for name, value in credential.cookies if name not in given]
    if not more:
        return headers
    rest = [pair for pair in headers if pair[0].lower() != "cookie"]
    return (*rest, ("Cookie", "; ".join([*cookies, *more])))


def carries(sent: Request, credential: Credential) -> bool:
    """Whether a request was sent with this credential."""
    cookies = {
        pair.strip()
        for name, value in sent.headers
        if name.lower() == "cookie"
        for pair in value.split(";")
    }
    query = sent.url.partition("?")[2].split("&")
    return (
        all(pair in sent.headers for pair in credential.headers)
        and all(f"{name}={value}" in cookies for name, value in credential.cookies)
        and all(_query_pair(name, value) in query for name, value in credential.query)
    )


def _query_pair(name: str, value: str) -> str:
    return f"{quote(name, safe='')}={quote(value, safe='')}"
