"""Platformatic DB: REST made from the tables of a SQLite database; the tables are our own."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from bench.services.client import Call
from bench.services.packages import NodePackages
from bench.services.recipe import Launch, Recipe, Site

_SETTINGS = {
    "server": {"logger": {"level": "info"}},
    "db": {
        "connectionString": "sqlite://./db.sqlite",
        "graphql": False,
        "openapi": True,
        "schemalock": False,
    },
    "migrations": {"dir": "./migrations", "autoApply": True},
    "watch": False,
}


def platformatic() -> Recipe:
    """OpenAPI 3.0.3, open to everybody who reaches it."""
    return Recipe(
        name="platformatic",
        version="2.61.0",
        packages=NodePackages(("@platformatic/db@2.61.0",), before="2026-11-15"),
        launch=_launch,
        example=Call("POST", "/countries/", {"name": "Iceland"}),
    )


def _launch(site: Site) -> Launch:
    ours = Path(__file__).with_name("platformatic_schema")
    node = shutil.which("node") or "node"
    return Launch(
        command=(
            node,
            str(ours / "serve.cjs"),
            str(site.home),
            "platformatic.json",
            str(site.port),
        ),
        document="/documentation/json",
        ready="/documentation/json",
        files={
            "platformatic.json": json.dumps(_SETTINGS),
            "migrations/001.do.sql": (ours / "001.do.sql").read_text(),
        },
    )
