"""How the service is reached: its address, credentials, and the ways of the traffic."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from icepick.cli.hosts import check_host, host_of
from icepick.errors import Code, UsageError
from icepick.execute.transport.auth import AuthOptions
from icepick.execute.transport.flows import password_grant
from icepick.execute.transport.limits import RateLimit, parse_rate
from icepick.execute.transport.login import Login, OAuth2, login_target
from icepick.execute.transport.secrets import Secrets
from icepick.execute.transport.settings import HttpSettings
from icepick.openapi.types import ApiSpec
from icepick.pipeline.reach import Reach, base_url

_PRIVATE = re.compile(r"auth|token|key|secret|session|password|signature|cookie", re.IGNORECASE)
_Decorate = Callable[[Callable[..., Any]], Callable[..., Any]]


def reach_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """All of them; `reach_from` makes a `Reach` of their values."""
    for decorate in reversed((*_address(), *_credentials(), *_login(), *_oauth2(), *_traffic())):
        function = decorate(function)
    return function


def _address() -> tuple[_Decorate, ...]:
    return (
        click.option(
            "-u", "--url", metavar="URL",
            help="Where the service is.  [default: the first server of the document]",
        ),
        click.option(
            "--allow-host", "allow_hosts", multiple=True, metavar="HOST",
            help="Let a run change data on a host that is not in a private network.",
        ),
        click.option("--yes", is_flag=True, help="Let a run change data on any host."),
    )  # fmt: skip


def _credentials() -> tuple[_Decorate, ...]:
    return (
        click.option(
            "-a", "--auth", metavar="USER:PASSWORD",
            help="Basic authentication, or the password flow of OAuth 2 where that is declared.",
        ),
        click.option(
            "--token", metavar="TOKEN", envvar="ICEPICK_TOKEN", show_envvar=True,
            help="A token, sent as the document says or else as a bearer token.",
        ),
        click.option(
            "--api-key", "api_keys", multiple=True, metavar="[SCHEME=]KEY",
            envvar="ICEPICK_API_KEY", show_envvar=True,
            help="An API key; header:NAME=KEY, query: and cookie: say where it goes.",
        ),
        click.option(
            "--auth-command", metavar="COMMAND", help="A command that prints a token."
        ),
        click.option(
            "--send-token-as", metavar="PLACE",
            help="How a token travels: bearer, header:NAME, query:NAME or cookie:NAME.",
        ),
    )  # fmt: skip


def _login() -> tuple[_Decorate, ...]:
    return (
        click.option(
            "--login", metavar="OPERATION",
            help='Sign in by a call: an operation id, "POST /sessions" or a URL.',
        ),
        click.option(
            "--login-field", "login_fields", multiple=True, metavar="NAME=VALUE",
            help="A field of the body of that call; may be repeated.",
        ),
        click.option("--login-form", is_flag=True, help="Send the fields as a form."),
        click.option(
            "--login-pointer", metavar="POINTER",
            help="Where the answer has the token, such as /data/token.",
        ),
        click.option("--login-cookie", is_flag=True, help="The answer's cookies let one in."),
    )  # fmt: skip


def _oauth2() -> tuple[_Decorate, ...]:
    return (
        click.option("--oauth2-url", metavar="URL", help="Get a token from this endpoint."),
        click.option("--oauth2-client-id", metavar="ID", default="", help="The client."),
        click.option("--oauth2-client-secret", metavar="SECRET", default="", help="Its secret."),
        click.option("--oauth2-user", metavar="USER", help="A user, for the password grant."),
        click.option("--oauth2-password", metavar="PASSWORD", help="The user's password."),
        click.option("--oauth2-scope", metavar="SCOPE", help="What to ask for."),
    )


def _traffic() -> tuple[_Decorate, ...]:
    seconds = click.FloatRange(min=0, min_open=True)
    file = click.Path(path_type=Path)
    return (
        click.option(
            "--rate-limit", metavar="N/TIME", callback=_rate,
            help="At most so many requests: 5/s, 300/m, 10/5s.",
        ),
        click.option(
            "--request-timeout", type=seconds, default=30.0, show_default=True,
            metavar="SECONDS", help="How long an answer may take.",
        ),
        click.option(
            "--retries", type=click.IntRange(min=0), default=2, show_default=True,
            help="How often a request that got no answer is sent again.",
        ),
        click.option("--proxy", metavar="URL", help="Go through this proxy."),
        click.option(
            "--tls-verify", metavar="yes|no|FILE", default="yes", show_default=True,
            help="Check certificates, do not, or trust those of a file.",
        ),
        click.option("--tls-cert", type=file, help="The client's certificate."),
        click.option("--tls-key", type=file, help="Its key, if it is not in the same file."),
    )  # fmt: skip


def workers(_context: click.Context, _parameter: click.Parameter, text: str) -> int:
    """The callback of `--workers`: a number, or `auto`."""
    if text == "auto":
        return min(32, 4 * (os.cpu_count() or 1))
    if not text.isdecimal() or not 1 <= int(text) <= 256:
        raise click.BadParameter(f"{text!r} is neither auto nor a number from 1 to 256")
    return int(text)


def _rate(
    _context: click.Context, _parameter: click.Parameter, text: str | None
) -> RateLimit | None:
    return None if text is None else parse_rate(text)


def reach_from(
    options: dict[str, Any], spec: ApiSpec, headers: Mapping[str, str], connections: int
) -> Reach:
    """What the options say, which are taken out; UsageError for a host that is not allowed."""
    url = base_url(spec, options.pop("url"))
    allowed, anywhere = options.pop("allow_hosts"), options.pop("yes")
    if anywhere:
        host_of(url)
    else:
        check_host(url, allowed)
    http = HttpSettings(
        request_timeout=options.pop("request_timeout"),
        retries=options.pop("retries"),
        rate_limit=options.pop("rate_limit"),
        proxy=options.pop("proxy"),
        tls_verify=_verify(options.pop("tls_verify")),
        tls_cert=options.pop("tls_cert"),
        tls_key=options.pop("tls_key"),
        headers=tuple(headers.items()),
        workers=connections,
    )
    return Reach(url, _auth(options, spec, url), http)


def _verify(text: str) -> bool | Path:
    words = {"yes": True, "true": True, "no": False, "false": False}
    return words.get(text.lower(), Path(text))


def _auth(options: dict[str, Any], spec: ApiSpec, url: str) -> AuthOptions:
    pair, oauth2 = options.pop("auth"), _oauth2_from(options)
    traded = password_grant(spec.security_schemes, pair, url) if pair and oauth2 is None else None
    return AuthOptions(
        basic=pair if traded is None else None,
        token=options.pop("token"),
        api_keys=options.pop("api_keys"),
        command=options.pop("auth_command"),
        send_as=options.pop("send_token_as"),
        login=_login_from(options, spec, url),
        oauth2=traded or oauth2,
    )


def _login_from(options: dict[str, Any], spec: ApiSpec, url: str) -> Login | None:
    target, given = options.pop("login"), options.pop("login_fields")
    form, cookie = options.pop("login_form"), options.pop("login_cookie")
    pointer = options.pop("login_pointer")
    if target is None:
        return None
    fields = {}
    for number, text in enumerate(given, start=1):
        name, equals, value = text.partition("=")
        if not equals or not name:
            # Not repeated: it may be a password.
            message = f"--login-field {number} is not of the form NAME=VALUE"
            raise UsageError(Code.BAD_AUTH, message, hint="for example username=me")
        fields[name] = value
    method, address = login_target(target, spec.operations, url)
    return Login(address, fields, method, form, pointer, cookie)


def _oauth2_from(options: dict[str, Any]) -> OAuth2 | None:
    url, user = options.pop("oauth2_url"), options.pop("oauth2_user")
    client, secret = options.pop("oauth2_client_id"), options.pop("oauth2_client_secret")
    password, scope = options.pop("oauth2_password"), options.pop("oauth2_scope")
    return OAuth2(url, client, secret, user, password, scope) if url is not None else None


def ways_in(auth: AuthOptions) -> list[str]:
    """By which ways a run is let in, without anything secret."""
    ways = {
        "basic": auth.basic, "token": auth.token, "api-key": auth.api_keys or None,
        "login": auth.login, "oauth2": auth.oauth2, "command": auth.command,
    }  # fmt: skip
    return [name for name, value in ways.items() if value is not None]


def keep_secret(secrets: Secrets, headers: Mapping[str, str]) -> None:
    """Headers of a person's own whose names say that their values are nobody's business."""
    for name, value in headers.items():
        if _PRIVATE.search(name):
            secrets.add_header(name, value)
