"""The texts of an answer that say what was wrong."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

from icepick.inputs.learn.frameworks import structured
from icepick.inputs.learn.types import Complaint
from icepick.openapi.nested import leaves
from icepick.openapi.types import Json

_MANY = 60
_LONG = 2_000
_VISITED = 2_000
_SAYS_NOTHING = re.compile(
    r"(?i)^(@?timestamp|time|date|status|status_?code|code|path|uri|url|href|instance|type|method"
    r"|trace_?id|span_?id|request_?id|correlation_?id|documentation_?url|help|version|level|stack)$"
)
_OPAQUE = re.compile(
    r"(?i)\s*(\d{4}-\d\d-\d\d([T ][\d:.,]+\s*(Z|[+-]\d\d:?\d\d)?)?|[a-z][a-z0-9+.-]*://\S*|/\S*"
    r"|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\d\s.,:_-]*)\s*"
)


def complaints(body: Json, content_type: str) -> tuple[Complaint, ...]:
    """What an answer complains about: by field where its form is known, else text by text."""
    parsed = parsed_body(body, content_type)
    found = structured(parsed)
    if found:
        return found[:_MANY]
    return tuple(Complaint(text) for text in texts(parsed, content_type))


def parsed_body(body: Json, content_type: str) -> Json:
    """A body as JSON where it says, or looks as if, it were; else as it is."""
    if not isinstance(body, str):
        return body
    if "json" not in content_type.lower() and not body.lstrip().startswith(("{", "[")):
        return body
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return body


def texts(body: Json, content_type: str = "application/json") -> tuple[str, ...]:
    """Every text of a body but times, status codes, paths and what else says nothing."""
    if isinstance(body, str):
        found = _plain(body, content_type)
    else:
        said = leaves(body, _VISITED)
        found = [
            one for name, one in said if isinstance(one, str) and not _SAYS_NOTHING.match(name)
        ]
    kept = (text.strip()[:_LONG] for text in found if not _OPAQUE.fullmatch(text[:_LONG]))
    return tuple(dict.fromkeys(text for text in kept if text))[:_MANY]


def _plain(body: str, content_type: str) -> list[str]:
    if "html" in content_type.lower() or body.lstrip()[:1] == "<":
        reader = _Visible()
        reader.feed(body[:200_000])
        reader.close()
        return reader.found
    return body.splitlines()


class _Visible(HTMLParser):
    """Collects what a page shows."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Hide what is between these."""
        del attrs
        self._hidden += tag in {"script", "style", "head"}

    def handle_endtag(self, tag: str) -> None:
        """Show again."""
        self._hidden -= self._hidden > 0 and tag in {"script", "style", "head"}

    def handle_data(self, data: str) -> None:
        """Keep what can be seen."""
        if not self._hidden and data.strip():
            self.found.append(" ".join(data.split()))
