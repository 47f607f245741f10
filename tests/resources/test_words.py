from __future__ import annotations

import pytest

from icepick.resources.words import is_generic, is_plural, noun, singular, title, words


@pytest.mark.parametrize("name", ["petIds", "pet_ids", "pet-ids", "PetIDs", "PET_IDS", "Pet IDs"])
def test_the_words_of_a_name_do_not_depend_on_how_they_are_joined(name: str) -> None:
    assert words(name) == ("pet", "ids")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("HTTPServer", ("http", "server")),
        ("parseJSONBody", ("parse", "json", "body")),
        ("userIDs", ("user", "ids")),
        ("imageURLsOld", ("image", "urls", "old")),
        ("address2", ("address", "2")),
        ("_links", ("links",)),
        ("@odata.count", ("odata", "count")),
        ("", ()),
        ("---", ()),
    ],
)
def test_acronyms_digits_and_signs(name: str, expected: tuple[str, ...]) -> None:
    assert words(name) == expected


@pytest.mark.parametrize(
    ("plural", "expected"),
    [
        ("orders", "order"),
        ("categories", "category"),
        ("addresses", "address"),
        ("people", "person"),
        ("boxes", "box"),
        ("launches", "launch"),
    ],
)
def test_plurals_have_a_singular(plural: str, expected: str) -> None:
    assert singular(plural) == expected
    assert is_plural(plural)


@pytest.mark.parametrize("word", ["news", "status", "series", "address", "bus", "analysis", "data"])
def test_words_that_only_look_like_plurals_stay(word: str) -> None:
    assert singular(word) == word
    assert not is_plural(word)


def test_a_noun_is_singular_in_its_last_word_only() -> None:
    assert noun("salesOrderLines") == ("sales", "order", "line")
    assert noun("") == ()


def test_a_title_joins_words_as_class_names_do() -> None:
    assert title(("order", "line")) == "OrderLine"


def test_generic_words_do_not_say_what_is_meant() -> None:
    assert is_generic(("id",))
    assert is_generic(("key", "name"))
    assert not is_generic(("order", "id"))
