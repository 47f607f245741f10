"""Operations that a test should not make unasked: they end the service, lock the caller out, or
reach past what the test created.

What stands below an instance (`/kernels/{id}/restart`) is the test's own and is never dangerous.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from icepick.openapi.shape import Property, Schemas, keyword, properties, types
from icepick.openapi.types import ApiSpec, ParameterLocation, Schema
from icepick.resources.fields import inputs, request_schema
from icepick.resources.filters import equality_filter
from icepick.resources.lockouts import (
    ME,
    changes_me,
    signs_out,
    touches_password,
    touches_two_factor,
    turns_secret,
)
from icepick.resources.wording import Wording, in_words, phrase
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
_CONFIG = re.compile(r"(?:\w+ )?(?:config|configuration|settings)|logs? rotate|rotate logs?")
_LOADS = re.compile(r"(?:import|restore|apply|migrate|rollback)(?: \w+)?")
_SAYS_CONTENT = re.compile(rf"\b(?:{_CONTENT})\b")
_RUNS = re.compile(rf"(?:execute|exec|eval|run|shell|sql)(?: (?:{_CODE}))?")
_SAYS_RUN = re.compile(rf"^(?:execute|run)s? (?:an? |the |arbitrary )*(?:{_CODE})\b")
_MAIL = re.compile(r"(?:send )?(?:invites?|mails?|e ?mails?|sms)")
_SAYS_MAIL = re.compile(r"^invites?\b|^sends?\b.*\b(?:e ?mails?|mails?|sms|invit\w*)\b")
_CARRIES = re.compile(r"graph ?ql|batch|(?:json )?rpc")
_REQUESTS = frozenset({"requests", "operations", "calls", "queries"})
_CHOSEN = re.compile(rf"(?:{_END}|\w+ (?:{_CLEAR})|(?:{_CLEAR})(?: (?:{_ALL}))?)")
_HARMLESS = re.compile(
    r"stop|halt|kill|terminate|reload|quit|exit|suspend|clear|reset|drop|invalidate|evict"
)
"""Words that, alone in a list of choices, are said of ordinary things too."""


def dangerous(spec: ApiSpec) -> Mapping[str, str]:
    """The operations that look dangerous by their id, and in a word or two what they would do."""
    found = {}
    for call in in_words(spec):
        reason = next((reason for reason, test in _RULES if test(call)), None)
        if reason is not None:
            found[call.operation.id] = reason
    return found


def _ends_service(call: Wording) -> bool:
    chosen = call.changes and call.is_alone and _offers(call, re.compile(_END))
    said = call.changes and not call.has_holes and call.says(_SAYS_END)
    named = call.is_alone and _ENDS.fullmatch(phrase(call.operation.id)) is not None
    replaced = call.changes and (call.is_called(_REPLACES) or named)
    ended = call.is_called(_ENDS) and not _stops_what_can_start(call)
    return ended or said or chosen or replaced or _switches_mode(call)


def _stops_what_can_start(call: Wording) -> bool:
    """Whether it stops something other than the service, which is started beside it."""
    below = len(call.parts) > 1 and re.fullmatch(_SERVICE, call.parts[-2]) is None
    return call.last == "stop" and below and call.has_start


def _switches_mode(call: Wording) -> bool:
    """Whether the whole service is told to serve nobody, or to take no changes any more."""
    if not call.changes or not call.is_called(_MODE):
        return False
    fields = inputs(call.operation, call.schemas)
    return not fields or any("boolean" in types(one.schema, call.schemas) for one in fields)


def _clears(call: Wording) -> bool:
    if call.is_called(_CLEARS):
        return True
    if not call.changes or call.has_holes:
        return False
    whole = call.operation.method == "DELETE" and call.is_called(_WHOLE)
    return whole or call.says(_SAYS_CLEAR) or (call.is_alone and _offers(call, _CHOSEN))


def _offers(call: Wording, pattern: re.Pattern[str]) -> bool:
    """Whether one of the choices that an input leaves is called so."""
    for field in inputs(call.operation, call.schemas):
        for value in keyword(field.schema, "enum", call.schemas) or ():
            text = phrase(value) if isinstance(value, str) else ""
            if pattern.fullmatch(text) and not _HARMLESS.fullmatch(text):
                return True
    return False


def _deletes_all(call: Wording) -> bool:
    if call.operation.method != "DELETE" or call.has_holes or not call.parts:
        return False
    body = call.operation.request_body
    told = _must_ask(call) or bool(body and body.required)
    return (call.is_collection or is_plural(call.last)) and not told


def _must_ask(call: Wording) -> bool:
    """Whether a call on a list must say which of it is meant."""
    return any(one.required for one in call.operation.parameters_in(ParameterLocation.QUERY))


def _changes_many(call: Wording) -> bool:
    if call.has_holes or not call.changes:
        return False
    if _BULK.fullmatch(call.last):
        return True
    method, schema = call.operation.method, request_schema(call.operation)
    if method not in {"PUT", "PATCH"} or not call.is_collection or schema is None:
        return False
    text = f"{call.said} {phrase(call.operation.description)}"
    chosen = _must_ask(call) or _can_ask_for_one(call)
    return bool(_MANY.search(text)) and not _lists(schema, call.schemas) and not chosen


def _can_ask_for_one(call: Wording) -> bool:
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


def _removes_matching(call: Wording) -> bool:
    """Whether whatever fits a description is removed, and no identifier says what that is."""
    if call.has_holes or not call.changes or not _MATCHING.fullmatch(call.last):
        return False
    fields = inputs(call.operation, call.schemas)
    named = {word for field in fields if len(field.path) == 1 for word in words(field.name)[-1:]}
    return bool(fields) and not named & {*ID_WORDS, "ids", "keys", "names"}


def _configures(call: Wording) -> bool:
    if not call.changes or not call.is_alone or ME & set(call.parts):
        return False
    served = call.parts[:1] == ("admin",) and call.operation.method != "POST"
    return served or call.is_called(_CONFIG)


def _loads(call: Wording) -> bool:
    if not call.changes or not _LOADS.fullmatch(call.last):
        return False
    before = call.operation.path.rstrip("/").split("/")[: -1 - call.ends_in_hole]
    if any("{" in part for part in before):
        return False
    about = _SAYS_CONTENT.search(f"{' '.join(call.parts)} {call.said}") is not None
    return call.ends_in_hole or about


def _runs_code(call: Wording) -> bool:
    if not call.changes or call.has_holes:
        return False
    return call.is_called(_RUNS) or call.says(_SAYS_RUN)


def _sends_mail(call: Wording) -> bool:
    post = call.operation.method == "POST" and not call.is_collection
    return post and (call.is_called(_MAIL) or call.says(_SAYS_MAIL))


def _carries_requests(call: Wording) -> bool:
    if not call.changes or not call.is_called(_CARRIES):
        return False
    schema = request_schema(call.operation)
    names = set(properties(schema, call.schemas)) if schema is not None else set()
    return call.last != "batch" or not names or bool(names & _REQUESTS)


def _deletes_user_data(call: Wording) -> bool:
    return call.operation.method == "DELETE" and "user data" in call.parts


_RULES: tuple[tuple[str, Callable[[Wording], bool]], ...] = (
    ("shutdown", _ends_service),
    (LOGOUT, signs_out),
    ("password", touches_password),
    ("two-factor sign-in", touches_two_factor),
    ("token of the caller", turns_secret),
    ("current user", changes_me),
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
