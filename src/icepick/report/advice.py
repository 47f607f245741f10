"""What most likely stands in the way of a run that got nowhere, and what to do about it."""

from __future__ import annotations

from collections import Counter

from icepick.report.types import RunRecord

_FEW = 0.2
_MOST = 0.6
_SIGN_IN = "sign-in"


def advice(record: RunRecord) -> tuple[str, ...]:
    """What is the matter and what to do, where hardly any operation gave a 2xx and nearly all say
    the same, or credentials were good for nothing in the middle; else nothing."""
    locked = next((note.text for note in record.notes if note.kind == _SIGN_IN), None)
    if locked is not None:
        return locked, "what locks the caller out is left out by --exclude-path"
    tried = [one for one in record.operations if one.statuses]
    good = sum(one.succeeded for one in tried)
    if not tried or good > _FEW * len(tried):
        return ()
    said = Counter(max(one.statuses, key=one.statuses.__getitem__) for one in tried)
    status, times = said.most_common(1)[0]
    if times < _MOST * len(tried):
        return ()
    what = f"{times} of {len(tried)} operations mostly answer {status}"
    if status in {401, 403, 407}:
        return what, "credentials: --header, --token, --auth, --api-key or --login"
    if status in {404, 405} and not good:
        return what, f"is {record.url} where the paths of the document begin?"
    if status == 429:
        return what, "--rate-limit asks less often"
    return (what, "is the service whole?") if status >= 500 and not good else ()
