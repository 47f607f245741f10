"""Where a run may create and delete data without being told so: nearby, and nowhere else."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from ipaddress import IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from icepick.errors import Code, Place, UsageError

_NEAR = (
    *("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"),
    *("::1/128", "fc00::/7", "fe80::/10"),
)
"""This machine and the private networks; other reserved addresses lead who knows where."""

Resolve = Callable[[str], list[str]]


def check_host(url: str, allowed: Iterable[str], resolve: Resolve | None = None) -> None:
    """UsageError where an address is neither nearby nor allowed."""
    host = host_of(url)
    if any(fnmatchcase(host, pattern.lower()) for pattern in allowed):
        return
    if not is_near(host, resolve or addresses):
        raise UsageError(
            Code.HOST_NOT_ALLOWED,
            f"{host} is neither this machine nor in a private network, "
            "and a run creates and deletes data",
            place=Place(url),
            hint=f"if that is meant, say so: --allow-host {host}",
        )


def host_of(url: str) -> str:
    """The host of an address that a run can use; UsageError where it is none."""
    try:
        parts = urlsplit(url)
        host, usable = parts.hostname, parts.scheme in {"http", "https"} and parts.port != 0
    except ValueError:
        host, usable = None, False
    if not usable or not host:
        raise UsageError(
            Code.NO_ADDRESS,
            "nobody says where the service is" if not url else "that is no address of a service",
            place=Place(url) if url and "@" not in url else None,
            hint="name it with --url http://HOST:PORT",
        )
    if parts.username is not None:
        # Addresses are printed and written everywhere.
        raise UsageError(
            Code.BAD_AUTH,
            f"the address of {host} holds a user",
            hint="leave it out of the address, and give --auth USER:PASSWORD",
        )
    return host


def is_near(host: str, resolve: Resolve) -> bool:
    """Whether a host is this machine or in a private network; a name, all of its addresses."""
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith((".localhost", ".local")):
        return True
    try:
        return _is_private(name)
    except ValueError:
        found = resolve(name)
    return bool(found) and all(_is_private(one) for one in found)


def _is_private(text: str) -> bool:
    address = ip_address(text)
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return any(address in network for network in map(ip_network, _NEAR))


def addresses(name: str) -> list[str]:
    """What a name stands for; nothing where nobody knows."""
    try:
        found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return [str(one[4][0]) for one in found]
