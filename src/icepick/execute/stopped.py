"""Requests that worked and stopped working: some call in between broke the service.

The call that shows it is no reproduction on a service that was just started, so a finding has to
say that, and what may have brought it about.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from icepick.execute.judging.inspect import SERVER_ERROR
from icepick.execute.types import Exchange, Finding, Request
from icepick.openapi.types import Operation

_MOST_REQUESTS = 10_000
_NAMED = 10
_OFTEN = 2
"""So often in a row a request must fail that was answered well before."""


@dataclass(slots=True)
class _Story:
    """The last good answer to a request, when it came, and the server errors since."""

    status: int
    at: int
    failures: int = 0
    between: tuple[str, ...] = ()


class Stopped:
    """Remembers what was answered well, of requests about the service as a whole: what is said of
    one instance, or creates one, may well be answered otherwise the second time."""

    def __init__(self, operations: Iterable[Operation] = ()) -> None:
        known = list(operations)
        self._labels = {one.id: one.label for one in known if not one.is_safe}
        whole = (one for one in known if "{" not in one.path)
        self._whole = {one.id for one in whole if one.method not in {"POST", "DELETE"}}
        self._stories: dict[Request, _Story] = {}
        self._seen = 0
        self._changed: dict[str, int] = {}
        """When each operation changed something last, the latest last."""

    def see(self, exchange: Exchange) -> None:
        """Take in a request and its answer."""
        self._seen += 1
        status, name = exchange.status or 0, exchange.operation or ""
        good = 200 <= status < 300
        if name in self._whole and (good or status >= 500):
            self._tell(exchange.request, status, good=good)
        if good and name in self._labels:
            self._changed.pop(name, None)
            self._changed[name] = self._seen

    def _tell(self, request: Request, status: int, *, good: bool) -> None:
        story = self._stories.get(request)
        if good and (story is not None or len(self._stories) < _MOST_REQUESTS):
            self._stories[request] = _Story(status, self._seen)
        elif story is not None and not good:
            story.failures += 1
            if story.failures == 1:
                later = (name for name, at in self._changed.items() if at > story.at)
                story.between = tuple(later)

    def told(self, finding: Finding) -> Finding:
        """A finding that says so where its request worked before, and has not since."""
        shown = finding.steps[-1].exchange if finding.steps else None
        story = self._stories.get(shown.request) if shown is not None else None
        if finding.complaint.check != SERVER_ERROR or story is None or story.failures < _OFTEN:
            return finding
        others = [self._labels[one] for one in reversed(story.between) if one != finding.operation]
        if not others:
            return finding
        happened = f"{finding.complaint.happened}; {_words(story, others)}"
        complaint = replace(finding.complaint, happened=happened)
        return replace(
            finding, title=f"{finding.title} to what it took before", complaint=complaint
        )


def _words(story: _Story, others: list[str]) -> str:
    more = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
    return (
        f"the same request was answered {story.status} before, and may well be by a service that "
        f"was just started. What changed something in between, the latest first: "
        f"{', '.join(others[:_NAMED])}{more}"
    )
