from __future__ import annotations

from pathlib import Path

import pytest

from icepick.errors import Code
from icepick.protocol import ProtocolError, load_protocols, read_protocols


def _write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        file = folder / name.replace("__", "/").replace("_dot_", ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def test_includes_bring_definitions_and_functions(tmp_path: Path) -> None:
    _write(
        tmp_path,
        main_dot_protocol='include "parts/login.protocol"\nShop = Login\nOther = end',
        parts__login_dot_protocol='include "../base.protocol"\nLogin = Base',
        base_dot_protocol="Base = end",
        gen_dot_py="def one(): return 1\ndef two(): return 2\n_hidden = one\nnumber = 5\n",
        parts__gen_dot_py="def two(): return 22\ndef three(): return 3\n",
    )
    protocols = load_protocols(tmp_path / "main.protocol")
    assert list(protocols.definitions) == ["Base", "Login", "Shop", "Other"]
    assert protocols.own == ("Shop", "Other")
    assert protocols.models == ("Shop", "Other")
    # Those of a file go before those of what it includes.
    called = {name: one() for name, one in sorted(protocols.functions.items())}
    assert called == {"one": 1, "three": 3, "two": 2}
    assert protocols.origin("Base").source.endswith("base.protocol")


def test_a_file_may_be_included_twice(tmp_path: Path) -> None:
    _write(
        tmp_path,
        main_dot_protocol='include "a.protocol" include "b.protocol" M = A',
        a_dot_protocol='include "b.protocol" A = B',
        b_dot_protocol="B = end",
    )
    assert list(load_protocols(tmp_path / "main.protocol").definitions) == ["B", "A", "M"]


def test_the_models_of_a_file_are_those_that_no_other_uses() -> None:
    assert read_protocols("A = !x().?C200().B\nB = end\nC = end").models == ("A", "C")
    assert read_protocols("A = B\nB = A").models == ("A", "B")
    assert read_protocols("A = rec X.(!x().?C200().A)").models == ("A",)


def _error(path: Path) -> ProtocolError:
    with pytest.raises(ProtocolError) as caught:
        load_protocols(path)
    return caught.value


def test_files_that_include_one_another(tmp_path: Path) -> None:
    _write(
        tmp_path,
        a_dot_protocol='include "b.protocol"',
        b_dot_protocol='A = end\ninclude "a.protocol"',
    )
    error = _error(tmp_path / "a.protocol")
    assert error.code is Code.INCLUDE_CYCLE
    assert error.message.endswith("a.protocol -> b.protocol -> a.protocol")
    assert error.place is not None
    assert error.place.caret() == 'include "a.protocol"\n^'
    assert error.place.line == 2


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    error = _error(tmp_path / "none.protocol")
    assert error.code is Code.NO_PROTOCOL_FILE
    _write(tmp_path, a_dot_protocol='A = end include "b.protocol"')
    error = _error(tmp_path / "a.protocol")
    assert error.code is Code.NO_PROTOCOL_FILE
    assert error.place is not None
    assert error.place.column == 9


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    (tmp_path / "a.protocol").write_bytes(b"\xff\xfe")
    assert _error(tmp_path / "a.protocol").code is Code.NO_PROTOCOL_FILE


def test_a_name_that_is_defined_twice(tmp_path: Path) -> None:
    _write(
        tmp_path,
        a_dot_protocol='include "b.protocol"\nA = end',
        b_dot_protocol="B = end\n  A = end",
    )
    error = _error(tmp_path / "a.protocol")
    assert error.code is Code.DUPLICATE_DEFINITION
    assert error.place is not None
    assert error.place.caret() == "A = end\n^"
    assert error.hint is not None
    assert error.hint.endswith("b.protocol:2:3")


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("def broken(:\n", "invalid syntax"),
        ("import no_such_module_of_mine\n", "ModuleNotFoundError"),
        ("x = 1 / 0\n", "ZeroDivisionError"),
        ("x = undefined\n", "NameError"),
    ],
)
def test_functions_that_cannot_be_loaded(tmp_path: Path, code: str, reason: str) -> None:
    _write(tmp_path, a_dot_protocol="A = end", gen_dot_py=code)
    error = _error(tmp_path / "a.protocol")
    assert error.code is Code.BROKEN_FUNCTIONS
    assert reason in error.message
    assert error.place is not None
    assert error.place.source.endswith("gen.py")


def test_functions_may_be_written_with_dataclasses(tmp_path: Path) -> None:
    code = (
        "from __future__ import annotations\nfrom dataclasses import dataclass, asdict\n"
        "@dataclass\nclass Pet:\n    name: str\ndef pet(): return asdict(Pet('Rex'))\n"
    )
    _write(tmp_path, a_dot_protocol="A = end", gen_dot_py=code)
    assert load_protocols(tmp_path / "a.protocol").functions["pet"]() == {"name": "Rex"}
