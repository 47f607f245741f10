"""Directus: a content store over SQLite, with three collections of our own in it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping

from bench.services.client import Call
from bench.services.packages import NodePackages
from bench.services.recipe import HOST, Credentials, Launch, Recipe, Site

_TOKEN = "icepick-benchmark-token"
_VISITORS = "5b2a1f0e-6a3d-4c1b-9f55-0d6f0b7f1c22"


def directus() -> Recipe:
    """OpenAPI 3.0, a static token of the administrator."""
    return Recipe(
        name="directus",
        version="11.17.4",
        packages=NodePackages(("directus@11.17.4",), before="2026-11-15"),
        launch=_launch,
        example=Call("POST", "/items/shelves", {"label": "A"}),
    )


def _launch(site: Site) -> Launch:
    program = (
        shutil.which("node") or "node",
        str(site.home / "node_modules" / "directus" / "cli.js"),
    )
    return Launch(
        command=(*program, "start"),
        document="/server/specs/oas",
        ready="/server/ping",
        credentials=Credentials({"Authorization": f"Bearer {_TOKEN}"}),
        environment=_settings(site),
        files={"uploads/.keep": "", "extensions/.keep": ""},
        before=((*program, "bootstrap"),),
        after=(*_collections(), _visitors()),
    )


def _settings(site: Site) -> Mapping[str, str]:
    """Mail goes nowhere, and load is never a reason to refuse."""
    return {
        "HOST": HOST,
        "PORT": str(site.port),
        "PUBLIC_URL": site.origin,
        "DB_CLIENT": "sqlite3",
        "DB_FILENAME": str(site.folder / "data.db"),
        "STORAGE_LOCAL_ROOT": str(site.folder / "uploads"),
        "EXTENSIONS_PATH": str(site.folder / "extensions"),
        "SECRET": "icepick-benchmark-secret",
        "ADMIN_EMAIL": "admin@example.com",
        "ADMIN_PASSWORD": "icepick-benchmark",
        "ADMIN_TOKEN": _TOKEN,
        "TELEMETRY": "false",
        "SERVE_APP": "false",
        "LOG_STYLE": "raw",
        "PRESSURE_LIMITER_ENABLED": "false",
        "EMAIL_VERIFY_SETUP": "false",
        "EMAIL_TRANSPORT": "smtp",
        "EMAIL_SMTP_HOST": HOST,
        "EMAIL_SMTP_PORT": "9",
    }


def _collections() -> tuple[Call, ...]:
    """One kind of key each: counted by the service, drawn by the service, chosen by the client."""
    counted = {"is_primary_key": True, "has_auto_increment": True}
    return (
        _collection("shelves", _key("integer", counted), _text("label")),
        _collection(
            "volumes",
            _key("uuid", {"is_primary_key": True}, special=["uuid"]),
            _text("title"),
            {"field": "pages", "type": "integer"},
            {"field": "shelf", "type": "integer"},
        ),
        _collection("readers", _key("string", {"is_primary_key": True}), _text("name")),
        Call(
            "POST",
            "/relations",
            {
                "collection": "volumes",
                "field": "shelf",
                "related_collection": "shelves",
                "schema": {"on_delete": "NO ACTION"},
            },
        ),
    )


def _collection(name: str, *fields: Mapping[str, object]) -> Call:
    """A collection whose items can have versions."""
    meta = {"versioning": True}
    body = {"collection": name, "meta": meta, "schema": {}, "fields": list(fields)}
    return Call("POST", "/collections", body)


def _visitors() -> Call:
    """A policy that nobody has yet: its holders may read what is on the shelves."""
    readable = [
        {"collection": name, "action": "read", "fields": ["*"]} for name in ("shelves", "volumes")
    ]
    return Call("POST", "/policies", {"id": _VISITORS, "name": "Visitors", "permissions": readable})


def _key(
    kind: str, schema: Mapping[str, object], special: list[str] | None = None
) -> Mapping[str, object]:
    meta = {} if special is None else {"special": special}
    return {"field": "id", "type": kind, "meta": meta, "schema": schema}


def _text(name: str) -> Mapping[str, object]:
    return {"field": name, "type": "string", "schema": {"is_nullable": False}}
