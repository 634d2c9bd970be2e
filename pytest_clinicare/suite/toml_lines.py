"""The line that each key of a TOML text stands on, which ``tomllib`` does not tell.

Reads text that ``tomllib`` has accepted, so it does not check syntax. Used only when there is a mistake to report.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

KeyPath = tuple[str | int, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^,\]\}\n#]*")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|' + r"'''.*?'{3,5}|" + r'"(?:[^"\\]|\\.)*"|' + r"'[^']*'",
    re.DOTALL,
)
_ESCAPED_QUOTE = re.compile(r'\\(["\\])')


def line_of(text: str, path: Sequence[str | int]) -> int:
    """The 1-based line of ``path`` (table keys and array indices), or of its nearest ancestor where it is absent."""
    lines = _Scanner(text).scan()
    for length in range(len(path), 0, -1):
        found = lines.get(tuple(path[:length]))
        if found is not None:
            return found
    return 1


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[KeyPath, int] = {}
        self.lengths: dict[KeyPath, int] = {}  # of the arrays of tables so far

    def scan(self) -> dict[KeyPath, int]:
        table: KeyPath = ()
        while self._skip_blank() < len(self.text):
            table = self._header() if self._peek() == "[" else self._pair(table)
        return self.lines

    def _header(self) -> KeyPath:
        line = self._line()
        array = self.text.startswith("[[", self.at)
        self.at += 2 if array else 1
        parts = self._key()
        self.at += 2 if array else 1
        path = self._resolve(parts, array)
        self.lines.setdefault(path, line)
        if array:
            self.lines.setdefault(path[:-1], line)
        return path

    def _resolve(self, parts: list[str], array: bool) -> KeyPath:
        """A header names the last element of every array of tables that it passes through."""
        path: KeyPath = ()
        for i, part in enumerate(parts):
            path = (*path, part)
            if array and i == len(parts) - 1:
                self.lengths[path] = self.lengths.get(path, 0) + 1
            if path in self.lengths:
                path = (*path, self.lengths[path] - 1)
        return path

    def _pair(self, table: KeyPath) -> KeyPath:
        line = self._line()
        path = table
        for part in self._key():
            path = (*path, part)
            self.lines.setdefault(path, line)
        self._skip_blank()
        self.at += 1  # "="
        self._value(path)
        return table

    def _key(self) -> list[str]:
        parts = []
        while True:
            self._skip_blank()
            string = _STRING.match(self.text, self.at)
            match = string or _BARE_KEY.match(self.text, self.at)
            assert match is not None, "only called on text that tomllib accepted"
            self.at = match.end()
            parts.append(_unquote(match.group()) if string else match.group())
            self._skip_blank()
            if self._peek() != ".":
                return parts
            self.at += 1

    def _value(self, path: KeyPath) -> None:
        self._skip_blank()
        if self._peek() == "[":
            self._array(path)
        elif self._peek() == "{":
            self._inline_table(path)
        else:
            match = _STRING.match(self.text, self.at) or _SCALAR.match(self.text, self.at)
            assert match is not None, "the scalar pattern matches the empty text"
            self.at = match.end()

    def _array(self, path: KeyPath) -> None:
        self.at += 1
        index = 0
        while self._skip_to_item("]"):
            self.lines[(*path, index)] = self._line()
            self._value((*path, index))
            index += 1

    def _inline_table(self, path: KeyPath) -> None:
        self.at += 1
        while self._skip_to_item("}"):
            self._pair(path)

    def _skip_to_item(self, close: str) -> bool:
        """Move to the next item; False, past the closing bracket, where there is none."""
        self._skip_blank()
        if self._peek() == ",":
            self.at += 1
            self._skip_blank()
        if self._peek() == close:
            self.at += 1
            return False
        return True

    def _skip_blank(self) -> int:
        match = _BLANK.match(self.text, self.at)
        assert match is not None, "the pattern matches the empty text"
        self.at = match.end()
        return self.at

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _line(self) -> int:
        return self.text.count("\n", 0, self.at) + 1


def _unquote(string: str) -> str:
    body = string[1:-1]
    return _ESCAPED_QUOTE.sub(r"\1", body) if string[0] == '"' else body
