"""FlexGet: lists of entries and movies, series, tasks and what became of them, over SQLite."""

from __future__ import annotations

import base64
from pathlib import Path

from bench.services.client import Call
from bench.services.packages import PythonPackages
from bench.services.recipe import HOST, Credentials, Launch, Recipe, Site

# Weak passwords are refused, so it is long; it protects nothing.
_PASSWORD = "icepick-bench-7391-quartz-lantern"


def flexget() -> Recipe:
    """Swagger 2.0, basic authentication."""
    return Recipe(
        name="flexget",
        version="3.22.7",
        packages=PythonPackages(
            ("flexget==3.22.7",), Path(__file__).with_name("pins") / "flexget.txt"
        ),
        launch=_launch,
        example=Call("POST", "/entry_list/", {"name": "icepick"}),
    )


def _launch(site: Site) -> Launch:
    program = (site.program("flexget"), "-c", str(site.folder / "config.yml"))
    pair = base64.b64encode(f"flexget:{_PASSWORD}".encode()).decode()
    return Launch(
        command=(*program, "daemon", "start"),
        base="/api",
        document="/api/swagger.json",
        ready="/api/server/version/",
        credentials=Credentials({"Authorization": f"Basic {pair}"}),
        files={"config.yml": _settings(site)},
        before=((*program, "web", "passwd", _PASSWORD),),
    )


def _settings(site: Site) -> str:
    """Every key of the web server is there, though most say nothing.

    FlexGet fills in the missing ones after it has remembered what the section looked like, takes
    that for a change as soon as a task is added, and restarts the web server inside the request;
    after that it often answers no more.
    """
    return f"""\
web_server:
  bind: {HOST}
  port: {site.port}
  web_ui: no
  ssl_certificate: ""
  ssl_private_key: ""
  base_url: ""
  run_v1: no
  run_v2: no
schedules: []
tasks: {{}}
"""
