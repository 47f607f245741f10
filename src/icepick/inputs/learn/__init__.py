"""Learning what a service takes from what it says when it refuses, and how it breaks."""

from icepick.inputs.learn.clauses import LearnedClause, requires
from icepick.inputs.learn.codec import from_json, to_json
from icepick.inputs.learn.exceptional import Exceptional, Oddity, OddityKind
from icepick.inputs.learn.explain import explain
from icepick.inputs.learn.hinted import slot_hints
from icepick.inputs.learn.learner import Effort, OperationLearner
from icepick.inputs.learn.mutate import Mistake, Mutation
from icepick.inputs.learn.overlay import overlay
from icepick.inputs.learn.schedule import Schedule, Turn, identity_of, needs, order
from icepick.inputs.learn.space import References, Setting, needed_of, references_of
from icepick.inputs.learn.types import (
    Blocked,
    Complaint,
    Heard,
    Invalid,
    Kind,
    Learned,
    Relation,
    Trial,
    added,
)
from icepick.inputs.learn.undeclared import Beside, beside_of

__all__ = [
    "Beside",
    "Blocked",
    "Complaint",
    "Effort",
    "Exceptional",
    "Heard",
    "Invalid",
    "Kind",
    "Learned",
    "LearnedClause",
    "Mistake",
    "Mutation",
    "Oddity",
    "OddityKind",
    "OperationLearner",
    "References",
    "Relation",
    "Schedule",
    "Setting",
    "Trial",
    "Turn",
    "added",
    "beside_of",
    "explain",
    "from_json",
    "identity_of",
    "needed_of",
    "needs",
    "order",
    "overlay",
    "references_of",
    "requires",
    "slot_hints",
    "to_json",
]
