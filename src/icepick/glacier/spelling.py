"""The words of the language: every spelling that is read, and what it stands for."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType

from icepick.glacier.tree import CompareOp, Function, Part

PARTS: Mapping[str, Part] = MappingProxyType(
    {
        "res_code": Part.RES_CODE,
        "response_code": Part.RES_CODE,
        "res_body": Part.RES_BODY,
        "response_body": Part.RES_BODY,
        "req_body": Part.REQ_BODY,
        "request_body": Part.REQ_BODY,
        "header": Part.RES_HEADER,
        "res_header": Part.RES_HEADER,
        "response_header": Part.RES_HEADER,
        "req_header": Part.REQ_HEADER,
        "request_header": Part.REQ_HEADER,
        "path_param": Part.PATH_PARAM,
        "query_param": Part.QUERY_PARAM,
    }
)

FUNCTIONS: Mapping[str, Function] = MappingProxyType(
    {"length": Function.LEN} | {function.value: function for function in Function}
)

PREV = frozenset({"prev", "previous"})
STRICT = "strict"
LENGTHS = frozenset({"len", "length"})
"""The functions that are written as a suffix without parentheses."""

TRUE = ("true", "T", "True", "TRUE")
FALSE = ("false", "F", "False", "FALSE")
NULL = ("null", "nil", "none", "None")
RESERVED = frozenset({"for", "exists", "in", "this", *TRUE, *FALSE, *NULL})

COMPARISONS: Mapping[str, CompareOp] = MappingProxyType(
    {"==": CompareOp.EQ, "≠": CompareOp.NE, "≤": CompareOp.LE, "≥": CompareOp.GE}
    | {op.value: op for op in CompareOp}
)


def nearest(word: str) -> str | None:
    """The function that a misspelt word most likely means."""
    known = [*PARTS, *FUNCTIONS, *sorted(PREV), STRICT]
    found = get_close_matches(word.lower(), known, n=1, cutoff=0.7)
    return found[0] if found else None
