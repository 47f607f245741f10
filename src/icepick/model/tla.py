"""The model as a TLA+ module and a TLC configuration, readable and ready to run."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from icepick.model.check import check
from icepick.model.expressions import And, Exists, Expression, Not
from icepick.model.tla_effects import NextMaps
from icepick.model.tla_expressions import Text, branches
from icepick.model.tla_names import (
    Names,
    comment_lines,
    domain_text,
    field_domain_text,
    identifier,
    names_of,
)
from icepick.model.types import Action, Model, OneOf, Parameter, Resource

_HELPERS = {
    "EmptyMap": r"EmptyMap == [key \in {} |-> key]",
    "MapPut": r"""MapPut(map, new, value) ==
  [key \in DOMAIN map \cup {new} |-> IF key = new THEN value ELSE map[key]]""",
    "MapAdd": r"""MapAdd(map, new, value) ==
  [key \in DOMAIN map \cup {new} |-> IF key \in DOMAIN map THEN map[key] ELSE value]""",
    "Without": r"Without(map, keys) == [key \in DOMAIN map \ keys |-> map[key]]",
    "IsMap": r"""IsMap(keys, values, map) ==
  /\ DOMAIN map \subseteq keys
  /\ \A key \in DOMAIN map : map[key] \in values""",
}


@dataclass(frozen=True, slots=True)
class TlaText:
    """A module and its configuration, under the name that both files have to bear."""

    name: str
    module: str
    config: str


def tla_text(model: Model) -> TlaText:
    """The model in TLA+; a `ModelError` if it makes no sense."""
    check(model)
    names = names_of(model)
    text = Text(model, names)
    name = identifier(model.name)
    body = _body(model, text)
    sections = [
        f" MODULE {name} ".center(76, "-"),
        "EXTENDS Integers, FiniteSets",
        _declarations(names, body),
        _assumptions(model, names),
        "\n".join(text for helper, text in _HELPERS.items() if _mentions(body, helper)),
        body,
        "=" * 76,
    ]
    return TlaText(name, "\n\n".join(sections) + "\n", _config(model, names, body))


def _body(model: Model, text: Text) -> str:
    names = text.names
    sections = [
        _types(model, names),
        _terminal(model, text),
        _initial(names),
        _type_invariant(model, names),
        *(_invariant(i.name, i.condition, i.clause, text) for i in model.invariants),
        *(_action(action, text) for action in model.actions),
        _next(model, names),
    ]
    return "\n\n".join(sections)


def _mentions(body: str, name: str) -> bool:
    return re.search(rf"\b{name}\b", body) is not None


def _specials(body: str) -> list[str]:
    return [name for name in ("Null", "Dangling") if _mentions(body, name)]


def _declarations(names: Names, body: str) -> str:
    constants = [*names.ids.values(), *_specials(body)]
    variables = [*names.maps.values(), "final"]
    return (
        f"CONSTANTS {', '.join(constants)}\n"
        f"VARIABLES {', '.join(variables)}\n\n"
        f"vars == <<{', '.join(variables)}>>"
    )


def _assumptions(model: Model, names: Names) -> str:
    return "\n".join(
        f"ASSUME {names.ids[r.name]} # {{}} /\\ IsFiniteSet({names.ids[r.name]})"
        for r in model.resources
    )


def _types(model: Model, names: Names) -> str:
    return "\n".join(_type(resource, names) for resource in model.resources)


def _type(resource: Resource, names: Names) -> str:
    fields = [f"{f.name}: {field_domain_text(names, resource.name, f)}" for f in resource.fields]
    body = ", ".join(fields) or f"id: {names.ids[resource.name]}"
    return f"{names.types[resource.name]} == [{body}]"


def _terminal(model: Model, text: Text) -> str:
    if model.final is not None:
        return _definition("TS", _parts(model.final), text)
    lines = ["TS =="]
    lines += [
        f"  /\\ DOMAIN {text.names.maps[r.name]} = {text.names.ids[r.name]}"
        for r in model.resources
    ]
    return "\n".join(lines)


def _initial(names: Names) -> str:
    lines = [f"  /\\ {name} = EmptyMap" for name in names.maps.values()]
    return "\n".join(["Init ==", *lines, "  /\\ final = TS"])


def _type_invariant(model: Model, names: Names) -> str:
    lines = [
        f"  /\\ IsMap({names.ids[r.name]}, {names.types[r.name]}, {names.maps[r.name]})"
        for r in model.resources
    ]
    return "\n".join(["TypeInv ==", *lines, "  /\\ final \\in BOOLEAN"])


def _invariant(name: str, condition: Expression, clause: str | None, text: Text) -> str:
    definition = _definition(text.names.invariants[name], _parts(condition), text)
    return "\n".join([*comment_lines(clause, ""), definition])


def _parts(condition: Expression) -> tuple[Expression, ...]:
    return condition.parts if isinstance(condition, And) and condition.parts else (condition,)


def _definition(name: str, parts: Iterable[Expression], text: Text) -> str:
    lines = [f"{name} =="]
    for part in parts:
        lines += [f"  /\\ {conjunct}" for conjunct in text.conjuncts(part)]
        text = text.knowing(*text.facts(part))
    return "\n".join(lines)


def _action(action: Action, text: Text) -> str:
    names = text.names
    lines: list[str] = []
    for conjunct in action.guard:
        lines += comment_lines(conjunct.clause, "  ")
        lines += [f"  /\\ {part}" for part in _guard(conjunct.condition, text)]
        text = text.knowing(*text.facts(conjunct.condition), *_absence(conjunct.condition, text))
    maps = NextMaps(action, text)
    maps.write()
    lines += _effects(maps)
    unchanged = [name for resource, name in names.maps.items() if resource not in maps.maps]
    if unchanged:
        lines.append(f"  /\\ UNCHANGED <<{', '.join(unchanged)}>>")
    lines.append("  /\\ final' = TS'")
    parameters = [names.local(parameter.name) for parameter in action.parameters]
    head = names.actions[action.name] + (f"({', '.join(parameters)})" if parameters else "")
    title = comment_lines(f"Operation {action.operation}", "") if action.operation else []
    return "\n".join([*title, f"{head} ==", *lines])


def _guard(condition: Expression, text: Text) -> list[str]:
    if branches(condition):
        # TLC would count a transition once for each disjunct that holds.
        joined = " /\\ ".join(text.conjuncts(condition))
        return [f"({joined}) = TRUE"]
    return text.conjuncts(condition)


def _absence(condition: Expression, text: Text) -> list[str]:
    """A guard that says an instance is absent lets its creation be written plainly."""
    if isinstance(condition, Not) and isinstance(condition.part, Exists):
        return [text.condition(condition)]
    return []


def _effects(maps: NextMaps) -> list[str]:
    lines = [f"/\\ {condition}" for condition in dict.fromkeys(maps.conditions)]
    for resource, text in maps.maps.items():
        lines += maps.comments[resource]
        lines.append(f"/\\ {maps.text.names.maps[resource]}' = {text}")
    if not maps.definitions:
        return [f"  {line}" for line in lines]
    definitions = [f"{name} == {text}" for name, text in maps.definitions]
    return [
        f"  /\\ LET {definitions[0]}",
        *(f"         {definition}" for definition in definitions[1:]),
        f"     IN  {lines[0]}",
        *(f"         {line}" for line in lines[1:]),
    ]


def _next(model: Model, names: Names) -> str:
    lines = [f"  \\/ {_choice(action, names)}" for action in model.actions]
    return "\n".join(["Next ==", *lines, "", "Spec == Init /\\ [][Next]_vars"])


def _choice(action: Action, names: Names) -> str:
    name = names.actions[action.name]
    if not action.parameters:
        return name
    bounds = [f"{names.local(p.name)} \\in {_members(p, names)}" for p in action.parameters]
    arguments = ", ".join(names.local(p.name) for p in action.parameters)
    return f"\\E {', '.join(bounds)} : {name}({arguments})"


def _members(parameter: Parameter, names: Names) -> str:
    if isinstance(parameter.kind, OneOf):
        return domain_text(names, parameter.kind.domain)
    return f"(SUBSET {names.ids[parameter.kind.resource]}) \\ {{{{}}}}"


def _config(model: Model, names: Names, body: str) -> str:
    lines = ["INIT Init", "NEXT Next", "INVARIANTS", "  TypeInv"]
    lines += [f"  {name}" for name in names.invariants.values()]
    lines += ["CONSTANTS", *(f"  {name} = {name}" for name in _specials(body))]
    for resource in model.resources:
        values = ", ".join(identifier(resource.value_name(v)) for v in range(resource.size))
        lines.append(f"  {names.ids[resource.name]} = {{{values}}}")
    return "\n".join(lines) + "\n"
