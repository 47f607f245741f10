"""Prefect: flows, runs, deployments, work pools, blocks and automations over SQLite."""

from __future__ import annotations

from pathlib import Path

from bench.services.client import Call
from bench.services.packages import PythonPackages
from bench.services.recipe import HOST, Launch, Recipe, Site


def prefect() -> Recipe:
    """OpenAPI 3.1, open to everybody who reaches it."""
    return Recipe(
        name="prefect",
        version="3.8.8",
        # Later releases of fastapi have lost an argument that this release of prefect gives.
        packages=PythonPackages(
            ("prefect==3.8.8", "fastapi==0.139.0"), Path(__file__).with_name("pins") / "prefect.txt"
        ),
        launch=_launch,
        example=Call("POST", "/variables/", {"name": "icepick", "value": 1}),
    )


def _launch(site: Site) -> Launch:
    listen = ("--host", HOST, "--port", str(site.port))
    return Launch(
        command=(site.program("prefect"), "server", "start", "--no-ui", *listen),
        base="/api",
        # The document at /openapi.json has the same operations and no word of /api.
        document="/api/openapi.json",
        ready="/api/ready",
        environment={
            "PREFECT_HOME": str(site.folder),
            "PREFECT_API_DATABASE_CONNECTION_URL": f"sqlite+aiosqlite:///{site.folder}/prefect.db",
            "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
            "DO_NOT_TRACK": "1",
        },
    )
