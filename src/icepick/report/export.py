"""Findings as a file of tests for pytest that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files

from icepick.execute.types import Finding
from icepick.report.script import Service, lines_of_test

_HEAD = '''\
"""Faults that icepick found, as tests: each fails while its fault is there.

The environment says where the service is, and how to be let in:
    ICEPICK_URL    its address, with the path below which it lies; else that of the run
    ICEPICK_AUTH   a header with credentials, such as "Authorization: Bearer TOKEN"
Ids that the service chooses are taken from its answers. Ids that were chosen for it are those of
the run, so start with a service that does not hold them; what a test made, it deletes again.
"""

import hashlib
import json
import os
from http.client import HTTPConnection, HTTPSConnection
from urllib.parse import quote, unquote, urlsplit

import pytest  # noqa: F401
'''


def export_tests(findings: Iterable[Finding], url: str, labels: Iterable[str] = ()) -> str:
    """The text of the file.

    `url` is where the service was when the findings were made, `labels` are those of its
    operations, such as `DELETE /players/{pid}`: from them a test knows how to remove what it
    made, and what the names in a clause stand for.
    """
    service = Service(url, tuple(labels))
    support = files("icepick.report").joinpath("exported.txt").read_text(encoding="utf-8")
    address = (
        f'URL = os.environ.get("ICEPICK_URL", {url!r}).rstrip("/")\n'
        'SECRET = os.environ.get("ICEPICK_AUTH", "")\n'
        'AUTH = [tuple(SECRET.split(": ", 1))] if SECRET else []\n'
    )
    tests = ["\n".join(lines_of_test(finding, service)) + "\n" for finding in findings]
    return "\n\n".join([f"{_HEAD}\n{address}", support, *tests])
