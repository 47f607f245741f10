"""The errors of documents that are too much to bear."""

from __future__ import annotations

from icepick.errors import Code, DocumentError, Place
from icepick.openapi.options import ReadOptions


def too_many(name: str, options: ReadOptions) -> DocumentError:
    """The document has more values than icepick takes."""
    return DocumentError(
        Code.TOO_LARGE,
        f"{name} holds more than {options.max_nodes:,} values",
        place=Place(name),
        hint="no API needs that; is it really an OpenAPI document?",
    )


def too_deep(name: str, options: ReadOptions) -> DocumentError:
    """The document is nested deeper than icepick goes."""
    return DocumentError(
        Code.TOO_DEEP,
        f"{name} is nested more than {options.max_depth} levels deep",
        place=Place(name),
        hint="no API needs that; is it really an OpenAPI document?",
    )
