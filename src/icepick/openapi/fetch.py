"""Bring the text of a document here: from a file or over HTTP, never more than a set size."""

from __future__ import annotations

import re
import urllib.parse
from pathlib import Path

from icepick.errors import Code, DocumentError, Place
from icepick.openapi.options import MEGABYTE, ReadOptions
from icepick.openapi.web import get, is_url

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_ENCODINGS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)


def fetch(location: str, options: ReadOptions, *, stay: bool = False) -> tuple[str, str]:
    """The text at a path or an http(s) URL, and where it was found after redirects.

    Every failure is a DocumentError. With `stay`, a redirect to another host is one.
    """
    if is_url(location):
        raw, found = get(location, options, stay=stay)
    else:
        raw, found = _read(Path(location), options), location
    _check_size(raw, found, options)
    return _decode(raw, found), found


def _read(path: Path, options: ReadOptions) -> bytes:
    name = str(path)
    try:
        if path.is_dir():
            raise DocumentError(
                Code.NOT_A_FILE,
                f"{name} is a directory, not a document",
                place=Place(name),
                hint=_candidates(path),
            )
        with path.open("rb") as file:
            raw = file.read(options.max_bytes + 1)
    except FileNotFoundError:
        raise DocumentError(
            Code.NOT_FOUND,
            f"there is no file {name}",
            place=Place(name),
            hint=_usual_forms(name),
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DocumentError(
            Code.UNREADABLE, f"cannot read {name}: {reason}", place=Place(name)
        ) from error
    return raw


def _usual_forms(name: str) -> str:
    if has_other_scheme(name):
        return "icepick reads files and http(s) URLs, no other kind of address"
    return "give the path or the http(s) URL of an OpenAPI document"


def _candidates(folder: Path) -> str:
    found = sorted(p.name for p in folder.iterdir() if p.suffix in {".json", ".yaml", ".yml"})
    if not found:
        return "name the OpenAPI document itself; this directory has no .json or .yaml file"
    return f"name the OpenAPI document itself, perhaps {folder / found[0]}"


def _check_size(raw: bytes, name: str, options: ReadOptions) -> None:
    if len(raw) > options.max_bytes:
        raise DocumentError(
            Code.TOO_LARGE,
            f"{name} is larger than {options.max_bytes / MEGABYTE:g} MB",
            place=Place(name),
            hint="raise the limit with --max-size, in megabytes, if you trust the document",
        )


def _decode(raw: bytes, name: str) -> str:
    encoding = _encoding(raw)
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise DocumentError(
            Code.SYNTAX,
            f"{name} is not text: byte {error.start} is not valid {encoding.removesuffix('-sig')}",
            place=Place(name, line=line),
            hint="save the document as UTF-8",
        ) from error


def _encoding(raw: bytes) -> str:
    """By its byte order mark, or else by the zero that UTF-16 puts beside the first character."""
    for mark, encoding in _ENCODINGS:
        if raw.startswith(mark):
            return encoding
    if raw[:1] == b"\x00" and raw[1:2] != b"\x00":
        return "utf-16-be"
    if raw[1:2] == b"\x00" and raw[:1] != b"\x00":
        return "utf-16-le"
    return "utf-8-sig"


def join(base: str, relative: str) -> str:
    """The location that a relative reference means, seen from the document at `base`."""
    if is_url(base) or is_url(relative):
        return urllib.parse.urljoin(base, relative)
    return str(Path(base).parent / urllib.parse.unquote(relative))


def has_other_scheme(location: str) -> bool:
    """Whether this is an address, but not one of http or https (`file:`, `ftp:`, `data:`)."""
    return not is_url(location) and _SCHEME.match(location) is not None
