"""Compare a text with the file that holds what it should be.

`ICEPICK_GOLDEN=write make test` writes the files anew; look at the difference before committing.
"""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).parent


def assert_golden(name: str, text: str) -> None:
    """Fail where the text differs from the file of that name below this folder."""
    file = FOLDER / name
    if os.environ.get("ICEPICK_GOLDEN") == "write":
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text
