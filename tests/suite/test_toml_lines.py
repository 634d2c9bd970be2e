"""Keys are found on the line where they stand."""

from __future__ import annotations

from typing import Any

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from pytest_clinicare.suite.toml_lines import line_of

DOCUMENT = """\
id = "x" # a comment with [brackets] and "quotes"
text = \"\"\"first
[not.a.table]
key = "no key" \\\"\"\"
\"\"\"
a.b = 'literal "quote"'

[evidence]
sources = [
  { table = "hosp.labevents", items = "a, [b]" },
  # a comment
  { table = "hosp.poe" },
]

[[variants]]
name = "one"
"quoted key" = 1
[[variants]]
name = "two"
[variants.deep]
step = 2
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("id",), 1),
        (("text",), 2),
        (("a", "b"), 6),
        (("evidence", "sources"), 9),
        (("evidence", "sources", 0, "items"), 10),
        (("evidence", "sources", 1, "table"), 12),
        (("variants",), 15),
        (("variants", 0, "quoted key"), 17),
        (("variants", 1, "name"), 19),
        (("variants", 1, "deep", "step"), 21),
        (("variants", 1, "missing"), 18),
        (("missing",), 1),
    ],
)
def test_line_of_key(path: tuple[str | int, ...], line: int) -> None:
    assert line_of(DOCUMENT, path) == line


_keys = st.text("abc-_ .\"'é#[]{}=", min_size=1, max_size=6)
_values = st.recursive(
    st.integers() | st.booleans() | st.text("ab \"'\\\n\t#[]{}=,", max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_keys, inner, max_size=3),
    max_leaves=20,
)


@given(st.dictionaries(_keys, _values, min_size=1, max_size=5), st.booleans())
def test_finds_a_mark_wherever_it_stands(data: dict[str, Any], multiline: bool) -> None:
    """A value found nowhere else in the text, put in place of each leaf in turn, lies on the line told."""
    for path in _leaves(data):
        marked = _replaced(data, path, 987654321)
        text = tomli_w.dumps(marked, multiline_strings=multiline)
        line = text.split("\n")[line_of(text, path) - 1]
        assert "987654321" in line


def _leaves(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    if isinstance(value, dict):
        return [leaf for key, inner in value.items() for leaf in _leaves(inner, (*path, key))]
    if isinstance(value, list):
        return [leaf for i, inner in enumerate(value) for leaf in _leaves(inner, (*path, i))]
    return [path]


def _replaced(value: Any, path: tuple[str | int, ...], new: object) -> Any:
    if not path:
        return new
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = _replaced(copy[path[0]], path[1:], new)
    return copy
