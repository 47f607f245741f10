"""Small documents to break."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from icepick.errors import Severity
from icepick.openapi import ApiSpec

OK = {"200": {"description": "ok"}}


def v3(paths: Any = None, version: str = "3.0.3", **more: Any) -> dict[str, Any]:
    """An OpenAPI 3 document."""
    paths = {"/pets": {"get": {"responses": OK}}} if paths is None else paths
    return {"openapi": version, "info": {"title": "t", "version": "1"}, "paths": paths, **more}


def v2(paths: Any = None, **more: Any) -> dict[str, Any]:
    """A Swagger 2.0 document."""
    paths = {"/pets": {"get": {"responses": OK}}} if paths is None else paths
    return {"swagger": "2.0", "info": {"title": "t", "version": "1"}, "paths": paths, **more}


def operation(**more: Any) -> dict[str, Any]:
    """An OpenAPI 3 document whose GET /pets has these keys."""
    return v3({"/pets": {"get": {"responses": OK, **more}}})


def schemas(named: Mapping[str, Any], version: str = "3.0.3") -> dict[str, Any]:
    """An OpenAPI 3 document with these schemas."""
    return v3(version=version, components={"schemas": dict(named)})


def schema(value: Any, version: str = "3.0.3") -> dict[str, Any]:
    """An OpenAPI 3 document with one schema, S."""
    return schemas({"S": value}, version)


def codes(spec: ApiSpec) -> list[str]:
    """The diagnostics, notes left out, as `CODE pointer`."""
    return [
        f"{d.code.name} {d.place.pointer or ''}".strip()
        for d in spec.diagnostics
        if d.severity is not Severity.NOTE
    ]
