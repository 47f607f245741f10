"""Jupyter Server: contents by path, kernels, sessions, terminals."""

from __future__ import annotations

from pathlib import Path

from bench.services.client import Call
from bench.services.packages import PythonPackages
from bench.services.recipe import HOST, Credentials, Launch, Recipe, Site

_TOKEN = "icepick"


def jupyter_server() -> Recipe:
    """Swagger 2.0, a token; the document needs it too."""
    return Recipe(
        name="jupyter_server",
        version="2.21.1",
        packages=PythonPackages(
            ("jupyter_server==2.21.1", "ipykernel"),
            Path(__file__).with_name("pins") / "jupyter_server.txt",
        ),
        launch=_launch,
        example=Call(
            "PUT",
            "/api/contents/note.txt",
            {"type": "file", "format": "text", "content": "written by hand"},
        ),
    )


def _launch(site: Site) -> Launch:
    return Launch(
        command=(
            site.program("jupyter-server"),
            "--no-browser",
            "--allow-root",
            f"--ip={HOST}",
            f"--port={site.port}",
            "--ServerApp.port_retries=0",
            f"--ServerApp.root_dir={site.folder / 'contents'}",
            f"--IdentityProvider.token={_TOKEN}",
            "--FileContentsManager.delete_to_trash=False",
        ),
        document="/api/spec.yaml",
        ready="/api/status",
        credentials=Credentials({"Authorization": f"token {_TOKEN}"}),
        environment={
            "JUPYTER_CONFIG_DIR": str(site.folder / "configuration"),
            "JUPYTER_DATA_DIR": str(site.folder / "data"),
            "JUPYTER_RUNTIME_DIR": str(site.folder / "runtime"),
        },
        files={"contents/welcome.txt": "The first of the contents.\n"},
    )
