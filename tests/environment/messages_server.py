"""A model server on loopback that speaks Anthropic's Messages with streaming, and plays a script of tool calls."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Turn = tuple[str, dict[str, Any]]


class MessagesServer:
    """Each turn of ``script`` is a tool (as the agent's server names it) and its arguments; then comes a last word.

    ``requests`` are the bodies that the agent sent to ``/v1/messages``.
    """

    def __init__(self, script: list[Turn], prefix: str) -> None:
        self.requests: list[dict[str, Any]] = []
        self._script, self._prefix = script, prefix

    @contextmanager
    def serving(self) -> Iterator[str]:
        """The base URL while it is open."""
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, format: str, *args: object) -> None:
                pass

            def do_HEAD(self) -> None:
                self.send_response(404)
                self.end_headers()

            do_GET = do_HEAD

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.end_headers()
                for name, data in outer._turn(body):
                    self.wfile.write(f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n".encode())

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            server.server_close()

    def _turn(self, body: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        self.requests.append(body)
        done = sum(
            isinstance(part, dict) and part.get("type") == "tool_result"
            for message in body["messages"]
            if isinstance(message["content"], list)
            for part in message["content"]
        )
        block: dict[str, Any]
        if done < len(self._script) and body.get("tools"):
            tool, arguments = self._script[done]
            block = {"type": "tool_use", "id": f"toolu_{done}", "name": f"{self._prefix}{tool}", "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(arguments)}
            stop = "tool_use"
        else:
            block, stop = {"type": "text", "text": ""}, "end_turn"
            delta = {"type": "text_delta", "text": "The report is filed."}
        message = {"id": "msg_1", "type": "message", "role": "assistant", "model": body["model"], "content": []}
        usage = {"input_tokens": 10, "output_tokens": 1}
        yield "message_start", {"message": {**message, "stop_reason": None, "stop_sequence": None, "usage": usage}}
        yield "content_block_start", {"index": 0, "content_block": block}
        yield "content_block_delta", {"index": 0, "delta": delta}
        yield "content_block_stop", {"index": 0}
        yield "message_delta", {"delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": 5}}
        yield "message_stop", {}
