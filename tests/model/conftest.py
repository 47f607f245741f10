from __future__ import annotations

from tests.resources.conftest import read

__all__ = ["read"]
