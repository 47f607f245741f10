"""`python -m bench.services NAME` runs a service; `--all --check` tries every recipe, `--table`
compares icepick with Schemathesis on them, `--same` two runs of icepick."""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import threading
from pathlib import Path

from bench.services.catalogue import recipes
from bench.services.check import check
from bench.services.errors import ServiceError
from bench.services.recipe import Recipe
from bench.services.table import table


def main() -> int:
    """The exit code: 0, or 1 where a service could not be had."""
    # So that a polite kill ends the service too, and not only Ctrl-C.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    known = recipes()
    options = _options(list(known))
    named = options.names + options.service
    everything = options.all or (not named and (options.table or options.same))
    chosen = list(known.values()) if everything else [known[name] for name in named]
    try:
        if options.table or options.same:
            requests = options.requests if options.same else None
            return 0 if table(chosen, options.seconds, requests) else 1
        if options.check:
            return 0 if check(chosen, options.documents) else 1
        _serve(chosen[0], options.folder, options.port)
    except ServiceError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _options(names: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.services", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names))
    parser.add_argument("--all", action="store_true", help="every service; with --check")
    parser.add_argument("--check", action="store_true", help="try the recipes, print a table")
    parser.add_argument("--documents", type=Path, help="with --check: keep the documents here")
    parser.add_argument("--folder", type=Path, help="an empty folder for the data; kept")
    parser.add_argument("--port", type=int, default=0, help="0, the default, takes a free one")
    parser.add_argument("--table", action="store_true", help="icepick and Schemathesis on them")
    parser.add_argument("--same", action="store_true", help="whether two runs find the same")
    parser.add_argument("--service", action="append", default=[], help="the same as NAME")
    parser.add_argument("--requests", type=int, default=3_000, help="of --same; 3000 by default")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each run; 60 by default")
    options = parser.parse_args()
    for name in options.names + options.service:
        if name not in names:
            parser.error(f"there is no recipe of {name}; there are {', '.join(names)}")
    if options.table or options.same:
        return options
    if not options.check and (options.all or len(options.names) != 1):
        parser.error("name one service to run, or give --check")
    if options.check and not options.all and not options.names:
        parser.error("--check needs names, or --all")
    return options


def _serve(recipe: Recipe, folder: Path | None, port: int) -> None:
    if folder is not None:
        _run(recipe, folder, port)
        return
    with tempfile.TemporaryDirectory(prefix=f"icepick-{recipe.name}-") as made:
        _run(recipe, Path(made) / "run", port)


def _run(recipe: Recipe, folder: Path, port: int) -> None:
    print(f"{recipe.name} {recipe.version}: installing if needed into {recipe.home}", flush=True)
    recipe.install()
    with recipe.start(folder, port) as running:
        print(f"url       {running.url}")
        print(f"document  {running.schema_location}")
        print(f"options   {running.credentials.options or '(none needed)'}")
        print(f"log       {folder / 'service.log'}")
        print(f"pid       {running.pid}; Ctrl-C ends it", flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    sys.exit(main())
