"""How one call names instances: what it sends, what it is answered, what its path says."""

from __future__ import annotations

from icepick.glacier.inference.keys import Key, key_of
from icepick.glacier.inference.views import Views, own_keys
from icepick.openapi.places import blank, holes
from icepick.openapi.shape import Schemas, properties
from icepick.resources.identifiers import shown_at
from icepick.resources.types import (
    Chooser,
    Location,
    Payload,
    Reference,
    Resource,
    ResourceMap,
    Use,
)


class Naming:
    """The names of instances in one operation, in its role for one resource."""

    def __init__(
        self, schemas: Schemas, resources: ResourceMap, views: Views, resource: Resource, use: Use
    ) -> None:
        self.schemas = schemas
        self.resources = resources.resources
        self.views = views
        self.resource = resource
        self.use = use
        self.operation = views.operation(use)
        self.own = own_keys(self.operation)

    def is_representation(self, shown: Payload) -> bool:
        """Whether a body has enough in common with the resource to be compared with it."""
        own = set(properties(self.resource.schema, self.schemas))
        theirs = set(properties(shown.schema, self.schemas))
        return bool(theirs) and len(own & theirs) * 2 >= len(theirs)

    def keys_sent(self) -> dict[str, Key] | None:
        """The keys of what is created, where the client chooses them."""
        identifier = self.resource.identifier
        if identifier is None:
            return None
        if identifier.parameter in self.own:
            return self.own
        if identifier.input is None or identifier.chooser is Chooser.SERVER:
            return None
        if identifier.input.location is Location.PATH:
            return None  # another creation takes it there
        key = key_of(identifier.input.location, identifier.input.path)
        beside = self._beside("req_body", self.use.request)
        return {**self.own, **beside, identifier.parameter: key} if key else None

    def keys_answered(self) -> dict[str, Key] | None:
        """The keys of what was created, where the answer shows them."""
        identifier, shown = self.resource.identifier, self.use.response
        if identifier is None or identifier.property is None or shown is None or shown.many:
            return None
        where = shown_at(identifier, properties(shown.schema, self.schemas))
        if where is None:
            return None
        key = Key.of_call("res_body", (*shown.path, *where))
        return {**self.own, **self._beside("res_body", shown), identifier.parameter: key}

    def keys_addressed(self) -> dict[str, Key] | None:
        """The keys of the instance that a call is about: in the path, else in the body."""
        identifier, sent = self.resource.identifier, self.use.request
        if identifier is None or identifier.parameter in self.own:
            return self.own
        if identifier.property is None or sent is None or sent.many:
            return None
        key = Key.of_call("req_body", (*sent.path, *identifier.property))
        return {**self.own, **self._beside("req_body", sent), identifier.parameter: key}

    def _beside(self, part: str, body: Payload | None) -> dict[str, Key]:
        """The other parts of a key, where a body has them under the names of the path."""
        if body is None or not self.resource.is_keyed:
            return {}
        known = properties(body.schema, self.schemas)
        return {
            name: Key.of_call(part, (*body.path, name))
            for name in holes(self.resource.item_path or "")
            if name in known and name not in self.own
        }

    def key_sent(self, reference: Reference) -> Key | None:
        """A reference as this call sends it; None where it does not."""
        given = reference.field
        if given.is_many:
            return None
        start = self.use.request.path if self.use.request else ()
        path = (*start, *given.path) if given.location is Location.BODY else given.path
        if not self._takes(given.location, path):
            return None
        return key_of(given.location, path)

    def _takes(self, location: Location, path: tuple[str, ...]) -> bool:
        return any(
            taken.location is location and taken.path == path
            for taken in self.views.inputs(self.operation)
        )

    def keys_of(self, target: Resource, key: Key | None = None) -> dict[str, Key] | None:
        """The keys that name an instance of another resource in this call."""
        if target.item_path is None or target.identifier is None:
            return None
        found: dict[str, Key] = {}
        above = self._above(target.item_path)
        for name in holes(target.item_path):
            if name == target.identifier.parameter and key is not None:
                found[name] = key
            elif name in above:
                found[name] = above[name]
            elif name in self.own:
                found[name] = self.own[name]
            elif (elsewhere := self._ancestor_key(name)) is not None:
                found[name] = elsewhere
            else:
                return None
        return found

    def _above(self, item_path: str) -> dict[str, Key]:
        """The keys in the own path that stand where another path has its own, if it begins so.

        `/buckets/{id}` is above `/buckets/{bucket_id}/groups/{id}`, whatever they are called.
        """
        own = self.operation.path
        start = own.split("/")[: len(item_path.split("/"))]
        if blank("/".join(start)) != blank(item_path):
            return {}
        pairs = zip(holes(item_path), holes(own), strict=False)
        return {theirs: self.own[ours] for theirs, ours in pairs if ours in self.own}

    def _ancestor_key(self, parameter: str) -> Key | None:
        """The key of something above a resource, where the same call refers to it."""
        for reference in self.resource.references:
            above = self.resources[reference.target].identifier
            if reference.writable and above is not None and above.parameter == parameter:
                return self.key_sent(reference)
        return None
