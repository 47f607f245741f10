from __future__ import annotations

import pytest

from icepick.resources.types import Chooser, Identifier, ResourceMap
from tests.resources.conftest import Find
from tests.resources.documents import NUMBER, TEXT, Json, crud, many, obj, op, read_only, ref


def _only(found: ResourceMap) -> Identifier:
    """The identifier of the one resource that there is."""
    (resource,) = found.resources.values()
    assert resource.identifier is not None
    return resource.identifier


@pytest.mark.parametrize(
    ("parameter", "properties", "expected"),
    [
        ("id", ("name", "id"), ("id",)),
        ("bookId", ("title", "id"), ("id",)),
        ("book_id", ("title", "book_id"), ("book_id",)),
        ("book-id", ("title", "bookId"), ("bookId",)),
        ("id", ("title", "bookId"), ("bookId",)),
        ("isbn", ("title", "id", "isbn"), ("isbn",)),
        ("bookName", ("id", "name"), ("name",)),
        ("slug", ("id", "title", "slug"), ("slug",)),
        ("book", ("title", "code"), ("code",)),
        ("book", ("author", "name", "id"), ("id",)),
        ("$id", ("title", "id"), ("id",)),
        ("ID", ("title", "id"), ("id",)),
        ("whatever", ("title", "id"), ("id",)),
        ("whatever", ("title", "author"), None),
    ],
)
def test_the_property_that_the_parameter_means(
    find: Find, parameter: str, properties: tuple[str, ...], expected: tuple[str, ...] | None
) -> None:
    book = obj(**dict.fromkeys(properties, TEXT))
    found = _only(find(crud("/books", parameter, ref("Book")), Book=book))
    assert (found.parameter, found.property) == (parameter, expected)


def _described(parameter: str, text: str) -> Json:
    paths = crud("/books", parameter, ref("Book"))
    one = {"name": parameter, "in": "path", "required": True, "schema": TEXT, "description": text}
    paths[f"GET /books/{{{parameter}}}"]["parameters"].append(one)
    return paths


@pytest.mark.parametrize(
    ("described", "expected"),
    [
        ("Book name", "name"),
        ("The name of the book.", "name"),
        ("The book's unique code", "code"),
        ("Book id or name", "id"),
        ("The book", "id"),
        ("The slug of the book", "id"),
    ],
)
def test_a_description_says_which_property_is_meant(
    find: Find, described: str, expected: str
) -> None:
    book = obj(id=TEXT, name=TEXT, code=TEXT)
    paths = _described("book", described)
    assert _only(find(paths, Book=book)).property == (expected,)


def test_a_description_is_not_heard_where_the_name_is_clear(find: Find) -> None:
    found = _only(find(_described("bookId", "by name"), Book=obj(id=TEXT, name=TEXT)))
    assert found.property == ("id",)


def test_the_identifier_may_lie_deeper(find: Find) -> None:
    pod = obj(kind=TEXT, metadata=obj(name=TEXT, labels=TEXT), spec=obj(image=TEXT))
    found = _only(find(crud("/pods", "name", ref("Pod")), Pod=pod))
    assert found.property == ("metadata", "name")


def test_an_identifier_inside_another_thing_is_not_its_own(find: Find) -> None:
    book = obj(title=TEXT, author=obj(id=NUMBER))
    assert _only(find(crud("/books", "id", ref("Book")), Book=book)).property is None


@pytest.mark.parametrize(
    "old", [{**TEXT, "deprecated": True}, {**TEXT, "description": "Deprecated. Use bookId."}]
)
def test_a_deprecated_property_gives_way(find: Find, old: Json) -> None:
    book = obj(id=old, bookId=TEXT, title=TEXT)
    assert _only(find(crud("/books", "id", ref("Book")), Book=book)).property == ("bookId",)


BOOK = obj(id=NUMBER, title=TEXT)
NEW = obj(title=TEXT)


def test_the_server_chooses_what_creation_does_not_take(find: Find) -> None:
    found = _only(find(crud("/books", "id", ref("Book"), ref("New")), Book=BOOK, New=NEW))
    assert (found.chooser, found.input) == (Chooser.SERVER, None)


def test_the_server_chooses_what_is_read_only(find: Find) -> None:
    book = obj(id=read_only(NUMBER), title=TEXT)
    assert _only(find(crud("/books", "id", ref("Book")), Book=book)).chooser is Chooser.SERVER


def test_the_client_chooses_what_creation_requires(find: Find) -> None:
    book = obj("id", id=NUMBER, title=TEXT)
    found = _only(find(crud("/books", "id", ref("Book")), Book=book))
    assert found.chooser is Chooser.CLIENT
    assert found.input is not None
    assert str(found.input) == "id"


def test_either_may_choose_what_creation_may_take(find: Find) -> None:
    assert _only(find(crud("/books", "id", ref("Book")), Book=BOOK)).chooser is Chooser.EITHER


@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_the_client_chooses_in_the_path(find: Find, method: str) -> None:
    operations = {
        "GET /books": op(gives=many(ref("Book"))),
        "GET /books/{isbn}": op(gives=ref("Book")),
        f"{method} /books/{{isbn}}": op(ref("New"), ref("Book"), "201"),
    }
    found = _only(find(operations, Book=obj(isbn=TEXT, title=TEXT), New=NEW))
    assert (found.chooser, found.property) == (Chooser.CLIENT, ("isbn",))
    assert found.input is not None
    assert found.input.location.value == "path"


def test_the_client_chooses_in_the_query(find: Find) -> None:
    operations = {
        "POST /shelves": op(gives=ref("Shelf"), status="201", query=["shelf", "size"]),
        "GET /shelves/{shelf}": op(gives=ref("Shelf")),
    }
    found = _only(find(operations, Shelf=obj(name=TEXT)))
    assert (found.chooser, found.property) == (Chooser.CLIENT, ("name",))


def test_the_server_tells_its_choice_in_a_header(find: Find) -> None:
    operations = {
        "POST /books": op(ref("Book"), status="201", headers=["Location"]),
        "GET /books/{id}": op(gives=ref("Book")),
    }
    assert _only(find(operations, Book=BOOK)).chooser is Chooser.EITHER
    assert _only(find(operations, Book=NEW)).chooser is Chooser.SERVER


def test_the_server_tells_its_choice_as_a_bare_number(find: Find) -> None:
    operations = {
        "POST /books": op(ref("Book"), NUMBER, "201"),
        "GET /books/{id}": op(gives=ref("Book")),
    }
    assert _only(find(operations, Book=BOOK)).chooser is Chooser.SERVER


def test_the_identifier_is_found_in_an_envelope(find: Find) -> None:
    operations = {
        "POST /books": op(obj(data=ref("New")), obj(data=ref("Book")), "201"),
        "GET /books/{id}": op(gives=obj(data=ref("Book"))),
    }
    found = find(operations, Book=BOOK, New=NEW)
    assert _only(found).property == ("id",)
    (created,) = [use for use in found.resources["Book"].uses if use.creates]
    assert created.response is not None
    assert created.response.path == ("data",)


def test_a_list_inside_the_owner_shows_the_identifier(find: Find) -> None:
    operations = {
        **crud("/books", "isbn", ref("Book")),
        "POST /books/{isbn}/notes": op(obj(text=TEXT)),
        "DELETE /books/{isbn}/notes/{noteId}": op(),
    }
    found = find(operations, Book=obj(isbn=TEXT, notes=many(obj(id=NUMBER, text=TEXT))))
    note = found.resources["Note"].identifier
    assert note is not None
    assert (note.property, note.chooser) == (("id",), Chooser.SERVER)


def test_a_creation_that_may_not_find_what_it_is_given_makes_identifiers_itself(
    find: Find,
) -> None:
    sent = obj("title", id=TEXT, title=TEXT)
    paths = crud("/books", "bookId", ref("Book"), sent)
    assert _only(find(paths, Book=obj(id=TEXT, title=TEXT))).chooser is Chooser.EITHER
    paths["POST /books"]["responses"]["404"] = {"description": "No author has that id."}
    assert _only(find(paths, Book=obj(id=TEXT, title=TEXT))).chooser is Chooser.EITHER
    paths["POST /books"]["responses"]["404"] = {"description": "No book has that id."}
    assert _only(find(paths, Book=obj(id=TEXT, title=TEXT))).chooser is Chooser.SERVER


def test_a_name_in_the_path_of_another_is_that_of_the_other(find: Find) -> None:
    paths = {
        **crud("/users", "name", ref("User"), obj("names", names=many(TEXT))),
        **crud("/groups", "name", ref("Group")),
        "POST /groups/{name}/users": op(obj("names", names=many(TEXT)), ref("Group")),
    }
    found = find(paths, User=obj(name=TEXT, admin=TEXT), Group=obj(name=TEXT, size=NUMBER))
    user = found.resources["User"].identifier
    assert user is not None
    assert (user.property, user.chooser) == (("name",), Chooser.SERVER)
