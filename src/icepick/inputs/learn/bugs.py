"""Messages of crashes, reduced to what tells one crash from another."""

from __future__ import annotations

import re

from icepick.inputs.learn.messages import parsed_body, texts
from icepick.openapi.types import Json

_FRAMES = (
    re.compile(r'^\s*File "[^"]*?([^"/\\]+)", line \d+, in (\S+)'),
    re.compile(r"^\s*at ([\w.$<>/]+)\([^)]*\)"),
    re.compile(r"^\s*at (?:async )?([\w.$<>\[\] ]+?) \([^)]*\)"),
    re.compile(r"^\s*at ([\w.]+\(.*?\)) in \S+"),
    re.compile(r"^\s*(?:from )?\S*?([\w-]+\.(?:rb|php|go|py)):\d+(?::in [`']([^']+)')?"),
)
_NOISE = (
    re.compile(r"\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?"),
    re.compile(r"(?i)\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b"),
    re.compile(r"\b0x[0-9a-fA-F]+\b"),
    re.compile(r"@[0-9a-f]{5,}\b"),
    re.compile(r"-?\b\d+(?:\.\d+)?\b"),
    # What a message ends in after a colon, where it is no word: a value that was sent at some time.
    re.compile(r"(?<=[^\W\d]: )[^\s:]*\d[^\s:]*$"),
)
_LINES = 3
_SHORT = 300
_GENERIC = re.compile(
    r"(?i)\W*(?:error|internal server error|500|server error|something went wrong"
    r"|an? (?:unexpected |internal )?error (?:has )?occurred)?\W*"
)
_ANY_CRASH = re.compile(
    r"(?i)\binternal (?:server )?error|\bunexpected\b|\bunhandled\b|\bunknown error|\bwent wrong"
    r"|\btry again|\bcontact\b|\byour request\b|\bthe request\b|\bexception\b.*\boccurred"
    r"|\berror (?:has )?occurred|\bbeen (?:informed|notified|logged|reported)"
)
_RULE = re.compile(
    r"(?i)(\bconstraint failed|\bconstraint(?! failed))(?::\s.*|\s+[\"'`\w][\w.\"'`]*)$"
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_FEWEST = 3
"""So many words it takes to say something."""


def crash_texts(body: Json, content_type: str) -> tuple[str, ...]:
    """What a crash says, each text by itself; frames of a stack trace without lines and files."""
    parsed = parsed_body(body, content_type)
    if isinstance(parsed, str) and _is_trace(parsed):
        return (normalised(parsed),)
    found = [normalised(text) for text in texts(parsed, content_type)]
    return tuple(dict.fromkeys(text for text in found if not _GENERIC.fullmatch(text)))


def telling(texts: tuple[str, ...]) -> str:
    """The words of a crash that say what it comes from; empty where any crash would say so.

    Whose constraint a database holds against a call is not part of it.
    """
    found = [_RULE.sub(r"\1", text) for text in texts if not _ANY_CRASH.search(text)]
    return max((one for one in found if len(_WORD.findall(one)) >= _FEWEST), key=len, default="")


def normalised(text: str) -> str:
    """A message without what differs from one time to the next."""
    lines = [line for line in text.splitlines() if line.strip()]
    if _is_trace(text):
        frames = [frame for line in lines if (frame := _frame(line))]
        said = [line.strip() for line in lines if _frame(line) is None and not _is_source(line)]
        said = [line for line in said if not line.startswith("Traceback")]
        text = " ".join([*said[:1], *said[-1:][: len(said) - 1], "in", *frames[-_LINES:]])
    for pattern in _NOISE:
        text = pattern.sub("?", text)
    return " ".join(text.split())[:_SHORT]


def _is_trace(text: str) -> bool:
    return sum(_frame(line) is not None for line in text.splitlines()[:80]) >= 1 and "\n" in text


def _frame(line: str) -> str | None:
    for pattern in _FRAMES:
        match = pattern.match(line)
        if match is not None:
            return ":".join(group for group in match.groups() if group)
    return None


def _is_source(line: str) -> bool:
    return line.startswith("    ") or line.lstrip().startswith("^")
