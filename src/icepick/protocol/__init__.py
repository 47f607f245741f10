"""Protocols: session-type models of how a service is meant to be used (COTS, COpenAPI).

What is named here is the language, its checks, its semantics and the walks through a model, and
sends no request. The `driver` asks a `Policy` for the next call of a `Run`, has its values made by
a `Maker`, sends it, and hands the answer back to the run, which judges it and moves on.
"""

from icepick.errors import ProtocolError
from icepick.protocol.arazzo import from_arazzo, to_arazzo
from icepick.protocol.assertions import Functions, Judgement, judge, with_variables
from icepick.protocol.automaton import Automaton, Edge, Kind, State, automaton_of
from icepick.protocol.bind import BoundReceive, BoundSend, bind_receive, bind_send
from icepick.protocol.check import check_protocols
from icepick.protocol.coverage import Coverage, Share, Tally
from icepick.protocol.domain import ApiDomain
from icepick.protocol.load import Protocols, load_protocols, read_protocols
from icepick.protocol.parser import parse_protocol
from icepick.protocol.plan import tours
from icepick.protocol.printer import print_text
from icepick.protocol.run import Fault, Judged, Model, Run
from icepick.protocol.semantics import Event, accepts, matches
from icepick.protocol.types import Types
from icepick.protocol.values import Maker, Prepared, Taken, take
from icepick.protocol.walk import CoverPolicy, Policy, RandomPolicy
from icepick.protocol.write import write_protocol

__all__ = [
    "ApiDomain",
    "Automaton",
    "BoundReceive",
    "BoundSend",
    "CoverPolicy",
    "Coverage",
    "Edge",
    "Event",
    "Fault",
    "Functions",
    "Judged",
    "Judgement",
    "Kind",
    "Maker",
    "Model",
    "Policy",
    "Prepared",
    "ProtocolError",
    "Protocols",
    "RandomPolicy",
    "Run",
    "Share",
    "State",
    "Taken",
    "Tally",
    "Types",
    "accepts",
    "automaton_of",
    "bind_receive",
    "bind_send",
    "check_protocols",
    "from_arazzo",
    "judge",
    "load_protocols",
    "matches",
    "parse_protocol",
    "print_text",
    "read_protocols",
    "take",
    "to_arazzo",
    "tours",
    "with_variables",
    "write_protocol",
]
