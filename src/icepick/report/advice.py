"""What most likely stands in the way of a run that got nowhere, and what to do about it."""

from __future__ import annotations

from collections import Counter

from icepick.report.types import RunRecord

_FEW = 0.2
_MOST = 0.6


def advice(record: RunRecord) -> str | None:
    """A hint where hardly any operation gave a 2xx and nearly all say the same; else None."""
    tried = [one for one in record.operations if one.statuses]
    good = sum(one.succeeded for one in tried)
    if not tried or good > _FEW * len(tried):
        return None
    said = Counter(max(one.statuses, key=lambda status: one.statuses[status]) for one in tried)
    status, times = said.most_common(1)[0]
    if times < _MOST * len(tried):
        return None
    if status in {401, 403, 407}:
        how = "--header, --token, --auth or --login give credentials"
        return f"{times} of {len(tried)} operations mostly answer {status}: {how}"
    if status in {404, 405} and not good:
        return f"nothing is found at {record.url}: is the path of --url the one of the document?"
    if status == 429:
        return f"{times} operations mostly answer 429: --rate-limit asks less often"
    if status >= 500 and not good:
        return f"{times} of {len(tried)} operations mostly answer {status}: is the service whole?"
    return None
