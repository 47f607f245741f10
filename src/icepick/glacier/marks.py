"""How a document remembers which of its clauses inference wrote: by fingerprints beside them."""

from __future__ import annotations

from hashlib import sha256

from icepick.glacier.contracts import Role
from icepick.glacier.printer import print_formula
from icepick.glacier.tree import Formula

INFERRED = "inferred"
"""The key under `x-glacier` that holds the fingerprints of inferred clauses."""


def fingerprint(role: Role, formula: Formula) -> str:
    """A short name for a clause in its role that does not depend on how it is spelled."""
    canonical = print_formula(formula)
    return role.value[0] + sha256(canonical.encode()).hexdigest()[:8]
