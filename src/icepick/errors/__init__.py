"""What can go wrong, told so that a person can act on it.

    IcepickError
    ├── UsageError      ICP0xx  the command line or the configuration
    ├── DocumentError   ICP1xx  the OpenAPI document cannot be used at all
    ├── ContractError   ICP3xx  a contract cannot be read
    ├── ModelError      ICP4xx  a model makes no sense
    ├── ExploreError    ICP5xx  a model cannot be explored as asked
    ├── ExecuteError    ICP6xx  a run cannot begin, or its journal cannot be read
    └── ProtocolError   ICP7xx  a protocol cannot be read

A `Diagnostic` (ICP2xx) is a defect inside a document that could still be read.
"""

from icepick.errors.codes import Code
from icepick.errors.diagnostic import Diagnostic, Severity
from icepick.errors.place import Place, place_in
from icepick.errors.tree import (
    ContractError,
    DocumentError,
    ExecuteError,
    ExploreError,
    IcepickError,
    ModelError,
    ProtocolError,
    UsageError,
)

__all__ = [
    "Code",
    "ContractError",
    "Diagnostic",
    "DocumentError",
    "ExecuteError",
    "ExploreError",
    "IcepickError",
    "ModelError",
    "Place",
    "ProtocolError",
    "Severity",
    "UsageError",
    "place_in",
]
