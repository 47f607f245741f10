"""Properties by which paths name things that are known by another identifier elsewhere."""

from __future__ import annotations

from collections.abc import Iterable

from icepick.openapi.shape import Schemas, properties
from icepick.resources.paths import place_of
from icepick.resources.reference_fit import noun_of
from icepick.resources.types import Resource
from icepick.resources.words import words

Key = tuple[str, str]
"""A resource, and the property that tells which of them is meant."""


def key_in(path: str, hole: str, known: Iterable[Resource], schemas: Schemas) -> Key | None:
    """Whose property a parameter of a path is, where it is no identifier.

    `/books/isbn/{isbn}` and `/books/{isbn}/latest` name books, as `{book_title}` does anywhere.
    """
    resources = [one for one in known if one.identifier is not None and one.item_path]
    for one in resources:
        beside = f"{(one.item_path or '').rpartition('/')[0]}/"
        before = path[: path.index(f"{{{hole}}}")]
        found = _property(one, hole, schemas)
        near = before == beside or before.removeprefix(beside).count("/") == 1
        if found is not None and before.startswith(beside) and near:
            return one.name, found
    for one in resources:
        what, called = noun_of(one), words(hole)
        found = _property(one, "_".join(called[len(what) :]), schemas)
        if called[: len(what)] == what and found is not None:
            return one.name, found
    return None


def named_by(name: str, known: Iterable[Resource]) -> str | None:
    """The resource whose identifier a parameter outside a path is: `flow_run_id`."""
    called = words(name)
    for one in known:
        what, identifier = noun_of(one), one.identifier
        if identifier is None or one.item_path is None or not what:
            continue
        own = {words(identifier.parameter)[-1:], words((identifier.property or ("",))[-1])[-1:]}
        if called[: len(what)] == what and called[len(what) :] in own:
            return one.name
    return None


def is_identified(path: str, hole: str, resource: Resource, schemas: Schemas) -> bool:
    """Whether a parameter at the place of an identifier is one, and not another property."""
    at_its_place = place_of(resource.item_path or "", path) == hole
    return at_its_place and _property(resource, hole, schemas) is None


def _property(resource: Resource, name: str, schemas: Schemas) -> str | None:
    """The property of that name, unless it is the identifier itself."""
    identifier, wanted = resource.identifier, words(name)
    if identifier is None or words(identifier.parameter) == wanted:
        return None
    own = identifier.property[-1] if identifier.property else None
    for one in properties(resource.schema, schemas):
        if one != own and words(one) == wanted:
            return one
    return None
