"""Names that TLA+ accepts and that do not get in one another's way."""

from __future__ import annotations

import re
from dataclasses import dataclass

import inflection

from icepick.model.references import can_dangle
from icepick.model.types import Choice, Domain, Field, Flag, Model, Numbers, Reference

_RESERVED = """
    ASSUME ASSUMPTION AXIOM BOOLEAN CASE CHOOSE CONSTANT CONSTANTS DOMAIN ELSE ENABLED
    EXCEPT EXTENDS FALSE IF IN INSTANCE LAMBDA LET LOCAL MODULE OTHER RECURSIVE STRING
    SUBSET THEN THEOREM TRUE UNCHANGED UNION VARIABLE VARIABLES WITH Int Nat Cardinality
    IsFiniteSet EmptyMap MapPut MapAdd Without IsMap Init Next TypeInv TS vars final key map
    keys value values Null Dangling new
"""


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a model's parts in its TLA+ text, by their names in the model."""

    maps: dict[str, str]
    ids: dict[str, str]
    types: dict[str, str]
    actions: dict[str, str]
    invariants: dict[str, str]
    taken: frozenset[str]
    dangling: frozenset[tuple[str, str]]

    def local(self, name: str) -> str:
        """A parameter or variable."""
        return unused(identifier(name), self.taken)


def names_of(model: Model) -> Names:
    """Names for everything in the model, each used once."""
    taken = set(_RESERVED.split())
    plain = {r.name: identifier(r.name) for r in model.resources}
    values = [r.value_name(v) for r in model.resources for v in range(r.size)]
    taken.update(identifier(value) for value in values)
    return Names(
        maps={name: _take(taken, _plural(text)) for name, text in plain.items()},
        ids={name: _take(taken, f"{text}ID") for name, text in plain.items()},
        types={name: _take(taken, f"{text}Type") for name, text in plain.items()},
        actions={a.name: _take(taken, identifier(a.name)) for a in model.actions},
        invariants={i.name: _take(taken, identifier(i.name)) for i in model.invariants},
        taken=frozenset(taken),
        dangling=can_dangle(model),
    )


def identifier(text: str) -> str:
    """Letters, digits and underscores, with a letter first."""
    plain = re.sub(r"[^A-Za-z0-9_]", "_", text)
    return plain if re.match(r"[A-Za-z]", plain) else f"x{plain}"


def unused(name: str, taken: frozenset[str] | set[str]) -> str:
    """The name, lengthened until nothing else has it."""
    while name in taken:
        name += "_"
    return name


def _take(taken: set[str], name: str) -> str:
    name = unused(name, taken)
    taken.add(name)
    return name


def _plural(text: str) -> str:
    plural = inflection.pluralize(text)
    return plural[0].lower() + plural[1:]


def domain_text(names: Names, domain: Domain) -> str:
    """The set of a domain's values."""
    if isinstance(domain, Reference):
        return names.ids[domain.resource]
    if isinstance(domain, Numbers):
        return f"{number_text(domain.low)}..{number_text(domain.high)}"
    if isinstance(domain, Choice):
        return "{" + ", ".join(map(string_text, domain.values)) + "}"
    return "BOOLEAN"


def field_domain_text(names: Names, resource: str, field: Field) -> str:
    """What a field may hold, null and dangling included where they are possible."""
    specials = special_values(names, resource, field)
    text = domain_text(names, field.domain)
    if not specials:
        return text
    plain = isinstance(field.domain, Reference | Flag)
    return f"{text if plain else f'({text})'} \\cup {{{', '.join(specials)}}}"


def special_values(names: Names, resource: str, field: Field) -> list[str]:
    """What a field may hold beside the values of its domain."""
    specials = ["Null"] if field.optional else []
    return specials + (["Dangling"] if (resource, field.name) in names.dangling else [])


def number_text(value: int) -> str:
    """An integer; a negative one in parentheses, since minus is an operator."""
    return str(value) if value >= 0 else f"(-{-value})"


def string_text(text: str) -> str:
    """A string constant."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def comment_lines(clause: str | None, indent: str) -> list[str]:
    """A contract clause as comment; TLA+ text is ASCII."""
    if clause is None:
        return []
    ascii_text = clause.encode("ascii", "backslashreplace").decode()
    safe = ascii_text.replace("(*", "( *").replace("*)", "* )")
    return [f"{indent}\\* {line.strip()}" for line in safe.splitlines() if line.strip()]
