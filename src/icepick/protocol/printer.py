"""From tree to text: one spelling, indented, that parses to the same tree."""

from __future__ import annotations

import re

from icepick.protocol.literals import print_literal
from icepick.protocol.tree import (
    Argument,
    Assertion,
    Clause,
    Declared,
    Definition,
    End,
    External,
    Function,
    Internal,
    Named,
    Receive,
    Recursion,
    Reference,
    Send,
    Session,
    Text,
)

_PLAIN_OPERATION = re.compile(r"[^\W\d][\w./-]*")
_STEP = "  "
_SHORT = 45


def print_text(text: Text) -> str:
    """A whole file."""
    includes = [f"include {print_literal(one.path)}\n" for one in text.includes]
    definitions = [print_definition(one) for one in text.definitions]
    return "\n".join(["".join(includes), *definitions] if includes else definitions)


def print_definition(definition: Definition) -> str:
    """A definition, with a line break at its end."""
    return f"{definition.name} =\n{_STEP}{_session(definition.body, _STEP)}\n"


def print_session(session: Session) -> str:
    """A session by itself."""
    return _session(session, "")


def _session(session: Session, indent: str) -> str:
    match session:
        case Internal(branches=(Send(weight=1) as only,), abridged=False):
            return _send(only, indent)
        case External(branches=(only,)):
            return _receive(only, indent)
        case Internal() | External():
            return _choice(session, indent)
        case Recursion(name=name, body=body, bound=bound):
            inner = indent + _STEP
            limit = "" if bound is None else f"[{bound}]"
            return f"rec {name}{limit}.(\n{inner}{_session(body, inner)}\n{indent})"
        case Reference(name=name):
            return name
        case End():
            return "end"


def _choice(choice: Internal | External, indent: str) -> str:
    inner = indent + _STEP
    if isinstance(choice, Internal):
        lines = [_weight(one.weight) + _send(one, inner) for one in choice.branches]
        lines += ["..."] if choice.abridged else []
    else:
        lines = [_receive(one, inner) for one in choice.branches]
    sign = "+" if isinstance(choice, Internal) else "&"
    return f"{sign}{{\n" + ",\n".join(inner + line for line in lines) + f"\n{indent}}}"


def _weight(weight: float) -> str:
    return "" if weight == 1 else f"[{weight}] "


def _send(send: Send, indent: str) -> str:
    """A call, with its response on the same line where there is but one."""
    plain = _PLAIN_OPERATION.fullmatch(send.operation)
    name = send.operation if plain else print_literal(send.operation)
    text = f"!{name}({', '.join(map(_argument, send.arguments))}) . "
    return text + _session(send.then, indent)


def _receive(receive: Receive, indent: str) -> str:
    variables = ", ".join(map(_declared, receive.variables))
    text = f"?C{receive.status}({variables}){_asserted(receive.assertions, indent)} ."
    if isinstance(receive.then, End | Reference):
        return f"{text} {_session(receive.then, indent)}"
    return f"{text}\n{indent}{_session(receive.then, indent)}"


def _asserted(assertions: tuple[Assertion, ...], indent: str) -> str:
    """Assertions in their angles, on lines of their own where they are long."""
    texts = [print_assertion(one) for one in assertions]
    if not texts:
        return ""
    if sum(map(len, texts)) <= _SHORT:
        return f"<{'; '.join(texts)}>"
    inner = f"\n{indent}{_STEP}{_STEP}"
    return f"<{inner}{f';{inner}'.join(texts)}>"


def _argument(argument: Argument) -> str:
    text = "" if argument.place is None else f"{argument.place} = "
    made = argument.made
    written = made.name if isinstance(made, Named) else print_literal(made.value) if made else ""
    if argument.variable is None:
        return text + written
    text += argument.variable
    if argument.type is None:
        return text
    return f"{text}: {argument.type}" + (f"({written})" if made else "")


def _declared(declared: Declared) -> str:
    place = "" if declared.place is None else f" = {declared.place}"
    return f"{declared.variable}: {declared.type}{place}"


def print_message(message: Send | Receive) -> str:
    """A call or a response without its assertions and without what follows."""
    if isinstance(message, Send):
        return f"!{message.operation}({', '.join(map(_argument, message.arguments))})"
    return f"?C{message.status}({', '.join(map(_declared, message.variables))})"


def print_assertion(assertion: Assertion) -> str:
    """An assertion without the angles around it."""
    match assertion:
        case Clause(text=text):
            return text
        case Function(name=name, arguments=arguments):
            return f"{name}({', '.join(arguments)})"
