"""The mistakes in protocols that are common enough to be known by sight."""

from __future__ import annotations

import re


def slip(text: str, offset: int, expected: set[str]) -> str | None:
    """What was most likely meant where a protocol cannot be read on."""
    here = text[offset:]
    if "STATUS" in expected:
        return "a response is a code or a class of codes: ?C201(...) or ?C4XX(...)"
    if "ASSERTION" in expected and here.startswith("<"):
        return "an assertion ends with `>` and a full stop: <assertion> . how it goes on"
    if "DOT" in expected and re.match(r"[!?&+]|\w", here):
        return "a full stop leads from one message to the next: !call(...) . ?C200(...) . end"
    if "DOT" in expected and here[:1] in {",", "}", ")"}:
        return "say how it goes on: `. end` where the protocol is over here"
    if "OPERATION" in expected:
        return "a call is written !operationId(arguments), with () where there are none"
    if here.startswith(";"):
        return "definitions need nothing between them, and messages are joined by full stops"
    if re.match(r"(?:[Rr]ec|[Ee]nd|END|REC|mu|μ)\b", here):
        return "the words of the language are `rec`, `end` and `include`"
    return None
