"""The resources of real documents, against lists written by hand."""

from __future__ import annotations

import sys

import pytest

from icepick.openapi import read_spec
from icepick.resources.find import find_resources
from tests.resources.measure import (
    KINDS,
    Agreement,
    Facts,
    Listing,
    agreement,
    differences,
    found_facts,
    heading,
    listed_facts,
    listings,
    row,
)

NONE = Agreement(0, 0, 0)


def _facts(listing: Listing) -> tuple[Facts, Facts]:
    return listed_facts(listing), found_facts(find_resources(read_spec(str(listing.document))))


def _table(chosen: list[Listing]) -> dict[str, Agreement]:
    """Print the agreement of each document, and give that of all."""
    total = dict.fromkeys(KINDS, NONE)
    lines = ["", heading()]
    for listing in chosen:
        listed, found = _facts(listing)
        own = {kind: agreement(listed, found, kind) for kind in KINDS}
        total = {kind: total[kind] + own[kind] for kind in KINDS}
        lines.append(row(listing.name, own.values()))
        lines += [f"    {line}" for line in differences(listed, found)]
    sys.stdout.write("\n".join([*lines, row("total", total.values()), ""]))
    return total


def _assert_good(total: dict[str, Agreement]) -> None:
    for kind, found in total.items():
        assert found.precision >= 0.9, kind
        assert found.recall >= 0.8, kind


def test_demo_services_agree_with_their_lists() -> None:
    chosen = [listing for listing in listings() if listing.name.startswith("demo-")]
    assert len(chosen) == 4
    _assert_good(_table(chosen))


def test_all_documents_agree_with_their_lists() -> None:
    chosen = [listing for listing in listings() if listing.document.exists()]
    if len(chosen) < len(listings()):
        pytest.skip("the documents are not beside the repository")
    _assert_good(_table(chosen))


@pytest.mark.parametrize("name", ["catwatch", "languagetool", "rest-ncs", "rest-scs"])
def test_nothing_is_invented_where_nothing_is_kept(name: str) -> None:
    listing = next(listing for listing in listings() if listing.name == name)
    if not listing.document.exists():
        pytest.skip("the documents are not beside the repository")
    assert find_resources(read_spec(str(listing.document))).resources == {}


def test_every_document_beside_the_repository_has_a_list() -> None:
    listed = {listing.document for listing in listings()}
    folder = next(document.parent for document in listed if document.parent.name == "oas")
    if not folder.exists():
        pytest.skip("the documents are not beside the repository")
    assert {path.name for path in folder.iterdir()} <= {document.name for document in listed}
