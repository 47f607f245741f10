"""Parts of a clause that do not exist at the moment when it is checked."""

from __future__ import annotations

from icepick.errors import Code
from icepick.glacier.contracts import Role
from icepick.glacier.static.findings import Findings
from icepick.glacier.tree import Formula, Node, Part, Prev, Read, children, walk

_ANSWER = {Part.RES_CODE, Part.RES_BODY, Part.RES_HEADER}


def check_placement(formula: Formula, role: Role, findings: Findings) -> None:
    """Report what has no meaning in the role of the clause, or inside `prev`."""
    for node in walk(formula):
        if isinstance(node, Read) and node.request is None:
            _exchange(node, role, findings)
        elif isinstance(node, Prev):
            _prev(node, role, findings)
    if role is Role.ENSURES:
        _answers_before(formula, findings, before=False)


def _exchange(node: Read, role: Role, findings: Findings) -> None:
    shown = findings.shown(node)
    if role is Role.REQUIRES and node.part in _ANSWER:
        message = f"`{shown}` does not exist yet where `requires` is checked: before the call"
        findings.error(Code.MISPLACED_PART, message, node, "move the clause to `ensures`")
    elif role is Role.INVARIANT:
        message = f"`{shown}` is a part of one call, and an invariant belongs to none"
        hint = "say it with a GET, or move the clause to the `ensures` of an operation"
        findings.warning(Code.MISPLACED_PART, message, node, hint)


def _prev(node: Prev, role: Role, findings: Findings) -> None:
    if role is Role.REQUIRES:
        message = "`prev` is the state before the call, and so is everything in `requires`"
        findings.error(Code.MISPLACED_PART, message, node, "leave `prev` out")
    elif role is Role.INVARIANT:
        message = "`prev` needs a call, and an invariant belongs to none"
        hint = "move the clause to the `ensures` of an operation"
        findings.warning(Code.MISPLACED_PART, message, node, hint)
    elif not _depends_on_state(node):
        shown = findings.shown(node.operand)
        message = f"`{shown}` does not depend on the state, so `prev` changes nothing"
        findings.warning(Code.POINTLESS_PREV, message, node, "leave `prev` out")


def _depends_on_state(node: Prev) -> bool:
    """Whether a GET is asked inside; the answer of this call has a report of its own."""
    reads = [inner for inner in walk(node) if isinstance(inner, Read)]
    return any(read.request is not None or read.part in _ANSWER for read in reads)


def _answers_before(node: Node, findings: Findings, *, before: bool) -> None:
    if isinstance(node, Read) and node.request is None and node.part in _ANSWER and before:
        message = f"`{findings.shown(node)}` does not exist before the call, where `prev` looks"
        findings.error(Code.MISPLACED_PART, message, node, "take it out of `prev`")
    for child in children(node):
        _answers_before(child, findings, before=before or isinstance(node, Prev))
