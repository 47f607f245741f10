"""Secrets: collected as they turn up, and masked in whatever is shown or written."""

from __future__ import annotations

import html
import json
import re
from base64 import b64encode
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import lru_cache
from typing import Any, TypeVar
from urllib.parse import quote, quote_plus

from icepick.execute.events import CallJudged, Event, Exchanged, FindingFound
from icepick.execute.types import (
    Exchange,
    Failure,
    Headers,
    Judged,
    Reply,
    Request,
)

MASK = "***"
_SHORTEST = 4
_SIGNED = frozenset({"authorization", "proxy-authorization"})
_COOKIES = frozenset({"cookie", "set-cookie"})
_PRIVATE = (
    _SIGNED
    | _COOKIES
    | {"api-key", "apikey", "x-access-token", "x-api-key", "x-auth-token", "x-csrf-token"}
)
# Names that other events look up, taken from the document and never from an answer.
_KEPT = frozenset(
    {"action", "check", "id", "kind", "label", "name", "operation", "resource", "role", "version"}
)
_T = TypeVar("_T")


def is_private(header: str) -> bool:
    """Whether the value of a header of that name is never shown."""
    return header.lower() in _PRIVATE


@dataclass(frozen=True, slots=True)
class _Secret:
    """A secret with its forms. `core` is a part that all forms have, so most texts are settled by
    one search."""

    text: str
    core: str
    core_bytes: bytes
    forms: tuple[tuple[str, bytes], ...]


class Secrets:
    """The secret texts of a run, in every form in which they travel.

    Texts of less than four characters are too common to be masked wherever they occur; in the
    headers that carry credentials they are masked all the same. `names` are those of the document,
    such as `admin` or `password`: where such a one is a name it says nothing of a password that is
    called the same, and a request without it would be another one.
    """

    def __init__(self, *texts: str, names: Collection[str] = ()) -> None:
        self._secrets: tuple[_Secret, ...] = ()
        self._declared = frozenset(names)
        self._names: frozenset[str] = _PRIVATE
        self.add(*texts)

    def add(self, *texts: str) -> None:
        """More secrets; a header's value of the form `Scheme secret` hides the secret too."""
        found = {secret.text: secret for secret in self._secrets}
        for text in texts:
            for part in (text, text.rpartition(" ")[2]):
                if len(part) >= _SHORTEST and part not in found:
                    found[part] = _secret(part)
        # The longest first, so that no secret is cut in two by a shorter one inside it.
        self._secrets = tuple(sorted(found.values(), key=lambda one: (-len(one.text), one.text)))

    def add_basic(self, user: str, password: str) -> None:
        """A password, also in the form in which basic authentication sends it."""
        self.add(password, b64encode(f"{user}:{password}".encode()).decode())

    def add_header(self, name: str, value: str = "") -> None:
        """A header whose value is never shown, and where the value is known, nowhere else."""
        self._names |= {name.lower()}
        cookies = [pair.partition("=")[2].strip() for pair in value.split(";")]
        self.add(*(cookies if name.lower() in _COOKIES else [value]))

    def mask(self, text: str) -> str:
        """The text without secrets; the same object where it has none."""
        for secret in self._secrets:
            if secret.core not in text:
                continue
            if secret.text in self._declared:
                text = _hidden(secret.text).sub(_masked, text)
            else:
                for form, _ in secret.forms:
                    if form in text:
                        text = text.replace(form, MASK)
        return text

    def mask_bytes(self, body: bytes) -> bytes:
        """The bytes without secrets."""
        for secret in self._secrets:
            if secret.core_bytes not in body:
                continue
            if secret.text in self._declared:
                body = _hidden_bytes(secret.text).sub(_masked_bytes, body)
            else:
                for _, form in secret.forms:
                    if form in body:
                        body = body.replace(form, MASK.encode())
        return body

    def masked(self, exchange: Exchange) -> Exchange:
        """The exchange as it may be shown; the same object where there is nothing to hide."""
        request, reply = self._request(exchange.request), self._reply(exchange.reply)
        if request is exchange.request and reply is exchange.reply:
            return exchange
        return replace(exchange, request=request, reply=reply)

    def masked_event(self, event: Event) -> Event:
        """The event as it may be shown or written."""
        if isinstance(event, Exchanged):
            exchange = self.masked(event.exchange)
            return event if exchange is event.exchange else replace(event, exchange=exchange)
        if isinstance(event, CallJudged):
            judged = self._judged(event.judged)
            return event if judged is event.judged else replace(event, judged=judged)
        if self._secrets or isinstance(event, FindingFound):
            return self._walked(event)
        return event

    def _request(self, request: Request) -> Request:
        headers = self._headers(request.headers)
        if self._secrets:
            url = self.mask(request.url)
            body = self.mask_bytes(request.body) if request.body else request.body
            if url is not request.url or body is not request.body:
                return Request(request.method, url, headers, body)
        return request if headers is request.headers else replace(request, headers=headers)

    def _reply(self, reply: Reply) -> Reply:
        if isinstance(reply, Failure):
            message = self.mask(reply.message)
            return reply if message is reply.message else replace(reply, message=message)
        headers = self._headers(reply.headers)
        if self._secrets:
            body = self.mask_bytes(reply.body)
            hops = tuple(self.mask(url) for url in reply.redirects)
            if body is not reply.body or hops != reply.redirects:
                return replace(reply, headers=headers, body=body, redirects=hops)
        return reply if headers is reply.headers else replace(reply, headers=headers)

    def _headers(self, headers: Headers) -> Headers:
        for name, _ in headers:
            if name.lower() in self._names:
                break
        else:
            values = "\n".join([value for _, value in headers]) if self._secrets else ""
            if self.mask(values) is values:
                return headers
        return tuple((name, self._header(name, value)) for name, value in headers)

    def _header(self, name: str, value: str) -> str:
        lowered = name.lower()
        if lowered in _COOKIES:
            return _without_cookies(value, one=lowered == "set-cookie")
        if lowered in _SIGNED:
            scheme, space, _ = value.partition(" ")
            return f"{scheme} {MASK}" if space else MASK
        return MASK if lowered in self._names else self.mask(value)

    def _judged(self, judged: Judged) -> Judged:
        exchange = judged.exchange and self.masked(judged.exchange)
        reads = tuple([self.masked(read) for read in judged.reads])
        reason = self.mask(judged.reason)
        complaints = self._walked(judged.complaints) if judged.complaints else ()
        pairs = zip((exchange, *reads), (judged.exchange, *judged.reads), strict=True)
        if reason is judged.reason and not complaints and all(a is b for a, b in pairs):
            return judged
        return replace(judged, exchange=exchange, reads=reads, reason=reason, complaints=complaints)

    def _walked(self, value: _T) -> _T:
        """A value of any type with every text in it masked."""
        found: Any = value
        if type(found) is str:
            found = self.mask(found)
        elif isinstance(value, bytes):
            found = self.mask_bytes(value)
        elif isinstance(value, Exchange):
            found = self.masked(value)
        elif isinstance(value, Judged):
            found = self._judged(value)
        elif isinstance(value, tuple | list):
            found = type(value)(self._walked(item) for item in value)
        elif isinstance(value, Mapping):
            found = {key: self._walked(item) for key, item in value.items()}
        elif is_dataclass(value) and not isinstance(value, type):
            found = replace(value, **self._changes(value))
        result: _T = found
        return result

    def _changes(self, value: Any) -> dict[str, Any]:
        names = (one.name for one in fields(value) if one.name not in _KEPT)
        return {name: self._walked(getattr(value, name)) for name in names}


@lru_cache(maxsize=100)
def _hidden(name: str) -> re.Pattern[str]:
    """Finds a text wherever it occurs, in a group of its own where it is no name: not that of a
    property in JSON or in a path of properties, of a field of a form, or of a part of a URL."""
    name = re.escape(name)
    as_name = (
        rf'(?<="){name}(?=\\?"\s*:)|(?<=\.){name}(?!\w)|(?<![^?&\s]){name}(?==)'
        rf'|(?<=name="){name}(?=")|(?<=/){name}(?![\w.-])'
    )
    return re.compile(f"{as_name}|({name})")


@lru_cache(maxsize=100)
def _hidden_bytes(name: str) -> re.Pattern[bytes]:
    return re.compile(_hidden(name).pattern.encode("utf-8"))


def _masked(found: re.Match[str]) -> str:
    return found[0] if found[1] is None else MASK


def _masked_bytes(found: re.Match[bytes]) -> bytes:
    return found[0] if found[1] is None else MASK.encode()


def _without_cookies(value: str, *, one: bool) -> str:
    """The names of cookies without their values; only the first pair of Set-Cookie is one."""
    return re.sub(r"(^|;)(\s*[^=;]*=)[^;]*", rf"\1\2{MASK}", value, count=1 if one else 0)


def _secret(text: str) -> _Secret:
    forms = sorted(dict.fromkeys(_forms(text)), key=lambda form: (-len(form), form))
    core = max(re.findall(r"[0-9A-Za-z]+", text, re.ASCII), key=len, default="")
    pairs = tuple((form, form.encode("utf-8", "surrogatepass")) for form in forms)
    return _Secret(text, core, core.encode(), pairs)


def _forms(secret: str) -> list[str]:
    """How a secret reads in URLs, forms, JSON and XML."""
    coded = [
        encode(secret, safe, errors="surrogatepass")
        for encode, safe in ((quote, ""), (quote, "/"), (quote_plus, ""))
    ]
    lower = [re.sub(r"%[0-9A-F]{2}", lambda hit: hit[0].lower(), text) for text in coded]
    quoted = [json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]]
    slashed = [text.replace("/", r"\/") for text in quoted]
    return [secret, *coded, *lower, *quoted, *slashed, html.escape(secret)]
