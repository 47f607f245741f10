"""Names: what they stand for, and variables that hide others or are never used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from icepick.errors import Code
from icepick.glacier.contracts import Role
from icepick.glacier.static.api import Setting
from icepick.glacier.static.findings import Findings
from icepick.glacier.static.names import nearest
from icepick.glacier.static.places import variable_offset
from icepick.glacier.tree import Formula, Gathered, Name, Node, Quantifier, Range, children


@dataclass(frozen=True, slots=True)
class _Binding:
    """A variable and the range that binds it, told apart from others of the same name."""

    name: str
    range: Range
    number: int


class _Names:
    """One walk over a formula."""

    def __init__(self) -> None:
        self.bindings: list[_Binding] = []
        self.hidden: list[tuple[_Binding, _Binding]] = []
        self.used: set[int] = set()
        self.free: list[tuple[Name, tuple[str, ...]]] = []

    def walk(self, node: Node, scope: Mapping[str, _Binding]) -> None:
        if isinstance(node, Quantifier):
            self._ranges(node.ranges, (node.body,), scope)
        elif isinstance(node, Gathered):
            inside = (node.item,) if node.condition is None else (node.condition, node.item)
            self._ranges(node.ranges, inside, scope)
        elif isinstance(node, Name):
            self._name(node, scope)
        else:
            for child in children(node):
                self.walk(child, scope)

    def _name(self, node: Name, scope: Mapping[str, _Binding]) -> None:
        if node.name in scope:
            self.used.add(scope[node.name].number)
        else:
            self.free.append((node, tuple(scope)))

    def _ranges(
        self, ranges: tuple[Range, ...], inside: tuple[Node, ...], scope: Mapping[str, _Binding]
    ) -> None:
        if not ranges:
            for node in inside:
                self.walk(node, scope)
            return
        first, *others = ranges
        self.walk(first.collection, scope)
        inner = dict(scope)
        for name in first.names:
            binding = _Binding(name, first, len(self.bindings))
            self.bindings.append(binding)
            if name in scope:
                self.hidden.append((binding, scope[name]))
            inner[name] = binding
        self._ranges(tuple(others), inside, inner)


def check_variables(formula: Formula, setting: Setting, findings: Findings) -> None:
    """Report unknown names, and variables that hide others or are never used."""
    names = _Names()
    names.walk(formula, {})
    unknown = [use for use in names.free if use[0].name not in setting.path and setting.is_known]
    for node, scope in unknown:
        _report_unknown(node, scope, setting, findings)
    _report_hidden(names, setting, findings)
    if not unknown:  # a misspelt name leaves its variable unused, and one report is enough
        _report_unused(names, findings)


def _report_unknown(
    node: Name, scope: tuple[str, ...], setting: Setting, findings: Findings
) -> None:
    near = nearest(node.name, [*scope, *setting.path])
    message = f"`{node.name}` is neither a variable nor a path parameter here"
    if setting.role is Role.INVARIANT:
        message = f"`{node.name}` is not a variable here, and an invariant has no path parameters"
    hint = f"did you mean `{near}`?" if near else f"bind it: for {node.name} in collection :- ..."
    findings.error(Code.UNKNOWN_VARIABLE, message, node, hint)


def _report_hidden(names: _Names, setting: Setting, findings: Findings) -> None:
    outer = {inner.number for inner, _ in names.hidden}
    for binding in names.bindings:
        at = variable_offset(findings.text, binding.range, binding.name)
        hint = "choose another name for it"
        if binding.number in outer:
            message = f"the variable `{binding.name}` hides an outer one of the same name"
            findings.note(Code.HIDDEN_NAME, message, at, hint)
        elif binding.name in setting.path:
            message = f"the variable `{binding.name}` hides the path parameter of the same name"
            findings.note(Code.HIDDEN_NAME, message, at, hint)


def _report_unused(names: _Names, findings: Findings) -> None:
    for binding in names.bindings:
        if binding.number not in names.used:
            at = variable_offset(findings.text, binding.range, binding.name)
            message = f"the variable `{binding.name}` is never used"
            hint = "use it in the body, or leave the quantifier out"
            findings.note(Code.UNUSED_VARIABLE, message, at, hint)
