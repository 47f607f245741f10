"""Kinto: buckets, collections, records and groups, kept in memory."""

from __future__ import annotations

import base64
from pathlib import Path

from bench.services.client import Call
from bench.services.packages import PythonPackages
from bench.services.recipe import HOST, Credentials, Launch, Recipe, Site

_SETTINGS = f"""\
[server:main]
use = egg:waitress#main
host = {HOST}
port = %(http_port)s

[app:main]
use = egg:kinto
kinto.includes = kinto.plugins.history kinto.plugins.admin
multiauth.policies = basicauth
multiauth.policy.basicauth.use = kinto.core.authentication.BasicAuthAuthenticationPolicy
kinto.userid_hmac_secret = icepick
kinto.bucket_create_principals = system.Authenticated
kinto.storage_backend = kinto.core.storage.memory
kinto.cache_backend = kinto.core.cache.memory
kinto.permission_backend = kinto.core.permission.memory

[loggers]
keys = root

[handlers]
keys = console

[formatters]
keys = plain

[logger_root]
level = INFO
handlers = console

[handler_console]
class = StreamHandler
args = (sys.stderr,)
formatter = plain

[formatter_plain]
format = %(asctime)s %(levelname)s %(message)s
"""


def kinto() -> Recipe:
    """Swagger 2.0; any user and password make an account of their own."""
    return Recipe(
        name="kinto",
        version="26.5.0",
        packages=PythonPackages(
            ("kinto==26.5.0", "setuptools<81"), Path(__file__).with_name("pins") / "kinto.txt"
        ),
        launch=_launch,
        example=Call("POST", "/buckets", {"data": {}}),
    )


def _launch(site: Site) -> Launch:
    user = base64.b64encode(b"icepick:icepick").decode()
    return Launch(
        command=(site.program("kinto"), "start", "--ini", "kinto.ini", "--port", str(site.port)),
        base="/v1",
        document="/v1/__api__",
        ready="/v1/__heartbeat__",
        credentials=Credentials({"Authorization": f"Basic {user}"}),
        files={"kinto.ini": _SETTINGS},
    )
