from __future__ import annotations

import pytest

from icepick.resources.find import find_resources
from icepick.resources.keys import is_identified, key_in, named_by
from tests.resources.conftest import Read
from tests.resources.documents import TEXT, crud, obj, op, ref


@pytest.mark.parametrize(
    ("path", "hole", "key"),
    [
        ("/books/isbn/{isbn}", "isbn", ("Book", "isbn")),
        ("/books/isbn/{isbn}/lend", "isbn", ("Book", "isbn")),
        ("/books/{isbn}/latest", "isbn", ("Book", "isbn")),
        ("/by-title/{book_title}", "book_title", ("Book", "title")),
        ("/by-title/{shelf_title}", "shelf_title", None),
        ("/shelves/a/b/{isbn}", "isbn", None),
        ("/books/id/{id}", "id", None),
    ],
)
def test_a_path_may_name_a_thing_by_a_property(
    read: Read, path: str, hole: str, key: tuple[str, str] | None
) -> None:
    operations = {**crud("/books", "id", ref("Book")), f"GET {path}": op()}
    spec = read(operations, Book=obj(id=TEXT, isbn=TEXT, title=TEXT))
    resources = find_resources(spec).resources
    found = key_in(path, hole, [resources["Book"]], spec.schemas)
    assert found == key


def test_the_place_of_an_identifier_may_have_another_property(read: Read) -> None:
    spec = read(crud("/books", "id", ref("Book")), Book=obj(id=TEXT, isbn=TEXT))
    book = find_resources(spec).resources["Book"]
    assert is_identified("/books/{book_id}/lend", "book_id", book, spec.schemas)
    assert not is_identified("/books/{isbn}/latest", "isbn", book, spec.schemas)


@pytest.mark.parametrize(
    ("name", "resource"),
    [
        ("book_id", "Book"),
        ("bookId", "Book"),
        ("book_isbn", None),
        ("id", None),
        ("reader_id", None),
    ],
)
def test_a_parameter_may_name_a_thing(read: Read, name: str, resource: str | None) -> None:
    spec = read(crud("/books", "id", ref("Book")), Book=obj(id=TEXT, isbn=TEXT))
    assert named_by(name, find_resources(spec).resources.values()) == resource
