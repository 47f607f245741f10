from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from icepick.errors import Code, DocumentError
from icepick.openapi import ReadOptions, check_spec, read_spec
from icepick.openapi.web import same_host, signed_in
from tests.openapi.building import schema, v3
from tests.openapi.conftest import Site, Write


def _error(location: str, options: ReadOptions | None = None) -> DocumentError:
    with pytest.raises(DocumentError) as caught:
        read_spec(location, options)
    return caught.value


def _free_port(start: Callable[..., Site]) -> int:
    """A port that was free a moment ago."""
    return int(start().url.rpartition(":")[2]) + 1


def test_a_document_over_http(site: Site) -> None:
    spec = read_spec(site.put("/api.json", v3()))
    assert spec.operations[0].label == "GET /pets"
    assert spec.source == site.url + "/api.json"
    assert [server.expanded() for server in spec.servers] == [site.url]


def test_a_status_is_reported(site: Site) -> None:
    error = _error(site.url + "/nope")
    assert error.code is Code.HTTP_STATUS
    assert "404" in error.message


def test_a_page_instead_of_a_document(site: Site) -> None:
    error = _error(site.put("/docs", "<!DOCTYPE html><html></html>"))
    assert error.code is Code.HTML
    assert error.hint is not None
    assert "/openapi.json" in error.hint


def test_more_than_the_limit(site: Site) -> None:
    url = site.put("/api.json", " " * 3000)
    assert _error(url, ReadOptions(max_bytes=2999)).code is Code.TOO_LARGE


def test_nobody_listens(start: Callable[..., Site]) -> None:
    error = _error(f"http://127.0.0.1:{_free_port(start)}/api.json")
    assert error.code is Code.UNREACHABLE
    assert error.hint is not None
    assert "--wait-for-schema" in error.hint


@pytest.mark.parametrize("url", ["http://", "http://[", "http://a b/", "http://h:x/", "http://ü\0"])
def test_a_url_that_means_nothing(url: str) -> None:
    assert _error(url).code is Code.UNREACHABLE


def test_waiting_for_a_server_that_comes_late(start: Callable[..., Site]) -> None:
    url = start(0.3).put("/api.json", v3())
    assert read_spec(url, ReadOptions(wait_seconds=10)).operations


def test_waiting_ends(site: Site) -> None:
    begun = time.monotonic()
    error = _error(site.url + "/nope", ReadOptions(wait_seconds=0.3))
    assert error.code is Code.HTTP_STATUS
    assert 0.3 <= time.monotonic() - begun < 2
    assert len(site.requests) > 1


def test_headers_are_sent(site: Site) -> None:
    read_spec(site.put("/api.json", v3()), ReadOptions(headers={"X-Key": "k"}))
    assert site.headers_of("/api.json")["x-key"] == "k"


def test_a_redirect_moves_the_document(site: Site) -> None:
    site.put("/v2/api.json", v3(servers=[{"url": "x"}]))
    url = site.put("/api.json", "", 302, Location="/v2/api.json")
    spec = read_spec(url, ReadOptions(headers={"X-Key": "k"}))
    assert spec.source == site.url + "/v2/api.json"
    assert spec.servers[0].url == site.url + "/v2/x"
    assert site.headers_of("/v2/api.json")["x-key"] == "k"


def test_secrets_do_not_follow_a_redirect_to_another_host(start: Callable[..., Site]) -> None:
    here, there = start(), start()
    target = there.put("/api.json", v3())
    options = ReadOptions(headers={"X-Key": "k", "authorization": "Bearer t"})
    read_spec(here.put("/", "", 302, Location=target), options)
    assert "x-key" in here.headers_of("/")
    assert not {"x-key", "authorization"} & there.headers_of("/api.json").keys()


@pytest.mark.parametrize("target", ["ftp://127.0.0.1/api.json", "file:///etc/hosts", "data:,x"])
def test_a_redirect_to_another_protocol_is_refused(target: str, site: Site) -> None:
    error = _error(site.put("/", "", 302, Location=target))
    assert error.code is Code.HTTP_STATUS


def test_redirects_in_a_circle_end(site: Site) -> None:
    assert _error(site.put("/a", "", 302, Location="/a")).code is Code.HTTP_STATUS


def test_a_reference_may_not_be_redirected_to_another_host(start: Callable[..., Site]) -> None:
    here, there = start(), start()
    target = there.put("/pet.json", {"type": "object"})
    here.put("/pet.json", "", 302, Location=target)
    url = here.put("/api.json", schema({"$ref": "pet.json"}))
    assert [d.code for d in check_spec(url).diagnostics][:1] == [Code.DANGLING_REFERENCE]
    assert there.requests == []
    allowed = check_spec(url, ReadOptions(allow_remote_refs=True))
    assert allowed.schemas["pet"] == {"type": "object"}


def test_a_failing_reference_is_fetched_once(site: Site) -> None:
    document = v3(components={"schemas": {n: {"$ref": "nope.json"} for n in "abc"}})
    spec = check_spec(site.put("/api.json", document), ReadOptions(wait_seconds=0))
    assert [d.code for d in spec.diagnostics].count(Code.DANGLING_REFERENCE) == 3
    assert [path for path, _ in site.requests].count("/nope.json") == 1


def test_secrets_do_not_go_to_the_hosts_of_references(start: Callable[..., Site]) -> None:
    here, there = start(), start()
    url = here.put("/api.json", schema({"$ref": there.put("/x.json", {"type": "string"})}))
    check_spec(url, ReadOptions(allow_remote_refs=True, headers={"X-Key": "k"}))
    assert "x-key" in here.headers_of("/api.json")
    assert "x-key" not in there.headers_of("/x.json")


def test_references_of_a_file_get_no_headers(site: Site, write: Write) -> None:
    path = write(schema({"$ref": site.put("/x.json", {"type": "string"})}))
    check_spec(path, ReadOptions(allow_remote_refs=True, headers={"X-Key": "k"}))
    assert "x-key" not in site.headers_of("/x.json")


def test_a_password_in_a_url_is_sent_but_never_shown(site: Site) -> None:
    site.put("/api.json", v3({"/a": {"get": 3}}))
    url = site.url.replace("http://", "http://joe:s3cr%40t@") + "/api.json"
    spec = check_spec(url)
    assert site.headers_of("/api.json")["authorization"] == "Basic am9lOnMzY3JAdA=="
    assert "s3cr" not in repr(spec)
    error = _error(url.replace("api", "nope"))
    assert "s3cr" not in error.message + str(error.place) + repr(error.__cause__)


def test_a_given_header_beats_the_password_of_the_url() -> None:
    options = ReadOptions(headers={"authorization": "Bearer t"})
    assert signed_in("http://a:b@h/x", options) == ("http://h/x", options)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("http://h/a", "http://h:80/b", True),
        ("http://h/a", "https://h/b", True),
        ("https://h/a", "http://h/b", False),
        ("http://h:8080/a", "http://h:8081/a", False),
        ("http://h/a", "http://h.evil/a", False),
        ("http://h:8080/a", "https://h:8443/a", False),
    ],
)
def test_same_host(one: str, other: str, same: bool) -> None:
    assert same_host(one, other) is same


def test_a_local_document_may_not_reach_the_web(site: Site, tmp_path: Path, write: Write) -> None:
    spec = check_spec(write(schema({"$ref": site.put("/x.json", {})})))
    assert [d.code for d in spec.diagnostics][:1] == [Code.REMOTE_REFERENCE]
    assert site.requests == []
