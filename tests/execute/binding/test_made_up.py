"""What never was has the form of what is."""

from __future__ import annotations

import re
from random import Random

import pytest

from icepick.execute.binding.made_up import never_was


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/pets/7", r"/pets/\d{9}"),
        ("/pets/a3B-x", r"/pets/[a-z]\d[A-Z]-[a-z]"),
        ("/files/a%20b.txt", r"/files/[a-z]%20[a-z]\.[a-z]{3}"),
        (
            "/pets/6f1c2d3e-0000-4000-8000-0123456789ab",
            r"/pets/[0-9a-f]{8}(-[0-9a-f]{4}){3}-\w{12}",
        ),
    ],
)
def test_the_form_stays(path: str, form: str) -> None:
    found = never_was(path, Random(1))
    assert re.fullmatch(form, found)
    assert found != path
