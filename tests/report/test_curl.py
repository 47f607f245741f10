from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from icepick.execute.types import Exchange, Purpose, Request
from icepick.report.curl import curl_line, curl_lines
from tests.report import records
from tests.report.records import answer, exchange
from tests.report.servers import Received, echo

SHELLS = [shell for shell in ("bash", "dash", "zsh") if shutil.which(shell)]
pytestmark = [
    pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed"),
    pytest.mark.skipif(not SHELLS, reason="no shell is installed"),
]

BODIES = [
    b'{"name": "O\'Brien", "text": "$HOME `id` \\\\ \\n !x"}',
    b"@/etc/passwd",
    b"line 1\nline 2\n\n",
    b"\r\n\t\x1b[31m",
    b"\x00\x01\xff\xfe%s%d\\0'",
    "übung \u202e 名前".encode(),
    b"-n starts like an option",
    b"-\x00",
    b"'",
    b"''''\\''",
    bytes(range(256)),
    b"%" * 1000 + b"\\" * 1000,
    b"y" * 300_000,
]


def _run(script: str, shell: str = "bash", **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [shell],
        input=script,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"PATH": os.environ["PATH"], **environment},
    )


def _sent(exchanges: list[Request], shell: str = "bash", **environment: str) -> list[Received]:
    with echo() as (url, received):
        made = [
            Exchange(
                i,
                0.0,
                Purpose.CALL,
                Request(r.method, url + r.url, r.headers, r.body),
                answer(200),
            )
            for i, r in enumerate(exchanges)
        ]
        result = _run(curl_lines(made, auth="ICEPICK_AUTH" in environment), shell, **environment)
        assert (result.returncode, result.stderr) == (0, "")
        return list(received)


@pytest.mark.parametrize("shell", SHELLS)
def test_every_byte_of_a_body_arrives(shell: str) -> None:
    requests = [Request("POST", f"/{i}", records.JSON, body) for i, body in enumerate(BODIES)]
    received = _sent(requests, shell)
    assert [each.body for each in received] == BODIES
    assert {each.header("Content-Type") for each in received} == {"application/json"}


@pytest.mark.parametrize("shell", SHELLS)
def test_targets_arrive_as_they_are(shell: str) -> None:
    targets = [
        "/a/../b/./c",
        "/x[1-3]{a,b}?q=[1]&r={z}",
        "/o'brien/$HOME/`id`/$(id)?a=b&c=\\d;e",
        "/%00%ff%2f?x=%27%22",
        "/-x?--y",
        '/"quoted"!!',
    ]
    received = _sent([Request("GET", target) for target in targets], shell)
    assert [each.target for each in received] == targets


def test_methods() -> None:
    methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    received = _sent([Request(method, "/") for method in methods])
    assert [each.method for each in received] == methods
    lengths = {each.method: each.header("Content-Length") for each in received}
    assert lengths["POST"] == lengths["PUT"] == lengths["PATCH"] == "0"
    assert lengths["GET"] is None


def test_a_get_with_a_body_stays_a_get() -> None:
    (received,) = _sent([Request("GET", "/", (), b"{}")])
    assert (received.method, received.body) == ("GET", b"{}")
    assert received.header("Content-Type") is None


@pytest.mark.parametrize("shell", SHELLS)
def test_headers_arrive_as_they_are(shell: str) -> None:
    headers = (("X-A", 'it\'s $HOME `id` "q"'), ("X-Empty", ""), ("X-Tab", "a\tb"), ("X-A", "2"))
    (received,) = _sent([Request("GET", "/", headers)], shell)
    assert [pair for pair in received.headers if pair[0].startswith("X-")] == list(headers)


def test_credentials_are_variables_and_may_be_missing() -> None:
    request = Request("GET", "/", (("X-Api-Key", "***"),))
    (without,) = _sent([request])
    assert without.header("X-Api-Key") is None
    (given,) = _sent([request], ICEPICK_AUTH="Authorization: Bearer a b", ICEPICK_X_API_KEY="k'1")
    assert given.header("Authorization") == "Bearer a b"
    assert given.header("X-Api-Key") == "k'1"
    assert "***" not in curl_lines([exchange(1, "GET", "/", answer(200))], auth=True)


def test_nothing_of_others_is_run_even_where_comments_are_commands() -> None:
    label = "x\nid > /tmp/never; $(id) `id` | id & (id) () { id; }"
    finding = records.kept()
    steps = (records.step(label, "op", finding.steps[0].exchange), *finding.steps[1:])
    finding = records.replaced(finding, steps=steps)
    comments = [text for text in curl_lines(finding).splitlines() if text.startswith("#")]
    assert len(comments) == 3
    assert not set("".join(comments)) & set(";|&$`(){}<>'\"\\*?[]!~")


def test_a_finding_shows_its_calls_and_the_read_that_tells() -> None:
    script = curl_lines(records.kept())
    assert script.count("curl -sS") == 3
    assert "# step 2: deletePlayer p1 answered 200" in script
    assert script.index("-X DELETE") < script.rindex("/players/100000001")


def test_an_id_that_the_service_chose_is_named() -> None:
    made = exchange(1, "POST", "/things", answer(201, {"data": {"id": "7f3a-91"}}), {"name": "x"})
    used = exchange(2, "DELETE", "/things/7f3a-91", answer(200))
    script = curl_lines([made, used])
    assert "# 7f3a-91 is data.id of step 1" in script
    chosen = exchange(1, "POST", "/things", answer(201, {"id": "mine"}), {"id": "mine"})
    assert "of step" not in curl_lines([chosen, exchange(2, "GET", "/things/mine", answer(200))])


def test_redirects_are_followed_where_they_were() -> None:
    assert "--location" in curl_line(exchange(1, "GET", "/", answer(200, redirects=("/b",))))
    assert "--location" not in curl_line(exchange(1, "GET", "/", answer(200)))
