"""Exploration: every reachable state of a model, by the embedded engine or by TLC."""

from icepick.explore.dot import DotEdge, DotGraph, read_dot, write_dot
from icepick.explore.graph import TraceStep, decode, outgoing, parents, path_to, state_text, trace
from icepick.explore.ground import GroundAction
from icepick.explore.search import explore
from icepick.explore.store import load, save
from icepick.explore.tlc import BrokenInvariant, TlcRun, explore_with_tlc
from icepick.explore.tlc_run import Tools, find_tools
from icepick.explore.types import Edges, Exploration, Progress, Totals, Violation

__all__ = [
    "BrokenInvariant",
    "DotEdge",
    "DotGraph",
    "Edges",
    "Exploration",
    "GroundAction",
    "Progress",
    "TlcRun",
    "Tools",
    "Totals",
    "TraceStep",
    "Violation",
    "decode",
    "explore",
    "explore_with_tlc",
    "find_tools",
    "load",
    "outgoing",
    "parents",
    "path_to",
    "read_dot",
    "save",
    "state_text",
    "trace",
    "write_dot",
]
