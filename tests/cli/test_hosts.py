"""Where a run may go without being told so."""

from __future__ import annotations

import pytest

from icepick.cli.hosts import addresses, check_host, is_near
from icepick.errors import Code, UsageError

NAMES = {"intra": ["10.1.2.3", "fd00::7"], "mixed": ["10.1.2.3", "8.8.8.8"], "far": ["8.8.8.8"]}


def resolve(name: str) -> list[str]:
    return NAMES.get(name, [])


@pytest.mark.parametrize(
    "host",
    [
        "localhost", "LOCALHOST", "api.localhost", "printer.local", "127.0.0.1", "127.8.8.8",
        "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.0.9", "::1",
        "fe80::1", "fd12::1", "::ffff:10.0.0.1", "intra",
    ],
)  # fmt: skip
def test_near(host: str):
    assert is_near(host, resolve)


@pytest.mark.parametrize(
    "host",
    [
        "8.8.8.8", "172.32.0.1", "192.169.0.1", "2606:4700::1", "::ffff:8.8.8.8", "far", "mixed",
        "unknown", "localhost.example.com", "127.0.0.1.example.com",
    ],
)  # fmt: skip
def test_far(host: str):
    assert not is_near(host, resolve)


def test_what_is_allowed_is_allowed():
    check_host("https://far/v1", ["far"], resolve)
    check_host("https://API.Example.com", ["*.example.com"], resolve)
    with pytest.raises(UsageError) as caught:
        check_host("https://far/v1", ["farther"], resolve)
    assert caught.value.code is Code.HOST_NOT_ALLOWED


@pytest.mark.parametrize(
    "url", ["", "/v1", "ftp://127.0.0.1", "http://", "http://[::1", "http://h:0"]
)
def test_no_address(url: str):
    with pytest.raises(UsageError) as caught:
        check_host(url, [], resolve)
    assert caught.value.code is Code.NO_ADDRESS


def test_names_of_this_machine_resolve():
    assert "127.0.0.1" in addresses("localhost")
