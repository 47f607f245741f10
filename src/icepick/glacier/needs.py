"""Which GETs a set of clauses needs, so that whoever can send them knows in time.

Both functions go as far as the answers at hand lead: a caller that fetches what is listed and asks
again, until nothing new is listed, has everything.
"""

from __future__ import annotations

from collections.abc import Iterable

from icepick.glacier.code import Code, Context
from icepick.glacier.comparison import distinct
from icepick.glacier.environment import Answer, Around, Environment
from icepick.glacier.evaluate import Check


def needed_before(checks: Iterable[Check], env: Environment) -> list[str]:
    """The paths that must be read before the call, for `prev`.

    It is asked before the call, when `env.get` still answers with the earlier state. What depends
    on the response cannot be known yet; a collection that is read after the call is taken as it is
    now.
    """
    found: dict[str, None] = {}
    for check in checks:
        if check.compiled.code.before:
            context = Context(_Before(env), check.compiled.slots)
            _visit(check.compiled.code, context, found)
    return list(found)


def needed_after(checks: Iterable[Check], env: Environment) -> list[str]:
    """The paths that evaluation asks for now, in order."""
    found: dict[str, None] = {}
    for check in checks:
        context = Context(env, check.compiled.slots)
        check.compiled.code.run(context)
        found.update(dict.fromkeys(context.now))
    return list(found)


class _Before(Around):
    """An environment as it is before the call: now is the earlier state, and no answer is here."""

    @property
    def answer(self) -> Answer | None:
        return None

    def get_before(self, path: str) -> Answer | None:
        return self.get(path)


def _visit(code: Code, context: Context, found: dict[str, None]) -> None:
    """Every part that is read before the call, whatever the truth of the parts around it."""
    if not code.before:
        return
    if code.slots:
        _visit_choices(code, context, found)
        return
    for part in code.parts:
        _visit(part, context, found)
    path = code.path(context) if code.path is not None and code.earlier else None
    if isinstance(path, str):
        found[path] = None


def _visit_choices(code: Code, context: Context, found: dict[str, None]) -> None:
    collection, body = code.parts
    _visit(collection, context, found)
    if not body.before:
        return
    elements = collection.run(context)
    for choice in distinct(elements, len(code.slots)) if isinstance(elements, list) else ():
        for slot, element in zip(code.slots, choice, strict=True):
            context.variables[slot] = element
        _visit(body, context, found)
