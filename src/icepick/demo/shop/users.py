"""Users: 21 fields, and rules between them that the document does not tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from icepick.demo.shop.problems import FieldError, not_found, refuse_if
from icepick.demo.shop.store import Store
from icepick.demo.shop.types import JsonObject, Listing, User, user_json
from icepick.demo.shop.user_rules import RULES
from icepick.demo.shop.validation import rule_errors, schema_errors

DEFAULTS: JsonObject = {"account_type": "private", "locale": "en", "newsletter": False}


class Users(Store):
    """Accounts of visitors."""

    def list_users(self, query: Mapping[str, str]) -> Listing:
        """One page of users."""
        found = [user_json(user) for user in self.users.values()]
        return self.listing(found, self.page_of(query))

    def create_user(self, body: Any) -> User:
        """Open an account."""
        refuse_if(422, self.user_errors(body))
        fields = DEFAULTS | body
        self.check_unique(fields)
        return self.save_user(User(self.new_id(), fields, self.now()))

    def user(self, user_id: str) -> User:
        """The user with this id."""
        if user_id not in self.users:
            raise not_found("user", user_id)
        return self.users[user_id]

    def update_user(self, user_id: str, body: Any) -> User:
        """Change the fields of a user that are sent; null removes one."""
        user = self.user(user_id)
        refuse_if(422, schema_errors("UserPatch", body))
        fields = _merged(user.fields, body)
        refuse_if(422, rule_errors(RULES, fields, ()))
        self.check_unique(fields, owner=user_id)
        return self.save_user(replace(user, fields=fields))

    def delete_user(self, user_id: str) -> None:
        """Close an account."""
        del self.users[self.user(user_id).id]

    def save_user(self, user: User) -> User:
        """Keep a user as it is now."""
        self.users[user.id] = user
        return user

    def user_errors(self, body: Any) -> list[FieldError]:
        """Everything that is wrong with the fields of a new user."""
        errors = schema_errors("UserInput", body)
        if isinstance(body, dict):
            errors += rule_errors(RULES, DEFAULTS | body, errors)
        return errors

    def check_unique(self, fields: JsonObject, owner: str | None = None) -> None:
        """Refuse a user name or an e-mail address that another user has."""
        others = [user.fields for user in self.users.values() if user.id != owner]
        refuse_if(
            409,
            [
                FieldError(name, f"{name} {fields[name]!r} is already taken by another user")
                for name in ("username", "email")
                if fields[name].lower() in self.taken(name, others)
            ],
        )

    def taken(self, name: str, users: list[Mapping[str, Any]]) -> set[str]:
        """The values of a field that users have, in lower case."""
        return {user[name].lower() for user in users}


def _merged(fields: Mapping[str, Any], patch: JsonObject) -> JsonObject:
    return {name: value for name, value in {**fields, **patch}.items() if value is not None}
