"""Words for what goes wrong on the way: one attempt to send a request that came to nothing."""

from __future__ import annotations

from dataclasses import dataclass
from socket import gaierror

from aiohttp import (
    ClientConnectionResetError,
    ClientConnectorCertificateError,
    ClientConnectorError,
    ClientHttpProxyError,
    ClientPayloadError,
    ClientProxyConnectionError,
    ClientResponseError,
    ClientSSLError,
)
from aiohttp.http_exceptions import ContentEncodingError, HttpProcessingError

from icepick.execute.transport.settings import BrokenConnectionError
from icepick.execute.types import FailureKind, Request

SAFE = frozenset({"GET", "HEAD"})
_LONGEST_MESSAGE = 200


@dataclass(frozen=True, slots=True)
class Fault:
    """Why one attempt came to nothing; `repeatable` where another one can do no harm, or where
    the connection was `idle` and most likely closed before the request came."""

    kind: FailureKind
    message: str
    repeatable: bool = False
    idle: bool = False


def fault(error: Exception, request: Request, timeout: float) -> Fault:  # noqa: PLR0911 (by kind)
    """Why an attempt came to nothing, from what aiohttp raised."""
    safe = request.method in SAFE
    if isinstance(error, ClientConnectorError):
        return _no_connection(error)
    if isinstance(error, ClientHttpProxyError):
        return Fault(FailureKind.CONNECT, f"the proxy answers {error.status} {error.message}")
    if isinstance(error, TimeoutError):
        return Fault(FailureKind.TIMEOUT, f"no complete answer within {timeout:g} s")
    if isinstance(error, BrokenConnectionError):
        message = f"the connection broke before an answer came: {error}"
        return Fault(FailureKind.RESET, message, safe or error.idle, error.idle)
    if isinstance(error, ClientConnectionResetError):
        message = "the connection was closed before the request was sent"
        return Fault(FailureKind.RESET, message, repeatable=True)
    if isinstance(error, ClientPayloadError):
        return _bad_content(error, safe)
    if isinstance(error, ClientResponseError | HttpProcessingError):
        return Fault(FailureKind.PROTOCOL, f"the answer is not valid HTTP: {_short(error)}")
    if isinstance(error, OSError):
        return Fault(FailureKind.RESET, f"the connection broke: {_short(error)}", safe)
    return Fault(FailureKind.PROTOCOL, f"the request cannot be sent: {_short(error)}")


def _no_connection(error: ClientConnectorError) -> Fault:
    host = f"{error.host}:{error.port}"
    if isinstance(error, ClientConnectorCertificateError):
        found = error.certificate_error
        reason = getattr(found, "verify_message", None) or str(found)
        return Fault(FailureKind.TLS, f"the certificate of {host} is not trusted: {reason}")
    if isinstance(error, ClientSSLError):
        reason = getattr(error.os_error, "reason", None) or str(error.os_error)
        return Fault(FailureKind.TLS, f"no TLS with {host}: {reason}".replace("_", " ").lower())
    who = "the proxy " if isinstance(error, ClientProxyConnectionError) else ""
    if isinstance(error.os_error, gaierror):
        message = f"the name of {who}{error.host} is not known: {error.os_error.strerror}"
    elif isinstance(error.os_error, ConnectionRefusedError):
        message = f"nobody listens at {who}{host}: connection refused"
    else:
        message = f"no connection to {who}{host}: {_short(error.os_error)}"
    return Fault(FailureKind.CONNECT, message, repeatable=True)


def _bad_content(error: ClientPayloadError, safe: bool) -> Fault:
    if isinstance(error.__cause__, ContentEncodingError):
        message = f"the body cannot be decompressed: {_short(error.__cause__)}"
        return Fault(FailureKind.PROTOCOL, message)
    message = f"the connection broke before the body was whole: {_short(error)}"
    return Fault(FailureKind.RESET, message, safe)


def _short(error: BaseException) -> str:
    """The words of an error on one line."""
    text = getattr(error, "message", None) or getattr(error, "strerror", None) or str(error)
    line = " ".join(str(text).replace("^", " ").split())
    return line if len(line) <= _LONGEST_MESSAGE else f"{line[:_LONGEST_MESSAGE]}..."
