"""The policy corpus: list, search, read by line."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from pydantic import Field

from pytest_clinicare.environment.corpus import Document, numbered
from pytest_clinicare.environment.tools.arguments import Arguments, Page
from pytest_clinicare.environment.tools.context import Context, Reading, Tool, ToolError
from pytest_clinicare.environment.tools.query import Row, offset_of, page_of

_SNIPPET_LINES = 12


class SearchPolicies(Page):
    query: str = Field(min_length=1, max_length=400, description="Words to look for.")


class ReadPolicy(Arguments):
    document: str = Field(min_length=1, max_length=200, description="Document id ('kdigo-aki-2012').")
    start_line: int = Field(default=1, ge=1, description="First line, from 1.")
    end_line: int | None = Field(default=None, ge=1, description="Last line, included; omit for the end.")


def list_policies(context: Context, arguments: Page) -> Reading:
    rows = [
        {
            "document": document.id,
            "title": document.title,
            "issuer": document.issuer,
            "year": document.year,
            "kind": document.kind,
            "total_lines": len(document.lines),
        }
        for document in context.corpus.documents.values()
    ]
    return _page(context, rows, arguments, {})


def search_policies(context: Context, arguments: SearchPolicies) -> Reading:
    rows = [
        {
            "document": found.document.id,
            "title": found.document.title,
            "start_line": found.start,
            "end_line": (end := min(found.end, found.start + _SNIPPET_LINES - 1)),
            "text": numbered(found.document, found.start, end),
        }
        for found in context.corpus.search(arguments.query)
    ]
    # Beyond the first screen matches are noise, so a page is short unless more are asked for.
    asked = arguments if arguments.limit else arguments.model_copy(update={"limit": 10})
    return _page(context, rows, asked, {"query": arguments.query})


def read_policy(context: Context, arguments: ReadPolicy) -> Reading:
    document = _document(context, arguments.document)
    total = len(document.lines)
    start, end = arguments.start_line, min(arguments.end_line or total, total)
    if start > end:
        raise ToolError(
            f"lines {start} to {arguments.end_line or total} do not exist", f"{document.id} has {total} lines"
        )
    text = numbered(document, start, end)
    while end > start and len(text.encode()) > context.limits.bytes:
        end = start + (end - start) // 2
        text = numbered(document, start, end)
    truncated = end < min(arguments.end_line or total, total)
    content = {
        "document": document.id,
        "title": document.title,
        "start_line": start,
        "end_line": end,
        "total_lines": total,
        "text": text,
    }
    scope = {"document": document.id, "start_line": start, "end_line": end}
    return Reading(content, (), scope, (), end - start + 1, truncated)


def _page(context: Context, rows: list[Row], arguments: Page, scope: dict[str, Any]) -> Reading:
    start = offset_of(arguments.cursor)
    if start > len(rows):
        raise ToolError(f"cursor {arguments.cursor!r} lies after the last row", f"the query has {len(rows)} rows")
    most = min(arguments.limit or context.limits.rows, context.limits.rows)
    return page_of(rows[start : start + most], start, len(rows), context.limits.bytes, (), scope)


def _document(context: Context, name: str) -> Document:
    documents = context.corpus.documents
    wanted = name.strip().removesuffix(".md")
    if wanted not in documents:
        near = get_close_matches(wanted, documents, n=3)
        nearest = f"nearest: {', '.join(near)}; " if near else ""
        raise ToolError(f"there is no policy document {name!r}", f"{nearest}list_policies gives all ids", "scope")
    return documents[wanted]


TOOLS = (
    Tool("list_policies", "All policy documents with title, year and kind.", Page, list_policies),
    Tool(
        "search_policies",
        "Search the policy documents; passages best first, with line numbers. Superseded editions "
        "are in the corpus too.",
        SearchPolicies,
        search_policies,
    ),
    Tool(
        "read_policy",
        "Lines of a policy document, numbered. Cite as [policy: DOCUMENT L12-L18].",
        ReadPolicy,
        read_policy,
    ),
)
