"""One server for the four protocols: finds the script that is meant, plays its turn or its fault, keeps the request."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .chat import Chat
from .gemini import Gemini
from .messages import Messages
from .responses import Responses
from .script import Drop, Fault, Garbage, Overflow, Script, Stall, Status, Turn
from .wire import Answer, Asked, Named, Wire

REPORT = "submit_report"
ASIDE = "Audit of a chart"
"""What a request gets that offers no tool to report with: a title, a summary, a warm-up."""


@dataclass(frozen=True)
class Seen:
    """One request. ``script`` is the key of the one that was meant, ``position`` its turn, ``attempt`` the count of
    requests for that turn before this one; of a request on the side, ``position`` is -1."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    script: str
    position: int
    attempt: int

    @property
    def tools(self) -> tuple[str, ...]:
        """Names of the tools that it offers."""
        wire = _wire(self.path)
        return tuple(name for _, name in wire.read(self.path, self.body).offered) if wire else ()


class ModelServer:
    """``scripts`` by a text that occurs in what the user says (the task of a case), or one for all.

    The turn that is due is found by the conversation: one that was seen before gets the turn that it got then, so that
    a request sent again is a new attempt at the same turn; any other gets the next. A conversation that begins anew
    begins at the first turn. Two conversations of one script at the same time are not told apart.

    A script names tools as the environment does; they are called as the request offers them (``mcp__clinicare__x``,
    a namespace), those that it does not offer with ``prefix`` in front.
    """

    def __init__(self, scripts: Script | Mapping[str, Script], prefix: str = "") -> None:
        self.requests: list[Seen] = []
        self._scripts = {"": scripts} if isinstance(scripts, Script) else dict(scripts)
        self._prefix = prefix
        self._turns: dict[str, dict[str, int]] = {}
        self._attempts: dict[tuple[str, int], int] = {}
        self._lock = threading.Lock()
        self._ended = threading.Event()

    @property
    def asked(self) -> list[Seen]:
        """The requests that were for turns, without those on the side."""
        return [seen for seen in self.requests if seen.position >= 0]

    @contextmanager
    def serving(self, port: int = 0) -> Iterator[str]:
        """The root URL while it is open; Messages and Gemini take it so, OpenAI's clients with ``/v1`` after it."""
        server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            self._ended.set()
            server.shutdown()
            server.server_close()

    def answer(
        self, wire: Wire, path: str, headers: dict[str, str], body: dict[str, Any]
    ) -> tuple[Answer, Fault | None]:
        """The answer to a request, and the fault that it meets instead."""
        asked = wire.read(path, body)
        with self._lock:
            key = self._script_of(asked)
            if key is None:
                self.requests.append(Seen(path, headers, body, "", -1, 0))
                return self._answer(asked, -1, Script.of(ASIDE)), None
            speaker = f"{type(wire).__name__} {key}"
            position = self._position(speaker, asked.conversation)
            attempt = self._attempts.get((speaker, position), 0)
            self._attempts[speaker, position] = attempt + 1
            self.requests.append(Seen(path, headers, body, key, position, attempt))
        script = self._scripts[key]
        return self._answer(asked, position, script), script.turn(position).fault(attempt)

    def aside(self, path: str, headers: dict[str, str], body: dict[str, Any]) -> None:
        """Keep a request that is for no answer of the model."""
        with self._lock:
            self.requests.append(Seen(path, headers, body, "", -1, 0))

    def stall(self, seconds: float) -> None:
        self._ended.wait(seconds)

    def _script_of(self, asked: Asked) -> str | None:
        if not any(_is(name, REPORT) for _, name in asked.offered):
            return None
        return next((key for key in self._scripts if key in asked.said), None)

    def _position(self, speaker: str, conversation: Any) -> int:
        digest = hashlib.sha256(json.dumps(_without_marks(conversation), sort_keys=True).encode()).hexdigest()
        turns = self._turns.setdefault(speaker, {})
        if turns.get(digest) == 0 and len(turns) > 1:
            turns.clear()
            for seen in [seen for seen in self._attempts if seen[0] == speaker and seen[1] > 0]:
                del self._attempts[seen]
        return turns.setdefault(digest, len(turns))

    def _answer(self, asked: Asked, position: int, script: Script) -> Answer:
        turn = script.turn(max(position, 0))
        calls = tuple(self._named(asked, turn, position, index) for index in range(len(turn.calls)))
        return Answer(asked, max(position, 0), turn, calls, script.tokens(max(position, 0)))

    def _named(self, asked: Asked, turn: Turn, position: int, index: int) -> Named:
        call = turn.calls[index]
        raw = call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments)
        offered = sorted((one for one in asked.offered if _is(one[1], call.tool)), key=lambda one: len(one[1]))
        namespace, name = offered[0] if offered else ("", f"{self._prefix}{call.tool}")
        return Named(f"call_{position}_{index}", namespace, name, raw)


def _is(offered: str, tool: str) -> bool:
    return offered == tool or offered.endswith(f"_{tool}")


def _without_marks(value: Any) -> Any:
    """Without the marks of what to cache, which move while a conversation grows."""
    if isinstance(value, dict):
        return {name: _without_marks(part) for name, part in value.items() if name != "cache_control"}
    return [_without_marks(part) for part in value] if isinstance(value, list) else value


def _wire(path: str) -> Wire | None:
    path = path.partition("?")[0]
    if path.endswith("/messages"):
        return Messages()
    if path.endswith("/responses"):
        return Responses()
    if path.endswith("/chat/completions"):
        return Chat()
    return Gemini() if path.endswith(("enerateContent", ":streamGenerateContent")) else None


def _handler(model: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            pass

        def do_HEAD(self) -> None:
            self._give(404, b"")

        def do_GET(self) -> None:
            model.aside(self.path, dict(self.headers), {})
            listed = {"object": "list", "data": [{"id": "script", "object": "model"}], "models": [], "has_more": False}
            self._give(200 if "/models" in self.path else 404, json.dumps(listed).encode())

        def do_POST(self) -> None:
            text = self.rfile.read(int(self.headers.get("content-length") or 0))
            body = json.loads(text) if text else {}
            wire = _wire(self.path)
            if wire is None:
                model.aside(self.path, dict(self.headers), body)
                counted = self.path.partition("?")[0].endswith(("/count_tokens", ":countTokens"))
                found = {"input_tokens": 1000, "totalTokens": 1000} if counted else {"error": {"message": "not here"}}
                return self._give(200 if counted else 404, json.dumps(found).encode())
            answer, fault = model.answer(wire, self.path.partition("?")[0], dict(self.headers), body)
            if isinstance(fault, Overflow):
                fault = wire.overflow(fault)
            if isinstance(fault, Status):
                return self._refuse(wire, fault)
            if isinstance(fault, Garbage):
                return self._give(200, b"<html><body>Sign in to the network</body></html>", "text/html")
            if isinstance(fault, Stall):
                model.stall(fault.seconds)
                self.close_connection = True
                return None
            return self._send(wire, answer, broken=isinstance(fault, Drop))

        def _send(self, wire: Wire, answer: Answer, *, broken: bool) -> None:
            if not answer.asked.stream:
                whole = json.dumps(wire.plain(answer)).encode()
                return self._give(200, whole, sent=len(whole) // 2 if broken else None)
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            events = list(wire.stream(answer))
            for event in events[: max(1, len(events) // 2)] if broken else events:
                data = event.encode()
                self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
            if broken:
                self.close_connection = True
            else:
                self.wfile.write(b"0\r\n\r\n")
            return None

        def _refuse(self, wire: Wire, fault: Status) -> None:
            headers = {} if fault.retry_after is None else {"retry-after": f"{fault.retry_after:g}"}
            self._give(fault.status, json.dumps(wire.error(fault)).encode(), headers=headers)

        def _give(
            self,
            status: int,
            body: bytes,
            kind: str = "application/json",
            *,
            headers: Mapping[str, str] | None = None,
            sent: int | None = None,
        ) -> None:
            """``sent`` are the bytes after which the connection breaks."""
            self.send_response(status)
            for name, value in {"content-type": kind, "content-length": f"{len(body)}", **(headers or {})}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body[:sent])
            self.close_connection = self.close_connection or sent is not None

    return Handler
