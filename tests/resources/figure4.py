"""The running example of the Morest paper: six operations on pets and orders."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from icepick.openapi import ApiSpec, read_spec


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/definitions/{name}"}


def _answer(name: str) -> dict[str, Any]:
    return {"200": {"description": "found", "schema": _ref(name)}}


def _path_id(name: str) -> list[dict[str, Any]]:
    return [{"name": name, "in": "path", "required": True, "type": "integer"}]


def _body(name: str) -> list[dict[str, Any]]:
    return [{"name": "body", "in": "body", "schema": _ref(name)}]


DONE = {"200": {"description": "done"}}

DOCUMENT: dict[str, Any] = {
    "swagger": "2.0",
    "info": {"title": "pets and orders", "version": "1"},
    "paths": {
        "/pet": {"post": {"operationId": "addPet", "parameters": _body("Pet"), "responses": DONE}},
        "/pet/findByStatus": {
            "get": {
                "operationId": "findPetsByStatus",
                "parameters": [{"name": "status", "in": "query", "type": "string"}],
                "responses": _answer("Pet"),
            }
        },
        "/pet/{petId}": {
            "get": {
                "operationId": "getPetById",
                "parameters": _path_id("petId"),
                "responses": _answer("Pet"),
            }
        },
        "/store/order": {
            "post": {
                "operationId": "placeOrder",
                "parameters": _body("Order"),
                "responses": DONE,
            }
        },
        "/store/order/{orderId}": {
            "get": {
                "operationId": "getOrderById",
                "parameters": _path_id("orderId"),
                "responses": _answer("Order"),
            },
            "delete": {
                "operationId": "deleteOrder",
                "parameters": _path_id("orderId"),
                "responses": DONE,
            },
        },
    },
    "definitions": {
        "Order": {
            "type": "object",
            "properties": {
                "id": {"type": "integer"},
                "petId": {"type": "integer"},
                "status": {"type": "string"},
            },
        },
        "Pet": {
            "type": "object",
            "properties": {
                "id": {"type": "integer"},
                "name": {"type": "string"},
                "status": {"type": "string"},
            },
        },
    },
}


def petstore(folder: Path) -> ApiSpec:
    """The example as a specification."""
    file = folder / "figure4.json"
    file.write_text(json.dumps(DOCUMENT))
    return read_spec(str(file))
