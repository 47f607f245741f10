"""How the transport behaves (timeouts, retries, TLS, proxy), and the session that comes of it."""

from __future__ import annotations

import ssl
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit
from weakref import WeakSet

from aiohttp import (
    ClientError,
    ClientOSError,
    ClientResponse,
    ClientSession,
    ClientTimeout,
    DummyCookieJar,
    ServerDisconnectedError,
    TCPConnector,
)
from aiohttp.client_proto import ResponseHandler
from aiohttp.connector import Connection

from icepick import __version__
from icepick.errors import Code, Place, UsageError
from icepick.execute.transport.limits import RateLimit
from icepick.execute.types import Headers

MEGABYTE = 1_000_000
LARGEST_FIELD = 65_536
USER_AGENT = f"icepick/{__version__}"


@dataclass(frozen=True, slots=True)
class HttpSettings:
    """What a person can set about the traffic.

    `tls_verify` is False for no checks, or the path of the certificates to trust; `tls_cert` is
    the client's certificate, with its key in the same file or in `tls_key`. `max_wait` is how
    long one request may wait altogether because the service says Retry-After. Where there are
    `origins`, addresses on other servers get neither credentials nor `headers`: a link in an
    answer may lead anywhere.
    """

    request_timeout: float = 30.0
    stream: float = 3.0
    """For how many seconds a body is read that does not say how long it is: fewer than the first
    look has for an answer."""
    retries: int = 2
    rate_limit: RateLimit | None = None
    max_body: int = 20 * MEGABYTE
    max_wait: float = 60.0
    max_redirects: int = 5
    proxy: str | None = None
    tls_verify: bool | Path = True
    tls_cert: Path | None = None
    tls_key: Path | None = None
    headers: Headers = ()
    origins: tuple[str, ...] = ()
    user_agent: str = USER_AGENT
    workers: int = 8


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy without the password in its address, and the headers that are for it alone."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)


def proxy_of(settings: HttpSettings) -> Proxy | None:
    """The proxy to go through; UsageError where its address makes no sense."""
    if settings.proxy is None:
        return None
    try:
        parts = urlsplit(settings.proxy)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        # The address may hold a password, so it is not repeated.
        message = "the address of the proxy is not of the form http://HOST:PORT"
        raise UsageError(Code.BAD_PROXY, message, hint="for example http://127.0.0.1:8080")
    if parts.username is None:
        return Proxy(settings.proxy)
    bare = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return Proxy(bare, {"Proxy-Authorization": f"Basic {b64encode(pair.encode()).decode()}"})


def tls_of(settings: HttpSettings) -> ssl.SSLContext | bool:
    """What aiohttp takes for TLS; UsageError where a certificate cannot be used."""
    if isinstance(settings.tls_verify, bool) and settings.tls_cert is None:
        return settings.tls_verify
    context = _trusting(settings.tls_verify)
    if settings.tls_cert is not None:
        try:
            # A password would be asked for at the terminal, in the middle of everything.
            context.load_cert_chain(settings.tls_cert, settings.tls_key, password=lambda: b"")
        except (OSError, ValueError) as error:
            raise _bad_tls(settings.tls_cert, "client certificate", error) from error
    return context


def _trusting(verify: bool | Path) -> ssl.SSLContext:
    if isinstance(verify, Path):
        try:
            return ssl.create_default_context(cafile=str(verify))
        except (OSError, ValueError) as error:
            raise _bad_tls(verify, "file of certificates to trust", error) from error
    context = ssl.create_default_context()
    if not verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _bad_tls(path: Path, what: str, error: Exception) -> UsageError:
    reason = getattr(error, "strerror", None) or error
    return UsageError(
        Code.BAD_TLS,
        f"the {what} cannot be used: {reason}",
        place=Place(str(path)),
        hint="the file must exist and hold PEM text; a key must belong to its certificate",
    )


def new_session(settings: HttpSettings) -> ClientSession:
    """The one session of a transport; UsageError where a certificate cannot be used."""
    return ClientSession(
        connector=TCPConnector(limit=settings.workers, ssl=tls_of(settings)),
        headers={"User-Agent": settings.user_agent},
        timeout=ClientTimeout(total=settings.request_timeout),
        # Runs must not depend on one another, so nothing is remembered from answer to request.
        cookie_jar=DummyCookieJar(),
        response_class=_answer_class(),
        max_line_size=LARGEST_FIELD,
        max_field_size=LARGEST_FIELD,
    )


class BrokenConnectionError(ClientError):
    """A connection that broke before an answer came.

    `idle` where it had been kept alive and broke without a byte: then the service may well have
    closed it before it saw the request.
    """

    def __init__(self, reason: ServerDisconnectedError | ClientOSError, *, reused: bool) -> None:
        began = isinstance(reason, ServerDisconnectedError) and not isinstance(reason.message, str)
        closed = "in the middle of the headers" if began else "it was closed"
        super().__init__(getattr(reason, "strerror", None) or closed)
        self.idle = reused and not began


def _answer_class() -> type[ClientResponse]:
    """Answers that tell whether a broken connection had been idle.

    aiohttp would silently repeat a DELETE whose connection broke, and its second answer (404) is
    not the one to judge; with an error of our own, whether to repeat is decided here.
    """
    used: WeakSet[ResponseHandler] = WeakSet()

    class Answer(ClientResponse):
        async def start(self, connection: Connection) -> ClientResponse:
            protocol = connection.protocol
            try:
                answer = await super().start(connection)
            except (ServerDisconnectedError, ClientOSError) as error:
                raise BrokenConnectionError(error, reused=protocol in used) from error
            if protocol is not None:
                used.add(protocol)
            return answer

    return Answer
