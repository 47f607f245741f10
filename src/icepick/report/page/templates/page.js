"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const one = (selector, root = document) => root.querySelector(selector);

  // The theme: what the system says, until somebody says otherwise. From disk, storage may be closed.
  const kept = { get: () => { try { return localStorage.getItem("icepick-theme"); } catch { return null; } },
    set: (theme) => { try { localStorage.setItem("icepick-theme", theme); } catch { return; } } };
  const root = document.documentElement;
  const asked = kept.get();
  if (asked === "dark" || asked === "light") root.dataset.theme = asked;
  one("#theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    kept.set(root.dataset.theme);
  });

  // Search and filters: a row is shown if it has the words, and every mark that is asked for.
  const pressed = (group) => all(`[data-filter="${group}"][aria-pressed=true]`).map((b) => b.dataset.mark);
  const sift = () => {
    const words = one("#search").value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const list of all("[data-list]")) {
      const marks = pressed(list.dataset.list);
      let shown = 0;
      const rows = all("[data-search]", list);
      for (const row of rows) {
        const has = words.every((word) => row.dataset.search.includes(word))
          && marks.every((mark) => (row.dataset.marks || "").split(" ").includes(mark));
        row.hidden = !has;
        shown += has;
      }
      const count = one(`[data-count="${list.dataset.list}"]`);
      if (count) count.textContent = words.length || marks.length ? `${shown} of ${rows.length} shown` : "";
    }
  };
  one("#search").addEventListener("input", sift);
  for (const button of all("[data-filter]")) {
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
      sift();
    });
  }

  // Tables sort by the column whose head is pressed.
  for (const head of all("th[data-sort]")) {
    one("button", head).addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      const body = one("tbody", head.closest("table"));
      const place = [...head.parentNode.children].indexOf(head);
      const value = (row) => row.children[place].dataset.value ?? row.children[place].textContent.trim();
      const order = (a, b) => (head.dataset.sort === "n" ? Number(value(a)) - Number(value(b)) : value(a).localeCompare(value(b)));
      const rows = [...body.children].sort(order);
      body.append(...(down ? rows.reverse() : rows));
      for (const other of all("th[data-sort]", head.parentNode)) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
    });
  }

  // Copying, also where the page has no right to the clipboard.
  const copy = async (text) => {
    try { await navigator.clipboard.writeText(text); return true; } catch { /* the old way */ }
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  };
  for (const button of all("[data-copy]")) {
    const label = button.textContent;
    button.addEventListener("click", async () => {
      const done = await copy(document.getElementById(button.dataset.copy).textContent);
      button.textContent = done ? "copied" : "cannot copy";
      setTimeout(() => { button.textContent = label; }, 1500);
    });
  }

  // The graph: drag, wheel, pinch and keys move the viewBox; a state shows its text and its edges.
  const explorer = (figure) => {
    const svg = one("svg.drawing", figure);
    const whole = svg.getAttribute("viewBox").split(" ").map(Number);
    let box = [...whole];
    const apply = () => svg.setAttribute("viewBox", box.map((n) => n.toFixed(1)).join(" "));
    const scale = () => Math.max(box[2] / svg.clientWidth, box[3] / svg.clientHeight);
    const move = (dx, dy) => { box[0] += dx; box[1] += dy; apply(); };
    const zoom = (factor, at) => {
      const width = Math.min(Math.max(box[2] * factor, 60), whole[2] * 3);
      const real = width / box[2];
      const [x, y] = at || [box[0] + box[2] / 2, box[1] + box[3] / 2];
      box = [x - (x - box[0]) * real, y - (y - box[1]) * real, width, box[3] * real];
      apply();
    };
    const point = (event) => {
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      return [at.x, at.y];
    };
    svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !svg.matches(":focus")) return; // the page scrolls until the graph is chosen
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, point(event));
    }, { passive: false });
    const fingers = new Map();
    let moved = 0;
    const spread = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a.x - b.x, a.y - b.y); };
    svg.addEventListener("pointerdown", (event) => { fingers.set(event.pointerId, { x: event.clientX, y: event.clientY }); moved = 0; });
    svg.addEventListener("pointermove", (event) => {
      const last = fingers.get(event.pointerId);
      if (!last) return;
      const before = fingers.size === 2 ? spread() : 0;
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (fingers.size === 2 && before) { zoom(before / Math.max(spread(), 1)); moved = 99; return; }
      const dx = event.clientX - last.x, dy = event.clientY - last.y;
      moved += Math.abs(dx) + Math.abs(dy);
      if (moved > 4) { svg.setPointerCapture(event.pointerId); move(-dx * scale(), -dy * scale()); }
    });
    for (const name of ["pointerup", "pointercancel"]) svg.addEventListener(name, (event) => fingers.delete(event.pointerId));
    const keys = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    svg.addEventListener("keydown", (event) => {
      if (event.key in keys) move(...keys[event.key].map((n) => n * box[2] * 0.1));
      else if (event.key === "+" || event.key === "=") zoom(1 / 1.25);
      else if (event.key === "-") zoom(1.25);
      else if (event.key === "0") { box = [...whole]; apply(); }
      else return;
      event.preventDefault();
    });
    one(".zoom-in", figure).addEventListener("click", () => zoom(1 / 1.4));
    one(".zoom-out", figure).addEventListener("click", () => zoom(1.4));
    one(".whole", figure).addEventListener("click", () => { box = [...whole]; apply(); });

    const panel = one(".panel", figure);
    const edges = all(".edge", svg);
    const line = (edge, arrow, other) => {
      const item = document.createElement("li");
      const often = edge.dataset.times === "0" ? "never taken" : `taken ${edge.dataset.times} times`;
      item.textContent = `${edge.dataset.action} ${arrow} state ${other}: ${often}${edge.classList.contains("failing") ? ", failed" : ""}`;
      return item;
    };
    const pick = (number) => {
      const node = one(`.state[data-state="${number}"]`, svg);
      for (const each of all(".picked, .near", svg)) each.classList.remove("picked", "near");
      svg.classList.toggle("picking", Boolean(node));
      if (!node) { panel.textContent = "There is no such state."; return; }
      node.classList.add("picked");
      const out = edges.filter((edge) => edge.dataset.source === number);
      const into = edges.filter((edge) => edge.dataset.target === number);
      for (const edge of [...out, ...into]) edge.classList.add("near");
      const title = document.createElement("b");
      title.textContent = `State ${number}: ${node.dataset.text}`;
      const list = document.createElement("ul");
      list.append(...out.map((edge) => line(edge, "→", edge.dataset.target)), ...into.map((edge) => line(edge, "←", edge.dataset.source)));
      panel.replaceChildren(title, list);
    };
    svg.addEventListener("click", (event) => {
      if (moved > 4) return;
      const node = event.target.closest(".state");
      if (node) pick(node.dataset.state);
      else { svg.classList.remove("picking"); for (const each of all(".picked, .near", svg)) each.classList.remove("picked", "near"); }
    });
    one(".choose", figure).addEventListener("change", (event) => pick(String(event.target.valueAsNumber)));
  };
  for (const figure of all(".graph")) explorer(figure);

  // A link to a finding opens it; paper has no handles, so print opens all.
  const reveal = () => { const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1)); if (target && target.matches("details")) target.open = true; };
  addEventListener("hashchange", reveal);
  reveal();
  let closed = [];
  addEventListener("beforeprint", () => { closed = all("details:not([open])"); for (const each of closed) each.open = true; });
  addEventListener("afterprint", () => { for (const each of closed) each.open = false; });
})();
