from __future__ import annotations

import http.server
import importlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from icepick.cli.check import check
from icepick.cli.main import COMMANDS

OK = {"200": {"description": "ok"}}
CLEAN = {
    "openapi": "3.0.0",
    "info": {"title": "Pets", "version": "1"},
    "paths": {"/pets": {"get": {"operationId": "list", "responses": OK}}},
}
WARNED = {**CLEAN, "tags": {}}
BROKEN = {**CLEAN, "paths": {"/pets": {"get": {"responses": OK}, "put": 3}}}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "api.json"


def _write(path: Path, document: Any) -> str:
    text = document if isinstance(document, str) else json.dumps(document, indent=2)
    path.write_text(text, encoding="utf-8")
    return str(path)


def _check(*arguments: str) -> Result:
    """The command itself; its exit code is what it returns."""
    return CliRunner().invoke(check, list(arguments), standalone_mode=False)


def _run(
    *arguments: str, env: dict[str, str] | None = None, **options: Any
) -> subprocess.CompletedProcess[str]:
    """The whole program, as a shell starts it."""
    return subprocess.run(
        [sys.executable, "-m", "icepick", *arguments],
        capture_output=True,
        check=False,
        encoding="utf-8",
        env={**os.environ, **(env or {})},
        timeout=30,
        **options,
    )


@pytest.mark.parametrize(
    ("document", "flags", "code"),
    [
        (CLEAN, (), 0),
        (WARNED, (), 0),
        (WARNED, ("--strict",), 1),
        (BROKEN, (), 1),
        (BROKEN, ("--json",), 1),
    ],
)
def test_exit_codes(document: Any, flags: tuple[str, ...], code: int, path: Path) -> None:
    result = _check(_write(path, document), *flags)
    assert result.exception is None
    assert result.return_value == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "ICP113"),
        ("{", "ICP107"),
        ("<html>", "ICP108"),
        ("[]", "ICP109"),
        ("openapi: 9", "ICP110"),
    ],
)
def test_document_errors(text: str, code: str, path: Path) -> None:
    plain = _check(_write(path, text))
    assert plain.return_value == 2
    assert plain.stdout == ""
    assert code in plain.stderr
    assert "Traceback" not in plain.stderr
    as_json = _check(str(path), "--json")
    assert as_json.return_value == 2
    assert json.loads(as_json.stdout)["error"]["code"] == code


def test_what_is_printed(path: Path) -> None:
    lines = _check(_write(path, BROKEN)).stdout.splitlines()
    assert lines[:3] == [
        "Pets 1 (OpenAPI 3.0)",
        "1 operation on 1 path, 1 left out, 0 schemas",
        "security: none declared",
    ]
    assert lines[3].startswith(f"{path}:16:7: error ICP201 PUT /pets is left out")
    assert lines[4] == "    at /paths/~1pets/put"
    assert lines[-1] == "1 error, 0 warnings, 1 note"


def test_the_object_under_json(path: Path) -> None:
    printed = json.loads(_check(_write(path, BROKEN), "--json").stdout)
    assert printed["counts"] == {"error": 1, "warning": 0, "note": 1}
    assert printed["left_out"] == ["PUT /pets"]
    assert printed["operations"] == [{"id": "get_pets", "method": "GET", "path": "/pets"}]
    first = printed["diagnostics"][0]
    assert first["code"] == "ICP201"
    assert first["place"] == {
        "source": str(path),
        "line": 16,
        "column": 7,
        "pointer": "/paths/~1pets/put",
    }


def test_many_of_a_kind_are_cut_unless_all_are_asked_for(path: Path) -> None:
    paths = {f"/{n}": 3 for n in range(9)}
    short = _check(_write(path, {**CLEAN, "paths": paths})).stdout
    assert short.count("error ICP202") == 5
    assert "4 more of ICP202 (--all lists them)" in short
    assert _check(str(path), "--all").stdout.count("error ICP202") == 9


def test_text_of_the_document_is_printed_as_it_is(path: Path) -> None:
    title = "[red]x[/] :bug: \x1b[31m \\"
    out = _check(_write(path, {**CLEAN, "info": {"title": title, "version": "1"}})).stdout
    assert out.startswith("[red]x[/] :bug: \\x1b[31m \\ 1 (")


def test_line_numbers_are_no_emoji(path: Path) -> None:
    _write(path, "\n" * 99 + json.dumps(BROKEN))
    assert f"{path}:100:" in _check(str(path)).stdout


def test_debug_shows_the_traceback_and_keeps_the_exit_code(path: Path) -> None:
    result = _run("check", str(path), "--debug", "--json")
    assert result.returncode == 2
    assert "Traceback" in result.stderr
    assert json.loads(result.stdout)["error"]["code"] == "ICP101"


def test_a_bug_is_told_as_one(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("icepick.cli.check.check_spec", fail)
    result = _check(str(path), "--json")
    assert result.return_value == 2
    error = json.loads(result.stdout)["error"]
    assert error["code"] == "ICP001"
    assert "--debug" in error["hint"]
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("check",),
        ("nonsense",),
        ("check", "x", "--nonsense"),
        ("check", "x", "--max-size", "nan"),
        ("check", "x", "--max-size", "0"),
        ("check", "x", "--max-size", "inf"),
        ("check", "x", "--wait-for-schema", "nan"),
        ("check", "x", "--wait-for-schema", "-1"),
        ("check", "x", "-H", "Bearer s3cret"),
        ("check", "x", "-H", "A B: s3cret"),
        ("check", "x", "-H", "Key: s3\ncret"),
    ],
)
def test_usage_errors(arguments: tuple[str, ...]) -> None:
    result = _run(*arguments, "--json")
    assert result.returncode == 2
    error = json.loads(result.stdout)["error"]
    assert error["code"] == "ICP002"
    assert "Traceback" not in result.stderr
    assert "s3" not in result.stdout + result.stderr


def test_output_to_a_pipe_has_no_colours_and_errors_stay_apart(path: Path) -> None:
    result = _run("check", _write(path, BROKEN))
    assert result.returncode == 1
    assert "\x1b" not in result.stdout
    assert result.stderr == ""


def test_a_reader_who_leaves_early_is_no_error(path: Path) -> None:
    paths = {f"/{n}": 3 for n in range(3000)}
    command = [sys.executable, "-m", "icepick", "check", "--all"]
    process = subprocess.Popen(
        [*command, _write(path, {**CLEAN, "paths": paths})],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(20) == 0


@pytest.mark.parametrize("flag", [(), ("--json",)])
def test_characters_that_the_terminal_lacks(flag: tuple[str, ...], path: Path) -> None:
    info = {"title": "Käse 🧀 \ud800", "version": "1"}
    path.write_text(json.dumps({**CLEAN, "info": info}), encoding="utf-8")
    result = _run("check", str(path), *flag, env={"PYTHONIOENCODING": "ascii"})
    assert result.returncode == 0
    assert result.stderr == ""


def test_help_is_quick_and_imports_no_command() -> None:
    code = (
        "import sys\n"
        "from icepick.cli.command import run\n"
        "from icepick.cli.main import cli\n"
        "run(cli, ['--help'])\n"
        "sys.exit(bool({'aiohttp', 'yaml', 'jsonschema_rs', 'numpy'} & sys.modules.keys()))\n"
    )
    begun = time.monotonic()
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=False, text=True, timeout=30
    )
    assert result.returncode == 0, result.stderr
    assert time.monotonic() - begun < 2
    assert all(name in result.stdout for name in COMMANDS)


def test_without_arguments_the_help_is_shown() -> None:
    result = _run()
    assert result.returncode == 0
    assert result.stdout == _run("--help").stdout
    assert result.stderr == ""


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_where_the_table_says(name: str) -> None:
    where, line = COMMANDS[name]
    module, _, attribute = where.partition(":")
    command = getattr(importlib.import_module(module), attribute)
    assert isinstance(command, click.Command)
    assert command.name == name
    assert line.endswith(".")


@pytest.fixture
def late_port() -> Iterator[int]:
    """A port on which a document is served half a second from now."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.headers["X-Key"] == "k" else 401)
            self.end_headers()
            self.wfile.write(json.dumps(CLEAN).encode())

        def log_message(self, *_: Any) -> None:
            return

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler, bind_and_activate=False)
    server.server_bind()

    def serve() -> None:
        time.sleep(0.5)
        server.server_activate()
        server.serve_forever(0.02)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


def test_waiting_for_a_document_with_a_header(late_port: int) -> None:
    url = f"http://127.0.0.1:{late_port}/api.json"
    early = _check(url)
    assert early.return_value == 2
    assert "ICP104" in early.stderr
    late = _check(url, "--wait-for-schema", "10", "-H", "X-Key: k", "--json")
    assert late.return_value == 0
    assert json.loads(late.stdout)["source"] == url


def test_an_unreachable_url_ends_in_one_object() -> None:
    result = _check("http://127.0.0.1:1/api.json", "--json")
    assert result.return_value == 2
    assert json.loads(result.stdout)["error"]["code"] == "ICP104"


def test_the_limit_of_size(path: Path) -> None:
    result = _check(_write(path, CLEAN), "--max-size", "0.0001", "--json")
    assert json.loads(result.stdout)["error"]["code"] == "ICP106"
