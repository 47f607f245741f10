"""What looks dangerous, and what only sounds like it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from icepick.openapi import read_spec
from icepick.resources.danger import dangerous
from tests.resources.conftest import Read
from tests.resources.documents import NUMBER, TEXT, many, obj, op

ROOT = Path(__file__).parents[2]
DOCUMENTS = ROOT.parent / "shared" / "data" / "oas"
Json = dict[str, Any]

REQUESTS = obj(requests=many(obj(method=TEXT, path=TEXT)))
CHOICE = obj(operation={"type": "string", "enum": ["reload", "shutdown"]})
PLUGINS = obj(operation={"type": "string", "enum": ["vacuum", "plugin_reset"]})

DANGEROUS: list[tuple[str, str, Json | None, str]] = [
    ("POST /server/shutdown", "", None, "shutdown"),
    ("GET /irc/restart/", "Restarts IRC connections", None, "shutdown"),
    ("POST /server/manage/", "Manage server operations", CHOICE, "shutdown"),
    ("POST /control", "Shut down the server", None, "shutdown"),
    ("POST /reload", "", None, "shutdown"),
    ("POST /v3/controller/reload", "Reload the controller", None, "shutdown"),
    ("POST /actions/shutdown/now", "", None, "shutdown"),
    ("POST /system/power-cycle", "", None, "shutdown"),
    ("POST /quit", "", None, "shutdown"),
    ("POST /control", "Reload the configuration", None, "shutdown"),
    ("PUT /state", "Put the cluster into maintenance mode", None, "shutdown"),
    ("POST /admin/state", "Enabled/disabled maintenance mode", obj(on=TEXT), "shutdown"),
    ("POST /admin/maintenance", "", obj(enabled={"type": "boolean"}), "shutdown"),
    ("PUT /read-only", "", None, "shutdown"),
    ("POST /system/update", "", None, "shutdown"),
    ("POST /auth/logout/all", "", None, "logout"),
    ("POST /auth/logout_everywhere", "", None, "logout"),
    ("POST /auth/sign-out-all-sessions", "", None, "logout"),
    ("POST /sessions/revoke-all", "", None, "changes many at once"),
    ("POST /factory-reset", "", None, "clears everything"),
    ("PUT /state", "Go back to factory defaults", None, "clears everything"),
    ("POST /cache/invalidate", "", None, "clears everything"),
    ("POST /logs/rotate", "", None, "configuration"),
    ("POST /auth/logout", "", None, "logout"),
    ("GET /user/logout", "Log out", None, "logout"),
    ("DELETE /sessions/current", "Log out", None, "logout"),
    ("POST /auth/password/reset", "Reset a Password", None, "password"),
    ("PUT /user/", "Change user password", obj(password=TEXT), "password"),
    ("POST /users/me/tfa/enable", "Enable 2FA", None, "two-factor sign-in"),
    ("PUT /user/token/", "Change current user token", None, "token of the caller"),
    ("POST /auth/keys/rotate", "", None, "token of the caller"),
    ("POST /current-user/reset-token/", "Reset your token", None, "token of the caller"),
    ("PATCH /users/me", "Update Current User", None, "current user"),
    ("DELETE /me", "", None, "current user"),
    ("PUT /user", "Update current user", obj(user=obj(email=TEXT)), "current user"),
    ("PATCH /api/v1/auth", "Update", obj(username=TEXT), "current user"),
    ("PUT /account", "Update", obj(email=TEXT), "current user"),
    ("PATCH /profile", "", obj(username=TEXT, bio=TEXT), "current user"),
    ("DELETE /__user_data__/{principal}", "", None, "deletes data of the user"),
    ("POST /utils/cache/clear", "Clear Cache", None, "clears everything"),
    ("POST /database/", "Perform DB operations", PLUGINS, "clears everything"),
    ("DELETE /admin/cache", "", None, "clears everything"),
    ("DELETE /failed/", "Clear all failed entries", None, "clears everything"),
    ("DELETE /buckets", "", None, "deletes a whole list"),
    ("POST /flows/bulk_delete", "Bulk Delete Flows", None, "changes many at once"),
    ("POST /entries/remove", "", obj(method=TEXT, url=TEXT), "removes whatever matches"),
    ("POST /entries/remove-by-label", "", obj(label=TEXT), "removes whatever matches"),
    ("PATCH /settings", "Update Settings", obj(name=TEXT), "configuration"),
    ("POST /server/raw_config/", "Update config", obj(raw=TEXT), "configuration"),
    ("PUT /admin/storage", "", obj(path=TEXT), "configuration"),
    ("POST /schema/apply", "Apply Schema Difference", None, "import or restore"),
    ("POST /utils/import/{collection}", "Import Items", None, "import or restore"),
    ("POST /tasks/execute/", "Execute task and stream results", None, "runs commands"),
    ("POST /inject/", "Execute task and stream results", None, "runs commands"),
    ("POST /users/invite", "Invite User(s)", None, "sends mail"),
    ("POST /orders/{id}/receipt", "Send the receipt by e-mail", None, "sends mail"),
    ("POST /batch", "", REQUESTS, "carries other requests"),
    ("POST /graphql", "", None, "carries other requests"),
]

ORDINARY: list[tuple[str, str, Json | None]] = [
    ("PATCH /profile", "", obj(bio=TEXT)),
    ("PATCH /accounts/{id}", "Update", obj(email=TEXT)),
    ("POST /api/v1/auth", "Login", obj(username=TEXT, password=TEXT)),
    ("POST /api/kernels/{kernel_id}/restart", "Restart a kernel", None),
    ("POST /timers/{id}/stop", "", None),
    ("POST /projects/{id}/reload", "Reload a project", None),
    ("POST /devices/{id}/factory-reset", "Factory reset of a device", None),
    ("POST /users/{id}/logout/all", "", None),
    ("POST /images/rotate", "", obj(degrees=NUMBER)),
    ("POST /maintenance", "Plan maintenance", obj(day=TEXT)),
    ("POST /jobs", "", obj(action={"type": "string", "enum": ["reload", "suspend"]})),
    ("GET /stop/all", "All stops of a line", None),
    ("GET /exits", "The exits of a motorway", None),
    ("POST /orders/update", "Update an order", obj(id=TEXT)),
    ("POST /limits/tag/{tag}/reset", "Reset a limit by tag", None),
    ("GET /stops", "The stops of a line", None),
    ("POST /entries/remove", "", obj(entry_id=TEXT)),
    ("POST /entries/remove-by-id", "", obj(value=TEXT)),
    ("POST /notices/remove", "", None),
    ("POST /orders/{id}/commands", "", obj(action={"type": "string", "enum": ["stop", "go"]})),
    ("POST /lights", "", obj(action={"type": "string", "enum": ["stop", "go"]})),
    ("DELETE /cart", "Empty the cart", None),
    ("DELETE /series/{show}/episodes/", "Delete all episodes of a show", None),
    ("DELETE /users/{id}", "Remove a user", None),
    ("PUT /users/{id}/password", "Change the password of a user", obj(password=TEXT)),
    ("GET /users/me", "Retrieve Current User", None),
    ("PATCH /users/me/track/page", "Update Last Page", obj(last_page=TEXT)),
    ("POST /user", "Register a new user", obj(password=TEXT)),
    ("DELETE /tokens/{id}", "Revoke a token", None),
    ("POST /devices/{id}/reset-token", "Reset the token of a device", None),
    ("GET /server/config/", "", None),
    ("PATCH /api/config/{section}", "Update a section", obj(a=TEXT)),
    ("POST /versions/{id}/restore", "Restore a version of the schema", None),
    ("POST /projects/import", "Import a project", obj(name=TEXT)),
    ("GET /tasks/execute/params/", "Execute payload parameters", None),
    ("POST /search", "Execute a search", obj(text=TEXT)),
    ("POST /invitations", "", obj(name=TEXT)),
    ("POST /batch", "", obj(size=NUMBER)),
    ("POST /messages", "", obj(text=TEXT)),
]


def reasons(read: Read, label: str, summary: str, takes: Json | None) -> dict[str, str]:
    return dict(dangerous(read({label: {**op(takes), "summary": summary}})))


@pytest.mark.parametrize(("label", "summary", "takes", "reason"), DANGEROUS)
def test_dangerous(read: Read, label: str, summary: str, takes: Json | None, reason: str) -> None:
    assert list(reasons(read, label, summary, takes).values()) == [reason]


@pytest.mark.parametrize(("label", "summary", "takes"), ORDINARY)
def test_ordinary(read: Read, label: str, summary: str, takes: Json | None) -> None:
    assert reasons(read, label, summary, takes) == {}


def test_a_command_by_its_id_alone(read: Read) -> None:
    named = {**op(), "operationId": "restartServer"}
    assert dangerous(read({"POST /control": named})) == {"restartServer": "shutdown"}
    own = {**op(), "operationId": "restart"}
    assert dangerous(read({"POST /kernels/{id}/control": own})) == {}


def test_what_is_started_may_be_stopped(read: Read) -> None:
    both = {"POST /recordings/start": op(), "POST /recordings/stop": op()}
    assert dangerous(read(both)) == {}
    served = {"POST /server/start": op(), "POST /server/stop": op()}
    assert list(dangerous(read(served)).values()) == ["shutdown"]


def test_a_word_that_names_a_resource_is_no_command(read: Read) -> None:
    own = {"POST /batch": op(), "GET /batch/{id}": op(), "GET /stop": op(), "GET /stop/{id}": op()}
    assert dangerous(read(own)) == {}


def test_a_deletion_that_must_say_which_is_no_deletion_of_all(read: Read) -> None:
    told = op()
    told["parameters"] = [{"name": "ids", "in": "query", "required": True, "schema": TEXT}]
    assert dangerous(read({"DELETE /pets": told, "GET /pets/{id}": op()})) == {}
    assert len(dangerous(read({"DELETE /pets": op(), "GET /pets/{id}": op()}))) == 1


def test_changing_what_a_filter_lets_through(read: Read) -> None:
    every = {**op(obj(name=TEXT)), "description": "Update one or more books in the database."}
    keyed = {**op(obj(keys=many(TEXT), data=obj())), "summary": "Update multiple books"}
    item = {"GET /books/{id}": op()}
    assert list(dangerous(read({"PUT /books": every, **item})).values()) == ["changes many at once"]
    assert dangerous(read({"PUT /books": keyed, **item})) == {}
    chosen = {**every, "parameters": op(query=["where.title.eq", "where.id.eq"])["parameters"]}
    assert dangerous(read({"PUT /books": chosen, **item})) == {}
    broad = {**every, "parameters": op(query=["where.title.eq", "where.id.neq"])["parameters"]}
    assert len(dangerous(read({"PUT /books": broad, **item}))) == 1


CAUGHT = {
    "realworld-app.json": {"PUT /user"},
    "spacex-api.json": {"DELETE /admin/cache"},
    "swagger-petstore.json": {"GET /user/logout"},
    "petstore.yaml": {"GET /user/logout"},
    "shop.yaml": {"DELETE /sessions/current"},
}
FILES = [*sorted((ROOT / "examples").glob("*.yaml")), *sorted(DOCUMENTS.glob("*.*"))]


@pytest.mark.parametrize("document", FILES, ids=lambda path: path.name)
def test_real_documents(document: Path) -> None:
    spec = read_spec(str(document))
    found = dangerous(spec)
    labels = {one.label for one in spec.operations if one.id in found}
    assert labels == CAUGHT.get(document.name, set())
