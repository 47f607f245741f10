from __future__ import annotations

import os
from pathlib import Path

import pytest

from icepick.errors import Code, DocumentError
from icepick.openapi import ReadOptions, read_spec
from icepick.openapi.fetch import fetch, has_other_scheme, join
from icepick.openapi.options import MEGABYTE
from tests.openapi.building import v3
from tests.openapi.conftest import Write


def _error(location: str, **options: float) -> DocumentError:
    with pytest.raises(DocumentError) as caught:
        fetch(location, ReadOptions(**options))  # type: ignore[arg-type]
    return caught.value


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    error = _error(str(tmp_path / "nope.json"))
    assert error.code is Code.NOT_FOUND
    assert "nope.json" in error.message


def test_a_directory_suggests_a_document_inside(write: Write, tmp_path: Path) -> None:
    write("{}", "b.yaml")
    error = _error(str(tmp_path))
    assert error.code is Code.NOT_A_FILE
    assert error.hint is not None
    assert "b.yaml" in error.hint


def test_a_directory_without_documents_says_so(tmp_path: Path) -> None:
    hint = _error(str(tmp_path)).hint
    assert hint is not None
    assert "no .json or .yaml" in hint


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(write: Write) -> None:
    path = write("{}")
    Path(path).chmod(0)
    assert _error(path).code is Code.UNREADABLE


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000])
def test_a_name_that_no_file_can_have(name: str) -> None:
    assert _error(name).code is Code.UNREADABLE


@pytest.mark.parametrize("location", ["file:///etc/hosts", "ftp://127.0.0.1/x.json"])
def test_other_protocols_are_never_spoken(location: str) -> None:
    error = _error(location)
    assert error.code is Code.NOT_FOUND
    assert error.hint is not None
    assert "http(s)" in error.hint


def test_the_limit_is_exact(write: Write) -> None:
    path = write(b"a" * 100)
    assert fetch(path, ReadOptions(max_bytes=100))[0] == "a" * 100
    assert _error(path, max_bytes=99).code is Code.TOO_LARGE


def test_an_endless_file_is_read_up_to_the_limit_only() -> None:
    assert _error("/dev/zero", max_bytes=MEGABYTE).code is Code.TOO_LARGE


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
)
def test_encodings(encoding: str, write: Write) -> None:
    text = '{"title": "Käse 🧀"}'
    assert fetch(write(text.encode(encoding)), ReadOptions())[0] == text


def test_garbage_is_not_text(write: Write) -> None:
    error = _error(write(b"{}\n\x93\xff\xfe\xfd"))
    assert error.code is Code.SYNTAX
    assert error.place is not None
    assert error.place.line == 2


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_line_ends_of_every_system(end: str, write: Write) -> None:
    lines = ["openapi: 3.0.0", "info: {title: t, version: '1'}", "paths:", "  /a:", "    get: 3"]
    spec = read_spec(write(end.join(lines).encode(), "api.yaml"))
    assert spec.left_out == ("GET /a",)
    assert spec.diagnostics[0].place.line == 5


@pytest.mark.parametrize(
    ("base", "relative", "meant"),
    [
        ("a/api.json", "b.json", "a/b.json"),
        ("a/api.json", "b%20c.json", "a/b c.json"),
        ("http://h/a/api.json", "../b.json", "http://h/b.json"),
        ("http://h/a/api.json", "http://g/b.json", "http://g/b.json"),
        ("api.json", "http://g/b.json", "http://g/b.json"),
        ("http://h/a/api.json", "file:///etc/hosts", "file:///etc/hosts"),
    ],
)
def test_join(base: str, relative: str, meant: str) -> None:
    assert join(base, relative) == meant


def test_schemes() -> None:
    assert has_other_scheme("file:///x")
    assert has_other_scheme("data:text/plain,x")
    assert not has_other_scheme("HTTP://x")
    assert not has_other_scheme("C:\\api.json")
    assert not has_other_scheme("x/y.json")


def test_a_sound_document(write: Write) -> None:
    assert read_spec(write(v3())).operation("get_pets").label == "GET /pets"
