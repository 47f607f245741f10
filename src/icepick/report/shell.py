"""Words that any shell takes as they are, whatever is in them."""

from __future__ import annotations

import re

_UNSAFE_COMMENT = re.compile(r"[^A-Za-z0-9 _.,:/=@%+-]+")


def quoted(text: str) -> str:
    """One word of a command: between single quotes nothing is special but the quote itself."""
    if text.isprintable():
        return "'" + text.replace("'", "'\\''") + "'"
    return f'"$(printf {octal(text.encode("utf-8", "surrogatepass"))})"'


def octal(data: bytes) -> str:
    """The format with which `printf` gives exactly these bytes."""
    text = "".join(map(_FORMAT.__getitem__, data))
    return f"'\\055{text[1:]}'" if text.startswith("-") else f"'{text}'"


def is_plain(data: bytes) -> bool:
    """Whether bytes are text that can stand between single quotes and be pasted."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return False
    return text.replace("\n", "").isprintable()


def comment(text: str) -> str:
    """A comment that does no harm even in a shell that takes it for a command."""
    return "# " + " ".join(_UNSAFE_COMMENT.sub(" ", text).split())


def _one(byte: int) -> str:
    char = chr(byte)
    if char == "%":
        return "%%"
    plain = 32 <= byte < 127 and char not in "'\\"
    return char if plain else f"\\{byte:03o}"


_FORMAT = tuple(_one(byte) for byte in range(256))
