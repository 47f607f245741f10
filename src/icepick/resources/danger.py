"""Operations that a test should not make unasked: they end the service, lock the caller out, or
reach past what the test created.

What stands below an instance (`/kernels/{id}/restart`) is the test's own and is never dangerous.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from icepick.openapi.shape import Property, Schemas, keyword, properties, types
from icepick.openapi.types import ApiSpec, Operation, ParameterLocation, Schema
from icepick.resources.fields import inputs, request_schema
from icepick.resources.filters import equality_filter
from icepick.resources.words import ID_WORDS, is_plural, words

LOGOUT = "logout"
_SERVICE = (
    "server|service|daemon|system|app|application|instance|node|controller|gateway|host|machine"
    "|device|cluster|process|workers?"
)
_MACHINE = "server|system|daemon|host|machine|device|firmware"
_ALL = "all|everything|cache|caches|db|database|databases|data|store|storage|schema|index|indexes"
_END = (
    "shut ?down|restart|reboot|reload|power ?(?:off|down|cycle)|halt|stop|kill|terminate|quit|exit"
    "|suspend|hibernate"
)
_CLEAR = "flush|clear|reset|wipe|truncate|purge|erase|nuke|drop|invalidate|evict"
_TOKENS = "tokens?|keys?|api ?keys?|secrets?|credentials?"
_CONTENT = "schema|schemas|snapshots?|backups?|dumps?|databases?|migrations?|state"
_CODE = "tasks?|commands?|scripts?|code|sql|programs?|jobs?|shell"

_ENDS = re.compile(rf"(?:{_END})(?: (?:{_SERVICE}|all|now))?|(?:{_SERVICE}) (?:{_END})")
_SAYS_END = re.compile(
    rf"\b(?:shut(?:s|ting)? ?down|reboot\w*|(?:re)?starts? the (?:{_SERVICE})"
    rf"|(?:stop|restart|reload|kill|halt|suspend)s? (?:the |this )?(?:{_SERVICE}|configuration)"
    rf"|power(?:s|ing)? ?(?:off|down|cycle)"
    rf"|(?:enter|(?:en|dis)able|put|set|toggle|start|switch|turn)(?:s|d|ed)?\b.*"
    rf"\b(?:maintenance|read only|safe|lockdown) mode)\b"
)
_MODE = re.compile(r"maintenance|(?:maintenance|read ?only|safe|offline) mode|read ?only|lockdown")
_REPLACES = re.compile(rf"(?:{_MACHINE}) (?:self )?(?:upgrade|update|downgrade)|self ?update")
_CLEARS = re.compile(rf"(?:factory )?(?:{_CLEAR})(?: (?:{_ALL}))?|(?:{_ALL}) (?:{_CLEAR})")
_SAYS_CLEAR = re.compile(
    rf"^(?:{_CLEAR}|delete|remove)s? (?:(?:all|every|everything)\b"
    rf"|(?:the )?(?:whole |entire )?(?:cache|caches|database|db|schema)\b)"
    r"|\bfactory (?:reset|defaults)"
)
_WHOLE = re.compile(rf"(?:\w+ )?(?:{_ALL}|logs?|queue)")
_BULK = re.compile(
    r"(?:bulk|multi|mass) (?:delete|remove|set|update|purge|cancel)\b.*"
    r"|(?:delete|remove|purge|cancel|revoke|invalidate|expire|disable|reset|end) (?:all|bulk|many)"
)
_MATCHING = re.compile(r"(?:delete|remove|purge)(?: by (?!id\b|key\b|name\b)\w+.*)?")
_MANY = re.compile(r"\b(?:one or more|multiple|several|all|every|many|bulk)\b")
_OUT = re.compile(
    r"(?:log|sign) ?(?:out|off)(?: (?:all|everywhere|everyone|others))?"
    r"(?: (?:sessions|devices|users))?"
)
_SAYS_OUT = re.compile(r"^(?:user )?(?:log|sign)s? ?(?:out|off)\b|^(?:delete |post )?logout\b")
_TURN = re.compile(r"\b(?:rotate|reset|revoke|regenerate|invalidate|reissue|roll)[sd]?\b")
_PASSWORD = re.compile(r"\b(?:change|reset|forgot|forgotten|recover|update|set)\w*\b.*\bpassword\b")
_TWO_FACTOR = re.compile(r"\b(?:tfa|2 ?fa|mfa|otp|totp|two factor)\b")
_CONFIG = re.compile(r"(?:\w+ )?(?:config|configuration|settings)|logs? rotate|rotate logs?")
_LOADS = re.compile(r"(?:import|restore|apply|migrate|rollback)(?: \w+)?")
_SAYS_CONTENT = re.compile(rf"\b(?:{_CONTENT})\b")
_RUNS = re.compile(rf"(?:execute|exec|eval|run|shell|sql)(?: (?:{_CODE}))?")
_SAYS_RUN = re.compile(rf"^(?:execute|run)s? (?:an? |the |arbitrary )*(?:{_CODE})\b")
_MAIL = re.compile(r"(?:send )?(?:invites?|mails?|e ?mails?|sms)")
_SAYS_MAIL = re.compile(r"^invites?\b|^sends?\b.*\b(?:e ?mails?|mails?|sms|invit\w*)\b")
_CARRIES = re.compile(r"graph ?ql|batch|(?:json )?rpc")
_REQUESTS = frozenset({"requests", "operations", "calls", "queries"})
_ME = frozenset({"me", "self", "myself"})
_CALLER = frozenset({*_ME, "current user", "current account", "auth", "authentication", "whoami"})
_ALONE_CALLER = re.compile("user|(?:my |user )?(?:account|profile)|login")
_OWN = frozenset({"password", "role", "roles", "status", "token", "email", "username", "admin"})
_CHOSEN = re.compile(rf"(?:{_END}|\w+ (?:{_CLEAR})|(?:{_CLEAR})(?: (?:{_ALL}))?)")
_HARMLESS = re.compile(
    r"stop|halt|kill|terminate|reload|quit|exit|suspend|clear|reset|drop|invalidate|evict"
)
"""Words that, alone in a list of choices, are said of ordinary things too."""


@dataclass(frozen=True, slots=True)
class _Call:
    """An operation in words: the fixed parts of its path, its id, its summary."""

    operation: Operation
    schemas: Schemas
    parts: tuple[str, ...]
    """The fixed parts of the path, as words."""
    has_holes: bool
    ends_in_hole: bool
    is_collection: bool
    """Whether items have addresses below it."""
    item: str
    """The parameter by which they are addressed."""
    said: str
    can_start: bool
    """Whether what it stands below, other than the service, is started beside it."""

    @property
    def last(self) -> str:
        return self.parts[-1] if self.parts else ""

    @property
    def changes(self) -> bool:
        return not self.operation.is_safe

    @property
    def is_alone(self) -> bool:
        """Whether it is about no instance and no list: a command, or the one thing of its kind."""
        return not self.has_holes and not self.is_collection

    def is_called(self, pattern: re.Pattern[str]) -> bool:
        """Whether it is a command of that name: at the end of its path, where what changes
        something may have two parts for it (`/logout/all`)."""
        names = (self.last, " ".join(self.parts[-2:])) if self.changes else (self.last,)
        return self.is_alone and any(pattern.fullmatch(name) for name in names)

    def says(self, pattern: re.Pattern[str]) -> bool:
        return pattern.search(self.said) is not None


def dangerous(spec: ApiSpec) -> Mapping[str, str]:
    """The operations that look dangerous by their id, and in a word or two what they would do."""
    above = {
        _above(one.path): one.path.rstrip("/")[:-1].rpartition("{")[2] for one in spec.operations
    }
    paths = frozenset(one.path.rstrip("/") for one in spec.operations)
    found = {}
    for operation in spec.operations:
        call = _call(operation, spec.schemas, above, paths)
        reason = next((reason for reason, test in _RULES if test(call)), None)
        if reason is not None:
            found[operation.id] = reason
    return found


def _above(path: str) -> str | None:
    """The path of the list that an item path is in."""
    start, _, last = path.rstrip("/").rpartition("/")
    return start if last.startswith("{") else None


def _call(
    operation: Operation,
    schemas: Schemas,
    above: Mapping[str | None, str],
    paths: frozenset[str],
) -> _Call:
    path = operation.path.rstrip("/")
    parts = [part for part in path.split("/") if part]
    fixed = tuple(_phrase(part) for part in parts if "{" not in part)
    below = len(fixed) > 1 and re.fullmatch(_SERVICE, fixed[-2]) is None
    return _Call(
        operation,
        schemas,
        fixed,
        "{" in path,
        bool(parts) and "{" in parts[-1],
        path in above,
        above.get(path, ""),
        _phrase(operation.summary or operation.description.partition(".")[0]),
        below and f"{path.rpartition('/')[0]}/start" in paths,
    )


def _phrase(text: str) -> str:
    return " ".join(words(text))


def _ends_service(call: _Call) -> bool:
    chosen = call.changes and call.is_alone and _offers(call, re.compile(_END))
    said = call.changes and not call.has_holes and call.says(_SAYS_END)
    named = call.is_alone and _ENDS.fullmatch(_phrase(call.operation.id)) is not None
    replaced = call.changes and (call.is_called(_REPLACES) or named)
    stopped = call.last == "stop" and call.can_start
    ended = call.is_called(_ENDS) and not stopped
    return ended or said or chosen or replaced or _switches_mode(call)


def _switches_mode(call: _Call) -> bool:
    """Whether the whole service is told to serve nobody, or to take no changes any more."""
    if not call.changes or not call.is_called(_MODE):
        return False
    fields = inputs(call.operation, call.schemas)
    return not fields or any("boolean" in types(one.schema, call.schemas) for one in fields)


def _clears(call: _Call) -> bool:
    if call.is_called(_CLEARS):
        return True
    if not call.changes or call.has_holes:
        return False
    whole = call.operation.method == "DELETE" and call.is_called(_WHOLE)
    return whole or call.says(_SAYS_CLEAR) or (call.is_alone and _offers(call, _CHOSEN))


def _offers(call: _Call, pattern: re.Pattern[str]) -> bool:
    """Whether one of the choices that an input leaves is called so."""
    for field in inputs(call.operation, call.schemas):
        for value in keyword(field.schema, "enum", call.schemas) or ():
            text = _phrase(value) if isinstance(value, str) else ""
            if pattern.fullmatch(text) and not _HARMLESS.fullmatch(text):
                return True
    return False


def _deletes_all(call: _Call) -> bool:
    if call.operation.method != "DELETE" or call.has_holes or not call.parts:
        return False
    body = call.operation.request_body
    told = _must_ask(call) or bool(body and body.required)
    return (call.is_collection or is_plural(call.last)) and not told


def _must_ask(call: _Call) -> bool:
    """Whether a call on a list must say which of it is meant."""
    return any(one.required for one in call.operation.parameters_in(ParameterLocation.QUERY))


def _changes_many(call: _Call) -> bool:
    if call.has_holes or not call.changes:
        return False
    if _BULK.fullmatch(call.last):
        return True
    method, schema = call.operation.method, request_schema(call.operation)
    if method not in {"PUT", "PATCH"} or not call.is_collection or schema is None:
        return False
    text = f"{call.said} {_phrase(call.operation.description)}"
    chosen = _must_ask(call) or _can_ask_for_one(call)
    return bool(_MANY.search(text)) and not _lists(schema, call.schemas) and not chosen


def _can_ask_for_one(call: _Call) -> bool:
    """Whether the query can name the one instance that is meant: a run names one of its own."""
    return any(equality_filter(call.operation, name) is not None for name in ("id", call.item))


def _lists(schema: Schema, schemas: Schemas) -> bool:
    """Whether a body can say which ones are meant: it is a list, or has one of keys."""
    if "array" in types(schema, schemas):
        return True
    lists = [name for name, one in properties(schema, schemas).items() if _is_list(one, schemas)]
    return any(set(words(name)) & {"ids", "keys"} for name in lists)


def _is_list(part: Property, schemas: Schemas) -> bool:
    return "array" in types(part.schema, schemas)


def _removes_matching(call: _Call) -> bool:
    """Whether whatever fits a description is removed, and no identifier says what that is."""
    if call.has_holes or not call.changes or not _MATCHING.fullmatch(call.last):
        return False
    fields = inputs(call.operation, call.schemas)
    named = {word for field in fields if len(field.path) == 1 for word in words(field.name)[-1:]}
    return bool(fields) and not named & {*ID_WORDS, "ids", "keys", "names"}


def _signs_out(call: _Call) -> bool:
    if call.is_called(_OUT):
        return True
    return call.changes and not call.has_holes and call.says(_SAYS_OUT)


def _is_about_me(call: _Call) -> bool:
    """Whether the last fixed part is the caller: `/users/me`, `/auth`, `/user` beside no others."""
    return not call.has_holes and (call.last in _CALLER or call.is_called(_ALONE_CALLER))


def _changes_me(call: _Call) -> bool:
    method = call.operation.method
    if not _is_about_me(call) or method not in {"PUT", "PATCH", "DELETE"}:
        return False
    fields = inputs(call.operation, call.schemas)
    named = {word for field in fields for word in words(field.name)}
    return method == "DELETE" or not fields or bool(named & _OWN)


def _turns_secret(call: _Call) -> bool:
    if call.has_holes or not call.changes:
        return False
    mine = bool(_ME & set(call.parts[:-1])) or call.parts[-2:-1] == ("user",)
    named = re.fullmatch(rf"(?:\w+ )?(?:{_TOKENS})", call.last) is not None
    text = f"{' '.join(call.parts)} {call.said}"
    turned = _TURN.search(text) is not None and re.search(rf"\b(?:{_TOKENS})\b", text) is not None
    return turned or (named and mine)


def _touches_password(call: _Call) -> bool:
    if call.has_holes or not call.changes or call.is_collection:
        return False
    return "password" in " ".join(call.parts).split() or call.says(_PASSWORD)


def _touches_two_factor(call: _Call) -> bool:
    return call.changes and not call.has_holes and bool(_TWO_FACTOR.search(" ".join(call.parts)))


def _configures(call: _Call) -> bool:
    if not call.changes or not call.is_alone or _ME & set(call.parts):
        return False
    served = call.parts[:1] == ("admin",) and call.operation.method != "POST"
    return served or call.is_called(_CONFIG)


def _loads(call: _Call) -> bool:
    if not call.changes or not _LOADS.fullmatch(call.last):
        return False
    before = call.operation.path.rstrip("/").split("/")[: -1 - call.ends_in_hole]
    if any("{" in part for part in before):
        return False
    about = _SAYS_CONTENT.search(f"{' '.join(call.parts)} {call.said}") is not None
    return call.ends_in_hole or about


def _runs_code(call: _Call) -> bool:
    if not call.changes or call.has_holes:
        return False
    return call.is_called(_RUNS) or call.says(_SAYS_RUN)


def _sends_mail(call: _Call) -> bool:
    post = call.operation.method == "POST" and not call.is_collection
    return post and (call.is_called(_MAIL) or call.says(_SAYS_MAIL))


def _carries_requests(call: _Call) -> bool:
    if not call.changes or not call.is_called(_CARRIES):
        return False
    schema = request_schema(call.operation)
    names = set(properties(schema, call.schemas)) if schema is not None else set()
    return call.last != "batch" or not names or bool(names & _REQUESTS)


def _deletes_user_data(call: _Call) -> bool:
    return call.operation.method == "DELETE" and "user data" in call.parts


_RULES: tuple[tuple[str, Callable[[_Call], bool]], ...] = (
    ("shutdown", _ends_service),
    (LOGOUT, _signs_out),
    ("password", _touches_password),
    ("two-factor sign-in", _touches_two_factor),
    ("token of the caller", _turns_secret),
    ("current user", _changes_me),
    ("deletes data of the user", _deletes_user_data),
    ("clears everything", _clears),
    ("deletes a whole list", _deletes_all),
    ("changes many at once", _changes_many),
    ("removes whatever matches", _removes_matching),
    ("configuration", _configures),
    ("import or restore", _loads),
    ("runs commands", _runs_code),
    ("sends mail", _sends_mail),
    ("carries other requests", _carries_requests),
)
