"""A recipe says how a service is installed, started on an empty folder, and reached."""

from __future__ import annotations

import os
import shlex
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path

from bench.services.client import Call, send
from bench.services.errors import ServiceError, with_log
from bench.services.packages import Packages, install
from bench.services.processes import finish, process

HOST = "127.0.0.1"
_NOWHERE = f"http://{HOST}:9"
_START_SECONDS = 120.0
_PAUSE_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Credentials:
    """The headers with which a client is let in."""

    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def options(self) -> str:
        """The same as options on a command line."""
        pairs = (f"{name}: {value}" for name, value in self.headers.items())
        return " ".join(f"--header {shlex.quote(pair)}" for pair in pairs)


@dataclass(frozen=True, slots=True)
class Running:
    """A service that runs; the paths of its document continue `url`."""

    url: str
    schema_location: str
    credentials: Credentials
    pid: int

    def call(self, call: Call) -> int:
        """The status that a call gets."""
        return send(self.url, call, self.credentials.headers).status


@dataclass(frozen=True, slots=True)
class Site:
    """Where a service runs: its packages, the folder for its data, its port."""

    home: Path
    folder: Path
    port: int

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"http://{HOST}:{self.port}"

    def program(self, name: str) -> str:
        """A program of the virtual environment."""
        return str(self.home / "bin" / name)


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start a service on a site.

    `files` are written and `before` is run first; `ready` and `document` are paths of the origin,
    `base` is the one that the paths of the document continue; `after` is called once it answers.
    """

    command: tuple[str, ...]
    document: str
    ready: str
    base: str = ""
    credentials: Credentials = field(default_factory=Credentials)
    environment: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    before: tuple[tuple[str, ...], ...] = ()
    after: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Recipe:
    """One service; `example` is a call that creates something."""

    name: str
    version: str
    packages: Packages
    launch: Callable[[Site], Launch]
    example: Call

    @property
    def home(self) -> Path:
        """Where its packages are."""
        default = Path.home() / ".cache" / "icepick" / "services"
        folder = Path(os.environ.get("ICEPICK_SERVICES") or default)
        return folder.expanduser().absolute() / f"{self.name}-{self.version}"

    def install(self) -> bool:
        """Install unless it is; whether there was anything to do."""
        return install(self.packages, self.home)

    @contextmanager
    def start(self, folder: Path, port: int = 0) -> Iterator[Running]:
        """The service on an empty folder while the block runs; port 0 takes a free one."""
        site = Site(self.home, _empty(folder), free_port(port))
        launch = self.launch(site)
        environment = {**_environment(site), **launch.environment}
        log = site.folder / "service.log"
        _prepare(launch, site.folder, environment, log)
        with process(launch.command, site.folder, environment, log) as started:
            running = Running(
                site.origin + launch.base,
                site.origin + launch.document,
                launch.credentials,
                started.pid,
            )
            _wait(site.origin, launch, started, log)
            if _open_to_others(site.port):
                raise ServiceError(f"{self.name} listens on more than {HOST}; it was stopped")
            _furnish(running, launch.after, log)
            yield running


def free_port(wanted: int = 0) -> int:
    """A port on loopback that nothing listens on: the wanted one, or any for 0."""
    with closing(socket.socket()) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, wanted))
        except OSError as error:
            raise ServiceError(f"cannot listen on {HOST}:{wanted}: {error.strerror}") from error
        return int(probe.getsockname()[1])


def _empty(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise ServiceError(f"{folder} is not empty; a service starts on an empty folder")
    return folder.absolute()


def _environment(site: Site) -> dict[str, str]:
    """Nothing of the caller's but the path, and no way out: lookups elsewhere fail at once."""
    proxies = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")
    local = f"{HOST},localhost"
    return {
        "PATH": f"{site.home / 'bin'}:{os.environ.get('PATH', os.defpath)}",
        "HOME": str(site.folder),
        "LANG": "C.UTF-8",
        **dict.fromkeys(proxies, _NOWHERE),
        "no_proxy": local,
        "NO_PROXY": local,
    }


def _prepare(launch: Launch, folder: Path, environment: Mapping[str, str], log: Path) -> None:
    for name, text in launch.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    for command in launch.before:
        try:
            code = finish(command, folder, environment, log, _START_SECONDS)
        except subprocess.TimeoutExpired as error:
            raise with_log(f"{Path(command[0]).name} took too long", log) from error
        if code != 0:
            raise with_log(f"{Path(command[0]).name} ended with code {code}", log)


def _wait(origin: str, launch: Launch, started: subprocess.Popen[bytes], log: Path) -> None:
    limit = time.monotonic() + _START_SECONDS
    ready = Call("GET", launch.ready)
    while time.monotonic() < limit:
        if started.poll() is not None:
            raise with_log(f"the service ended with code {started.returncode}", log)
        try:
            if send(origin, ready, launch.credentials.headers, 5.0).ok:
                return
        except (OSError, HTTPException):
            # Nothing listens yet, or what does is not ready to answer.
            pass
        time.sleep(_PAUSE_SECONDS)
    raise with_log(f"the service does not answer after {_START_SECONDS:.0f} seconds", log)


def _open_to_others(port: int) -> bool:
    """Whether the port answers on the address that other machines would use."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            # Connecting a datagram socket sends nothing; it only chooses the own address.
            probe.connect(("192.0.2.1", 9))
            address = probe.getsockname()[0]
        except OSError:
            return False
    with closing(socket.socket()) as probe:
        probe.settimeout(2.0)
        return not address.startswith("127.") and probe.connect_ex((address, port)) == 0


def _furnish(running: Running, calls: tuple[Call, ...], log: Path) -> None:
    for call in calls:
        status = running.call(call)
        if not 200 <= status < 300:
            raise with_log(f"{call.method} {call.path} was answered with {status}", log)
