"""Explorations on disk, as .npz files."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from icepick.errors import Code, ExploreError, ModelError
from icepick.errors import Place as TextPlace
from icepick.explore.machine import compile_model
from icepick.explore.types import Edges, Exploration, Violation
from icepick.model.codec import from_json, to_json

VERSION = 1
_COLUMNS = ("states", "levels", "degrees", "taken", "finals")
_EDGES = ("offsets", "actions", "targets")


def save(exploration: Exploration, path: Path) -> None:
    """Write everything, the model included; the name should end in .npz."""
    about = {
        "version": VERSION,
        "model": to_json(exploration.model),
        "expanded": exploration.expanded,
        "stopped": exploration.stopped,
        "violations": [[v.invariant, v.state, v.states] for v in exploration.violations],
    }
    arrays: dict[str, Any] = {name: getattr(exploration, name) for name in _COLUMNS}
    if exploration.edges is not None:
        arrays |= {f"edges_{name}": getattr(exploration.edges, name) for name in _EDGES}
    if exploration.orbits is not None:
        arrays["orbits"] = exploration.orbits
    arrays["about"] = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
    with path.open("wb") as file:
        np.savez(file, **arrays)


def load(path: Path) -> Exploration:
    """Read what `save` wrote; an `ExploreError` if it is something else."""
    try:
        # numpy does not close a broken file that it opened itself.
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            return _exploration(arrays)
    except (ValueError, KeyError, TypeError, ModelError, zipfile.BadZipFile, EOFError) as error:
        raise ExploreError(
            Code.NOT_A_STATE_GRAPH,
            f"this is not a saved exploration: {error}",
            place=TextPlace(str(path)),
            hint="Explore again and save with this version of icepick.",
        ) from error


def _exploration(arrays: Any) -> Exploration:
    about = json.loads(arrays["about"].tobytes())
    if about["version"] != VERSION:
        raise ValueError(f"version {about['version']} instead of {VERSION}")
    edges = None
    if "edges_offsets" in arrays:
        edges = Edges(**{name: arrays[f"edges_{name}"] for name in _EDGES})
    return Exploration(
        machine=compile_model(from_json(about["model"])),
        **{name: arrays[name] for name in _COLUMNS},
        expanded=about["expanded"],
        edges=edges,
        orbits=arrays.get("orbits"),
        violations=tuple(Violation(*violation) for violation in about["violations"]),
        stopped=about["stopped"],
    )
