"""Every service there is a recipe for."""

from __future__ import annotations

from bench.services.directus import directus
from bench.services.flexget import flexget
from bench.services.jupyter import jupyter_server
from bench.services.kinto import kinto
from bench.services.platformatic import platformatic
from bench.services.prefect import prefect
from bench.services.recipe import Recipe


def recipes() -> dict[str, Recipe]:
    """By name, in the order in which they are checked."""
    known = (kinto(), prefect(), platformatic(), flexget(), directus(), jupyter_server())
    return {recipe.name: recipe for recipe in known}
