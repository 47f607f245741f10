"""How surely a field holds the identifier of a resource: by its name, or by what is said of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from icepick.openapi.shape import Schemas, keyword, properties
from icepick.resources.identifiers import WRAPPERS, compatible
from icepick.resources.types import Field, Identifier, Resource
from icepick.resources.words import ATTRIBUTES, ID_WORDS, Words, is_generic, noun, singular, words

_DESCRIBED = re.compile(
    r"\b(id|identifier|key|name)s? of (?:the |an? |each )?(\w+(?: [\w']+){0,3})", re.IGNORECASE
)
_AFTER_A_NOUN = re.compile(
    r"an?|and|as|associated|at|belonging|being|by|created|for|from|has|if|in|is|it|may|must|of|on|or"
    r"|owning|should|th(at|e|is)|to|under|used|using|was|whe(n|re)|wh(ich|o|ose)|will|with(in)?"
)
"""What may follow a noun that has ended: in "the id of the flow run" it has not after "flow"."""


def described_words(field: Field, schemas: Schemas) -> Iterator[str]:
    """The words that may name a resource in what is said of a field."""
    for match in _told(field, schemas):
        yield from (singular(word.lower()) for word in match.group(2).split())


def _told(field: Field, schemas: Schemas) -> list[re.Match[str]]:
    description = keyword(field.schema, "description", schemas)
    return [*_DESCRIBED.finditer(description)] if isinstance(description, str) else []


def can_hold(field: Field, identifier: Identifier, schemas: Schemas) -> bool:
    """Whether a field can hold such identifiers: a choice of constants or an address cannot."""
    if keyword(field.schema, "enum", schemas):
        return False
    if keyword(field.schema, "format", schemas) in {"uri", "url", "uri-reference", "iri"}:
        return False
    return compatible(field.schema, identifier.schema, schemas)


def fit(field: Field, resource: Resource, target: Resource, schemas: Schemas) -> tuple[float, str]:
    """How surely a field of `resource` holds the identifier of `target`, and why."""
    identifier = target.identifier
    if identifier is None or field.path[0] in {"_links", "links"}:
        return 0.0, ""
    called, what = words(field.name), noun_of(target)
    if target.schema_name is not None and target.schema_name in field.shows:
        held = can_hold(field, identifier, schemas)
        return (0.96, f"shows a whole {target.name} in its place") if held else (0.0, "")
    score, reason = _named(called, what, target)
    own = target is resource and len([part for part in field.path if part != "[]"]) == 1
    if score == 0.0 and own and _one(called) == ("parent", "id"):
        score, reason = 0.6, "the usual name of a reference to one's own kind"
    if score > 0.0 and _means_another(called, what, target, schemas):
        return 0.0, ""
    if score == 0.0 and target is not resource:
        score, reason = _described(field, what, identifier, schemas)
    if score == 0.0 or not can_hold(field, identifier, schemas):
        return 0.0, ""
    deeper = 0.03 * max(0, len([part for part in field.path if part != "[]"]) - 1)
    # A resource does not refer to itself by its own name; that field is its identifier or text.
    outer = set(field.path[:-1]) <= WRAPPERS and called in (what, (*what, "name"), (*what, "id"))
    self_named = target is resource and outer
    near = 0.02 if target.name == resource.parent else 0.0
    return (0.0, "") if self_named else (score - deeper + near, reason)


def noun_of(target: Resource) -> Words:
    """What the paths of a resource call it."""
    path = target.collection_path or target.item_path or ""
    fixed = [part for part in path.split("/") if part and "{" not in part]
    return noun(fixed[-1]) if fixed else words(target.name)


def _named(called: Words, what: Words, target: Resource) -> tuple[float, str]:
    identifier = target.identifier
    if identifier is None or not called:
        return 0.0, ""
    one = _one(called)
    names = _identifier_names(identifier)
    telling = [name for name in names if not is_generic(name)]
    if one in telling:
        return 0.95, f"named like the identifier of {target.name}"
    if any(one[-len(name) :] == name for name in telling):
        return 0.8, f"ends in the identifier of {target.name}"
    ids = {word for name in names for word in name if word in ID_WORDS} | {"id", "uuid", "ref"}
    if len(one) > len(what) and one[:-1] == what and one[-1] in ids:
        return 0.92, f"names {target.name} and its identifier"
    if len(one) > len(what) + 1 and one[-len(what) - 1 : -1] == what and one[-1] in ids:
        return 0.85, f"ends in {target.name} and its identifier"
    return _called_like(one, what, target)


def _called_like(one: Words, what: Words, target: Resource) -> tuple[float, str]:
    if is_generic(what) or what[-1] in ATTRIBUTES:
        return 0.0, ""  # a plain `status` is a word, whatever resources there are
    if one == what:
        return 0.75, f"called like {target.name}"
    if len(one) > len(what) and one[-len(what) :] == what:
        return 0.6, f"ends in the name of {target.name}"
    return 0.0, ""


def _one(called: Words) -> Words:
    return (*called[:-1], singular(called[-1])) if called else ()


def _described(
    field: Field, what: Words, identifier: Identifier, schemas: Schemas
) -> tuple[float, str]:
    """What the description says: that a name is that of a thing tells nothing where things are
    known by their ids."""
    known = {word for name in _identifier_names(identifier) for word in name}
    for match in _told(field, schemas):
        said = match.group(1).lower()
        if said in {"key", "name"} and said not in known:
            continue
        told = [word.lower() for word in match.group(2).split()]
        called, rest = told[: len(what)], told[len(what) :]
        if noun(" ".join(called)) == what and (not rest or _AFTER_A_NOUN.fullmatch(rest[0])):
            return 0.58, f"described as the {said} of {' '.join(called)}"
    return 0.0, ""


def _means_another(called: Words, what: Words, target: Resource, schemas: Schemas) -> bool:
    """`pool_id` where pools are known by their name and have an id beside it."""
    one, identifier = _one(called), target.identifier
    if identifier is None or len(one) <= len(what) or one[-len(what) - 1 : -1] != what:
        return False
    names = {name[-1] for name in _identifier_names(identifier) if name}
    return one[-1] not in names and one[-1] in properties(target.schema, schemas)


def _identifier_names(identifier: Identifier) -> set[Words]:
    """What an identifier is called, in paths and in answers."""
    found = {words(identifier.parameter)}
    return found | ({words(identifier.property[-1])} if identifier.property else set())
