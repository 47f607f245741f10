"""Documents that commands extend: read once more as text, and written only where they belong."""

from __future__ import annotations

from pathlib import Path

from icepick.errors import Code, IcepickError, Place, UsageError
from icepick.openapi import ReadOptions
from icepick.openapi.fetch import fetch
from icepick.openapi.source import Source
from icepick.openapi.syntax import parse


def read_source(location: str, options: ReadOptions) -> Source:
    """A document as text with its content."""
    text, found = fetch(location, options)
    return parse(text, found, options)


def earlier_version(output: Path, source: Source, *, force: bool) -> Source | None:
    """What stands where the document is to be written: an earlier version of it, or nothing.

    Anything else is not overwritten, unless by force.
    """
    if not output.exists() or force:
        return None
    try:
        earlier = read_source(str(output), ReadOptions())
    except IcepickError:
        earlier = None
    if earlier is None or _title(earlier) is None or _title(earlier) != _title(source):
        raise UsageError(
            Code.ANOTHER_DOCUMENT,
            f"{output} exists and is not an earlier version of this document",
            place=Place(str(output)),
            hint="choose another file, or replace it with --force",
        )
    return earlier


def _title(source: Source) -> object:
    content = source.content
    if not isinstance(content, dict) or not {"openapi", "swagger"} & content.keys():
        return None
    info = content.get("info")
    return (info.get("title") or "") if isinstance(info, dict) else ""
