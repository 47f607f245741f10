"""Values for requests: generated, fresh, by named strategies, and written as text and bytes."""

from icepick.inputs.bodies import Body, File, body_bytes
from icepick.inputs.case import Case, CaseMaker, Slot, SlotHints, Values, Wire, wire
from icepick.inputs.fresh import Fresh
from icepick.inputs.generate import Generator
from icepick.inputs.hints import with_hints
from icepick.inputs.pool import Responses, sources_of
from icepick.inputs.serialise import cookie_text, header_texts, path_text, query_text
from icepick.inputs.strategies import Drawer, Known, Leaf, input_space, strategies_for
from icepick.inputs.types import (
    Drawn,
    Fixed,
    FromResponse,
    Given,
    Hint,
    Hints,
    Made,
    NotMade,
    Null,
    Optionals,
    Options,
    RequiredIf,
    Result,
    Strategy,
    Why,
)
from icepick.openapi.types import ABSENT, Absent

__all__ = [
    "ABSENT",
    "Absent",
    "Body",
    "Case",
    "CaseMaker",
    "Drawer",
    "Drawn",
    "File",
    "Fixed",
    "Fresh",
    "FromResponse",
    "Generator",
    "Given",
    "Hint",
    "Hints",
    "Known",
    "Leaf",
    "Made",
    "NotMade",
    "Null",
    "Optionals",
    "Options",
    "RequiredIf",
    "Responses",
    "Result",
    "Slot",
    "SlotHints",
    "Strategy",
    "Values",
    "Why",
    "Wire",
    "body_bytes",
    "cookie_text",
    "header_texts",
    "input_space",
    "path_text",
    "query_text",
    "sources_of",
    "strategies_for",
    "wire",
    "with_hints",
]
