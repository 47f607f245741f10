"""GLACIER, the contract language: formulas on one exchange and on what GETs answer around it."""

from icepick.glacier.compile import Compiled, compile_formula
from icepick.glacier.contracts import Clause, Contracts, OperationContract, Provenance, Role
from icepick.glacier.environment import Answer, Environment, MemoryEnvironment, Sent
from icepick.glacier.evaluate import Check, Outcome, Trial, Truth, evaluate, prepare, truth_of
from icepick.glacier.load import Loaded, contracts_of, load_contracts
from icepick.glacier.needs import needed_after, needed_before
from icepick.glacier.parser import parse_formula
from icepick.glacier.printer import print_formula
from icepick.glacier.tree import Expression, Formula
from icepick.openapi.types import ABSENT

__all__ = [
    "ABSENT",
    "Answer",
    "Check",
    "Clause",
    "Compiled",
    "Contracts",
    "Environment",
    "Expression",
    "Formula",
    "Loaded",
    "MemoryEnvironment",
    "OperationContract",
    "Outcome",
    "Provenance",
    "Role",
    "Sent",
    "Trial",
    "Truth",
    "compile_formula",
    "contracts_of",
    "evaluate",
    "load_contracts",
    "needed_after",
    "needed_before",
    "parse_formula",
    "prepare",
    "print_formula",
    "truth_of",
]
