"""The tools by hand: a line names a tool and its arguments, the answer is shown as a reader wants it or as JSON."""

from __future__ import annotations

import cmd
import json
import shlex
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table as Grid
from rich.text import Text

if TYPE_CHECKING:
    from pytest_clinicare.environment import Brief, Environment, ToolResult, ToolSpec

_INTRO = "list  the tools    help TOOL  its arguments    TOOL name=value ...  call it    more, json, question, quit"
# Columns that say nothing to a reader; ``json`` shows them.
_QUIET = frozenset({"itemid", "subject_id", "specimen_id"})


class ToolShell(cmd.Cmd):
    """``prompt`` is false where lines come from a pipe. Every call is one of the run's, logged like an agent's."""

    def __init__(self, environment: Environment, brief: Brief, console: Console, *, prompt: bool = True) -> None:
        super().__init__()
        self._environment = environment
        self._brief = brief
        self._console = console
        self._specs: dict[str, ToolSpec] = {spec.name: spec for spec in brief.tools}
        self._last: tuple[str, dict[str, Any], ToolResult] | None = None
        self.prompt = "> " if prompt else ""

    def preloop(self) -> None:
        self.do_question("")
        self._console.print(Text(_INTRO, style="dim"))

    def emptyline(self) -> bool:
        return False

    def do_question(self, _: str) -> None:
        """The question of the case."""
        self._console.print(Text(self._brief.query))

    def do_list(self, _: str) -> None:
        """The tools."""
        grid = Grid(box=None, pad_edge=False, show_header=False)
        grid.add_column(no_wrap=True, style="bold")
        grid.add_column()
        for spec in self._brief.tools:
            grid.add_row(spec.name, escape(spec.description.split(". ")[0].rstrip(".") + "."))
        self._console.print(grid)

    def do_help(self, arg: str) -> None:
        """The arguments of a tool."""
        spec = self._specs.get(arg.strip())
        if spec is None:
            self._console.print(Text(_INTRO if not arg else f"there is no tool '{arg}'; `list` names them"))
            return
        self._console.print(Text(spec.description))
        grid = Grid(box=None, pad_edge=False, show_header=False)
        for _column in range(2):
            grid.add_column(no_wrap=True)
        grid.add_column()
        needed = _names(spec.parameters.get("required"))
        for name, about in _properties(spec).items():
            grid.add_row(
                Text(name, style="bold"),
                Text(_type_of(about) + ("" if name in needed else ", optional"), style="dim"),
                Text(str(about.get("description", ""))),
            )
        self._console.print(grid)

    def do_more(self, _: str) -> None:
        """The next page of the last answer."""
        cursor = self._last[2].content.get("next_cursor") if self._last else None
        if self._last is None or not cursor:
            self._console.print("there is no further page")
            return
        self._call(self._last[0], {**self._last[1], "cursor": cursor})

    def do_json(self, _: str) -> None:
        """The last answer as the agent gets it."""
        content = self._last[2].content if self._last else {}
        self._console.print(Text(json.dumps(content, indent=2, ensure_ascii=False)))

    def do_quit(self, _: str) -> bool:
        """End the session."""
        return True

    def do_EOF(self, _: str) -> bool:
        return True

    def default(self, line: str) -> None:
        try:
            name, *given = shlex.split(line)
        except ValueError as error:
            self._console.print(f"cannot read the line ({error}); quote text with spaces: text='chest pain'")
            return
        spec = self._specs.get(name)
        if unnamed := [part for part in given if "=" not in part]:
            self._console.print(Text(f"give arguments as name=value; {unnamed[0]!r} has no name; see `help {name}`"))
            return
        about = _properties(spec) if spec else {}
        pairs = (part.split("=", 1) for part in given)
        self._call(name, {key: _value(text, about.get(key, {})) for key, text in pairs})

    def completenames(self, text: str, *_: Any) -> list[str]:
        return [
            name for name in (*self._specs, "list", "help", "more", "json", "question", "quit") if name.startswith(text)
        ]

    def _call(self, tool: str, arguments: dict[str, Any]) -> None:
        result = self._environment.call(tool, arguments)
        self._last = (tool, arguments, result)
        if not result.ok:
            error = result.content["error"]
            self._console.print(Text(f"{error['message']}\n{error['hint']}", style="bold"))
        elif "rows" in result.content:
            self._print_rows(result)
        elif "text" in result.content:
            self._console.print(Text(str(result.content["text"])))
        else:
            self._console.print(Text(json.dumps(result.content, indent=2, ensure_ascii=False)))

    def _print_rows(self, result: ToolResult) -> None:
        rows = [row if isinstance(row, dict) else {"value": row} for row in result.content["rows"]]
        shown = [{name: str(value) for name, value in row.items() if _tells(name, value)} for row in rows]
        names = list(dict.fromkeys(name for row in shown for name in row))
        widths = [max(len(name), *(len(row.get(name, "")) for row in shown)) + 2 for name in names]
        if rows and sum(widths) <= self._console.width:
            grid = Grid(*names, box=None, pad_edge=False, header_style="dim")
            for row in shown:
                grid.add_row(*(Text(row.get(name, "")) for name in names))
            self._console.print(grid)
        else:
            for row in shown:
                self._console.print(_paragraph(row))
        total = result.content.get("total", len(rows))
        tables = ", ".join(result.tables)
        more = "; `more` shows the next" if result.content.get("next_cursor") else ""
        self._console.print(Text(f"{len(rows)} of {total} from {tables}{more}  (call {result.n})", style="dim"))


def _tells(name: str, value: object) -> bool:
    return name not in _QUIET and value not in (None, "", [])


def _paragraph(row: dict[str, str]) -> Text:
    """A wide row: its ref, then each column by name."""
    text = Text.assemble((row.get("ref", ""), "bold"))
    for name, value in row.items():
        if name != "ref":
            text.append(f"  {name} ", style="dim").append(value)
    return text


def _properties(spec: ToolSpec) -> dict[str, dict[str, Any]]:
    found = spec.parameters.get("properties")
    return found if isinstance(found, dict) else {}


def _names(value: object) -> frozenset[str]:
    return frozenset(map(str, value)) if isinstance(value, list) else frozenset()


def _kinds(about: dict[str, Any]) -> list[str]:
    return [str(part.get("type", part.get("$ref", ""))) for part in about.get("anyOf", [about])]


def _type_of(about: dict[str, Any]) -> str:
    return " or ".join(kind for kind in _kinds(about) if kind not in ("null", "")) or "value"


def _value(text: str, about: dict[str, Any]) -> Any:
    """JSON where it is; else a list of the parts between commas where a list is wanted; else the text."""
    wanted = _kinds(about)
    if wanted and set(wanted) <= {"string", "null"}:
        return text
    try:
        value = json.loads(text)
    except ValueError:
        value = [part.strip() for part in text.split(",")] if "array" in wanted else text
    return [value] if "array" in wanted and not isinstance(value, list) else value
