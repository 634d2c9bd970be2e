"""Notes: list, full-text search, and read by offset."""

from __future__ import annotations

import re
import sqlite3
from typing import Any, Literal

from pydantic import Field

from pytest_clinicare.charts import TABLES
from pytest_clinicare.environment.tools.arguments import Arguments, InAdmission, InWindow
from pytest_clinicare.environment.tools.context import Context, Reading, Tool, ToolError
from pytest_clinicare.environment.tools.query import Filter, Row, Select, columns, query

Kind = Literal["discharge", "radiology"]
_KIND = Field(default=None, description="Only discharge summaries or only radiology reports; omit for both.")
_TERM = re.compile(r'"([^"]+)"|(\w[\w.+/-]*\*?)')
_EXAMINATION = re.compile(r"EXAMINATION:\s*(.*)", re.IGNORECASE)


class ListNotes(InWindow):
    kind: Kind | None = _KIND


class SearchNotes(InAdmission):
    query: str = Field(
        min_length=1,
        max_length=400,
        description='Words that must all occur; "a phrase"; pref*; OR between alternatives.',
    )
    kind: Kind | None = _KIND


class ReadNote(Arguments):
    note_id: str = Field(min_length=1, max_length=60, description="note_id from list_notes or search_notes.")
    offset: int = Field(default=0, ge=0, description="First character to read.")
    limit: int | None = Field(default=None, ge=1, description="Most characters to read.")


def title_of(head: str) -> str:
    """What a note is about: its EXAMINATION line, else its first line."""
    found = _EXAMINATION.search(head)
    line = found.group(1) if found and found.group(1).strip() else next(iter(head.strip().splitlines()), "")
    return line.strip()[:120]


def list_notes(context: Context, arguments: ListNotes) -> Reading:
    context.check_admission(arguments.hadm_id)
    selects = [
        Select(
            kind,
            columns(
                "note_id note_type charttime storetime hadm_id",
                kind=f"'{kind}'",
                length="length(t.text)",
                title="substr(t.text, 1, 400)",
            ),
            Filter().admission(arguments).window(arguments, "t.charttime"),
        )
        for kind in _kinds(arguments.kind)
    ]
    return query(context, selects, arguments, ("charttime",), finish=_titled)


def search_notes(context: Context, arguments: SearchNotes) -> Reading:
    context.check_admission(arguments.hadm_id)
    expression, first = _match(arguments.query)
    selects = [
        Select(
            kind,
            columns(
                "note_id note_type charttime hadm_id",
                kind=f"'{kind}'",
                length="length(t.text)",
                title="substr(t.text, 1, 400)",
                snippet=f"snippet({kind}_fts, 0, '>>', '<<', ' ... ', 32)",
                offset="max(instr(lower(t.text), ?) - 1, 0)",
                rank=f"{kind}_fts.rank",
            ),
            Filter().add(f"{kind}_fts MATCH ?", expression).admission(arguments),
            match=f"JOIN {kind}_fts ON {kind}_fts.rowid = t.rowid",
            params=(first,),
            again=Filter().add(f"{kind}_fts MATCH ?", expression),
        )
        for kind in _kinds(arguments.kind)
    ]
    try:
        return query(context, selects, arguments, ("rank", "charttime"), finish=_found)
    except sqlite3.OperationalError as error:
        raise ToolError(f"the query cannot be searched ({error})", 'use plain words, "a phrase" or pref*') from error


def read_note(context: Context, arguments: ReadNote) -> Reading:
    kind, row = _note(context, arguments.note_id.strip())
    text = str(row["text"])
    if arguments.offset > len(text):
        raise ToolError(f"offset {arguments.offset} lies after the end", f"the note has {len(text)} characters")
    end = min(len(text), arguments.offset + (arguments.limit or len(text)))
    part = _cut(text[arguments.offset : end], context.limits.bytes)
    end = arguments.offset + len(part)
    details = context.chart.rows(
        f"SELECT {kind}_detail.rowid, field_name, field_value FROM {kind}_detail WHERE note_id = ? "
        "ORDER BY field_name, field_ordinal",
        (row["note_id"],),
    )
    ref = f"{kind}:{row['note_id']}"
    tables = (TABLES[kind].qualified, TABLES[f"{kind}_detail"].qualified)
    scope: dict[str, Any] = {"subject_id": context.subject_id, "note_id": row["note_id"], "offset": arguments.offset}
    content = {
        "ref": ref,
        "note_id": row["note_id"],
        "charttime": row["charttime"],
        "storetime": row["storetime"],
        "hadm_id": row["hadm_id"],
        "text": part,
        "offset": arguments.offset,
        "length": len(text),
        "next_offset": end if end < len(text) else None,
        "details": [{"field_name": d["field_name"], "field_value": d["field_value"]} for d in details],
        "read": {"tables": list(tables), "scope": scope},
    }
    refs = (ref, *(f"{kind}_detail:r{d['rowid']}" for d in details))
    return Reading(content, tables, scope, refs, 1, end < len(text))


def _kinds(kind: Kind | None) -> tuple[Kind, ...]:
    return (kind,) if kind else ("discharge", "radiology")


def _match(text: str) -> tuple[str, str]:
    """An FTS5 expression in which every word is quoted, so that no agent's text is FTS5 syntax; and its first word."""
    parts: list[str] = []
    first = ""
    for phrase, word in _TERM.findall(text):
        term = phrase or word
        if word == "OR" and parts and parts[-1] != "OR":
            parts.append("OR")
            continue
        if word in ("AND", "OR"):
            continue
        first = first or term.rstrip("*").lower()
        parts.append(f'"{term[:-1]}"*' if word.endswith("*") else f'"{term}"')
    while parts and parts[-1] == "OR":
        parts.pop()
    if not parts:
        raise ToolError("the query has no word to search for", "give words as they would stand in the note")
    return " ".join(parts), first


def _titled(row: Row) -> Row:
    return {**row, "title": title_of(row["title"])}


def _found(row: Row) -> Row:
    del row["rank"]
    return _titled(row)


def _note(context: Context, note_id: str) -> tuple[str, sqlite3.Row]:
    wanted = note_id.rpartition(":")[2].partition("@")[0]
    for kind in ("discharge", "radiology"):
        if rows := context.chart.rows(f"SELECT * FROM {kind} WHERE note_id = ?", (wanted,)):
            return kind, rows[0]
    raise ToolError(f"the patient has no note {note_id!r}", "list_notes gives the note ids of this patient", "scope")


def _cut(text: str, most_bytes: int) -> str:
    encoded = text.encode()
    return text if len(encoded) <= most_bytes else encoded[:most_bytes].decode(errors="ignore")


TOOLS = (
    Tool(
        "list_notes",
        "Discharge summaries and radiology reports in time order, without their text (length in characters).",
        ListNotes,
        list_notes,
    ),
    Tool(
        "search_notes",
        "Full-text search over notes, best match first, with a snippet and the character offset of the first word.",
        SearchNotes,
        search_notes,
    ),
    Tool(
        "read_note",
        "The text of a note from a character offset; length is that of the whole note and "
        "next_offset is null at its end. "
        "Cite as [record: REF] or [record: REF@START-END] with character positions.",
        ReadNote,
        read_note,
    ),
)
