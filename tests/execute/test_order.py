"""In which order every operation is called once."""

from __future__ import annotations

from icepick.execute.chains.order import once_each
from icepick.resources.find import find_resources
from tests.resources.conftest import Read, read
from tests.resources.documents import TEXT, crud, obj, op, ref

__all__ = ["read"]


def test_what_is_changed_may_be_lost_for_what_lies_below_it(read: Read) -> None:
    operations = {
        **crud("/shelves", "shelfId", ref("Shelf")),
        "GET /shelves/{shelfId}/size": op(gives=obj(size=TEXT)),
        **crud("/shelves/{shelfId}/books", "bookId", ref("Book")),
    }
    for label, operation in operations.items():
        operation["operationId"] = label
    spec = read(operations, Shelf=obj(id=TEXT, label=TEXT), Book=obj(id=TEXT, title=TEXT))
    found = once_each(spec, find_resources(spec))
    assert sorted(found) == sorted(operations)
    methods = [name.partition(" ")[0] for name in found]
    assert methods.index("PUT") > max(
        index for index, method in enumerate(methods) if method in {"GET", "POST"}
    )
    assert methods[-2:] == ["DELETE", "DELETE"]
