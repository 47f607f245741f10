"""The page in a real browser, opened from disk."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from icepick.execute.events import Drawing
from icepick.report.page import to_html
from tests.report import hostile, records

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed")


def _dump(path: Path, fragment: str = "", *flags: str) -> tuple[str, str]:
    """The document after its scripts ran, and what the browser said on its console."""
    profile = path.parent / "profile"
    done = subprocess.run(
        [
            str(CHROMIUM),
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--enable-logging=stderr",
            f"--user-data-dir={profile}",
            "--virtual-time-budget=2000",
            *flags,
            "--dump-dom",
            path.as_uri() + fragment,
        ],
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    console = [text for text in done.stderr.splitlines() if "CONSOLE" in text]
    return done.stdout, "\n".join(console)


def _write(folder: Path, text: str, name: str = "report.html") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_page_works_from_disk(tmp_path: Path) -> None:
    path = _write(tmp_path, to_html(records.record()))
    dom, console = _dump(path, "#finding-2")
    assert console == ""
    for section in ("findings", "coverage", "graphs", "operations", "contracts", "rest"):
        assert f'<section id="{section}"' in dom
    # Only a script of ours opens the finding that the address names.
    assert re.search(r'<details class="finding" id="finding-2"[^>]* open=""', dom)
    assert not re.search(r'<details class="finding" id="finding-3"[^>]* open=""', dom)


def test_nothing_that_a_service_says_is_run(tmp_path: Path) -> None:
    drawing = Drawing((0, 1), (hostile.MARKUP,) * 2, ((0, hostile.MARKUP, 1),))
    path = _write(tmp_path, to_html(records.record(drawing, [hostile.finding()])))
    dom, console = _dump(path)
    assert "<title>Tournaments: icepick</title>" in dom
    assert console == ""
    assert len(re.findall(r"<script[\s>]", dom)) == 1
    assert '<section id="contracts"' in dom


MEASURE = """<!doctype html><title>waiting</title>
<iframe src="report.html" width="360" height="740" style="border:0"></iframe>
<script>
onload = () => {
  const page = document.querySelector("iframe").contentDocument;
  const press = (selector) => page.querySelector(selector).click();
  const root = page.documentElement;
  const said = { fits: root.scrollWidth <= root.clientWidth, width: page.defaultView.innerWidth };
  page.querySelectorAll("details").forEach((each) => { each.open = true; });
  said.open = root.scrollWidth <= root.clientWidth;
  const rows = () => [...page.querySelectorAll("#contracts tbody tr")];
  press('[data-filter="clauses"][data-mark="false"]');
  said.false = rows().filter((row) => !row.hidden).length;
  press('[data-filter="clauses"][data-mark="false"]');
  press('#contracts th:nth-child(4) button');
  said.sorted = rows().map((row) => row.children[3].textContent).join(" ");
  const search = page.querySelector("#search");
  search.value = "deleted player";
  search.dispatchEvent(new Event("input"));
  said.found = [...page.querySelectorAll(".finding")].filter((each) => !each.hidden).length;
  press("#theme");
  said.theme = page.documentElement.dataset.theme;
  const state = page.querySelector('.state[data-state="1"]');
  state.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  said.panel = page.querySelector(".panel b").textContent;
  said.edges = page.querySelectorAll(".panel li").length;
  const svg = page.querySelector("svg.drawing");
  const box = () => svg.getAttribute("viewBox").split(" ").map(Number).join(" ");
  const before = box();
  press(".zoom-in");
  said.zoomed = box() !== before;
  svg.dispatchEvent(new KeyboardEvent("keydown", { key: "0" }));
  said.whole = box() === before;
  document.title = JSON.stringify(said);
};
</script>"""


def test_a_phone_and_every_control(tmp_path: Path) -> None:
    _write(tmp_path, to_html(records.record()))
    frame = _write(tmp_path, MEASURE, "frame.html")
    dom, console = _dump(frame, "", "--allow-file-access-from-files")
    title = re.search("<title>(.*?)</title>", dom)
    assert title is not None
    said = json.loads(html.unescape(title[1]))
    assert console == ""
    assert (said["fits"], said["open"], said["width"]) == (True, True, 360)
    assert said["false"] == 2
    assert said["sorted"] == "0 0 3 41 880"
    assert said["found"] == 1
    assert said["theme"] in {"dark", "light"}
    assert said["panel"] == "State 1: Player p1"
    assert said["edges"] > 2
    assert said["zoomed"]
    assert said["whole"]
