"""The tools over MCP: one run, served over stdio or HTTP with the official SDK, logged in the same trace.

The SDK (extra ``mcp``) is imported where a server is made.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pytest_clinicare.environment.brief import Brief
from pytest_clinicare.environment.environment import Environment

if TYPE_CHECKING:
    import mcp_types
    from mcp.server import Server

NAME = "clinicare"
# Where an agent's client asks for it, so that it need not cut what the limits of the environment already bound.
_SIZES = {"anthropic/maxResultSizeChars": 500_000}


def mcp_server(environment: Environment, brief: Brief) -> Server[Any]:
    """A server whose tools are those of the environment; its instructions are the question of the brief.

    A result is the content of the tool as structured content and as the same JSON in text; a mistake of the caller is a
    tool error (``isError``), never a protocol error, so that an agent can read it and go on.
    """
    import anyio
    import mcp_types as types
    from mcp.server import Server

    # SQLite and the log take one call at a time; a single worker keeps their order and frees the event loop.
    one_at_a_time = anyio.CapacityLimiter(1)
    tools = [
        types.Tool(name=spec.name, description=spec.description, input_schema=dict(spec.parameters), _meta=_SIZES)
        for spec in brief.tools
    ]

    async def list_tools(_: object, __: object) -> mcp_types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def call_tool(_: object, asked: mcp_types.CallToolRequestParams) -> mcp_types.CallToolResult:
        result = await anyio.to_thread.run_sync(
            environment.call, asked.name, asked.arguments or {}, limiter=one_at_a_time
        )
        text = json.dumps(result.content, ensure_ascii=False)
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text)],
            structured_content=result.content,
            is_error=not result.ok,
        )

    return Server(NAME, instructions=brief.query, on_list_tools=list_tools, on_call_tool=call_tool)


def serve_stdio(environment: Environment, brief: Brief) -> None:
    """Serve on standard input and output until the client closes them.

    The client starts this process and so could look into it: for agents that are trusted, and for people. Raises
    ImportError without the SDK.
    """
    import anyio
    from mcp.server.stdio import stdio_server

    server = mcp_server(environment, brief)

    async def serve() -> None:
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    anyio.run(serve)
