"""Requests read and responses built, in the ways that all handlers of the shop share."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from aiohttp import web

from icepick.demo.http import parsed_json
from icepick.demo.shop.problems import Problem
from icepick.demo.shop.types import JsonObject, Listing

PREFIX = "/v1"
JSON = "application/json"
MERGE_PATCH = "application/merge-patch+json"


async def read_json(request: web.Request, content_type: str = JSON) -> Any:
    """The JSON body of a request; refused with 415, 413 or 400 where there is none."""
    if request.content_type != content_type:
        raise Problem(415, f"Content-Type must be {content_type}, not {request.content_type}")
    try:
        return parsed_json((await request.read()).decode())
    except web.HTTPRequestEntityTooLarge:
        raise Problem(413, "the body must not be larger than 1 MiB") from None
    except web.RequestPayloadError as error:
        # The rest of the connection cannot be made sense of.
        closing = {"Connection": "close"}
        raise Problem(400, f"the body cannot be read: {error}", headers=closing) from error
    except ValueError as error:
        raise Problem(400, f"the body is not JSON: {error}") from error


def bearer_token(request: web.Request) -> str:
    """The token of a request, empty where there is none."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def entity_tags(request: web.Request) -> Collection[str] | None:
    """The entity tags of If-Match, None without the header; weak ones never match."""
    text = request.headers.get("If-Match")
    if text is None:
        return None
    if text == "*":
        return ["*"]
    # A quoted star is a tag like any other, and no customer has it.
    tags = request.if_match or ()
    return [tag.value for tag in tags if not tag.is_weak and tag.value != "*"]


def created(path: str, body: JsonObject, **headers: str) -> web.Response:
    """201, with the place of what was created."""
    return web.json_response(body, status=201, headers={"Location": PREFIX + path, **headers})


def page_response(request: web.Request, listing: Listing) -> web.Response:
    """One page of a list in its envelope."""
    page = listing.page
    following = request.rel_url.update_query(page=str(page.number + 1))
    return web.json_response(
        {
            "data": listing.items,
            "page": page.number,
            "page_size": page.size,
            "total": listing.total,
            "next": None if listing.is_last else str(following),
        }
    )


def no_content() -> web.Response:
    """204."""
    return web.Response(status=204)
