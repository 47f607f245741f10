"""The life-cycle model of a service: its types, its check, its JSON and its TLA+ text."""

from icepick.model.check import check
from icepick.model.codec import from_json, to_json
from icepick.model.references import absent, exists, unreferenced
from icepick.model.tla import TlaText, tla_text
from icepick.model.types import (
    Action,
    Conjunct,
    Field,
    Invariant,
    Model,
    Parameter,
    Resource,
)

__all__ = [
    "Action",
    "Conjunct",
    "Field",
    "Invariant",
    "Model",
    "Parameter",
    "Resource",
    "TlaText",
    "absent",
    "check",
    "exists",
    "from_json",
    "tla_text",
    "to_json",
    "unreferenced",
]
