"""The MCP server of one run on a loopback port or a Unix socket, behind a token that nobody can guess."""

from __future__ import annotations

import hmac
import secrets
import socket
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from pytest_clinicare.environment.brief import Brief
from pytest_clinicare.environment.environment import Environment
from pytest_clinicare.environment.mcp_server import mcp_server

if TYPE_CHECKING:
    from mcp.server.transport_security import TransportSecuritySettings

_PATH = "/mcp"
_TURNED_AWAY = {403: "a foreign origin", 413: "too large a body", 421: "a foreign host"}
_STARTS_WITHIN = 15.0
_ENDS_WITHIN = 5.0
Scope = dict[str, Any]
App = Callable[[Scope, Any, Any], Awaitable[None]]


class McpServing:
    """Serves the environment while open; ``url`` and ``token`` are what a client needs.

    ``socket_path`` serves on a Unix socket (mode 0600) instead of a free port of 127.0.0.1. Raises ImportError without
    the SDK, OSError where the socket cannot be bound, RuntimeError where the server does not start.
    """

    def __init__(
        self, environment: Environment, brief: Brief, *, port: int = 0, socket_path: Path | None = None
    ) -> None:
        import uvicorn

        self.token = secrets.token_urlsafe(32)
        self._path = socket_path
        self._socket = _unix(socket_path) if socket_path else _loopback(port)
        app = mcp_server(environment, brief).streamable_http_app(
            streamable_http_path=_PATH, json_response=True, transport_security=_hosts()
        )
        guarded: Any = _Guard(app, self.token, environment)
        config = uvicorn.Config(guarded, log_level="critical", access_log=False, lifespan="on", ws="none")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self._socket]}, name="clinicare-mcp", daemon=True
        )

    @property
    def url(self) -> str:
        """Address of the server; with a Unix socket the host is ``localhost`` and stands for nothing."""
        if self._path is not None:
            return f"http://localhost{_PATH}"
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}{_PATH}"

    @property
    def headers(self) -> dict[str, str]:
        """What every request must carry."""
        return {"Authorization": f"Bearer {self.token}"}

    def __enter__(self) -> McpServing:
        started = threading.Event()
        startup = self._server.startup

        async def announced(sockets: list[socket.socket] | None = None) -> None:
            await startup(sockets)
            started.set()

        self._server.startup = announced  # type: ignore[method-assign]
        self._thread.start()
        if not started.wait(_STARTS_WITHIN):
            self._stop()
            raise RuntimeError(f"the MCP server did not start within {_STARTS_WITHIN:g} s")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def _stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(_ENDS_WITHIN)
        if self._thread.is_alive():
            self._server.force_exit = True
            self._thread.join(_ENDS_WITHIN)
        self._socket.close()
        if self._path is not None:
            self._path.unlink(missing_ok=True)


class _Guard:
    """Lets requests with the token through; any other is answered 401 and recorded in the trace, as is what the SDK
    turns away: too large, or meant for another host (a web page that had its name point here)."""

    def __init__(self, app: Any, token: str, environment: Environment) -> None:
        self._app: App = app
        self._expected = f"Bearer {token}".encode()
        self._environment = environment

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        given = [value for name, value in scope.get("headers", ()) if name == b"authorization"]
        if scope["type"] == "lifespan" or (len(given) == 1 and hmac.compare_digest(given[0], self._expected)):
            await self._app(scope, receive, self._watched(send))
            return
        self._environment.refuse("a request with a foreign token" if given else "a request without a token")
        body = b"401: this server takes requests with the token of its run only\n"
        headers = [(b"content-type", b"text/plain"), (b"www-authenticate", b"Bearer")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _watched(self, send: Any) -> Any:
        async def watched(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start" and message["status"] in _TURNED_AWAY:
                self._environment.refuse(f"a request with the token and {_TURNED_AWAY[message['status']]}")
            await send(message)

        return watched


def _hosts() -> TransportSecuritySettings:
    """Names that this server answers to; a web page that has another name point here gets nothing."""
    from mcp.server.transport_security import TransportSecuritySettings

    origins = ["http://127.0.0.1:*", "http://localhost:*"]
    return TransportSecuritySettings(allowed_hosts=["127.0.0.1:*", "localhost:*", "localhost"], allowed_origins=origins)


def _loopback(port: int) -> socket.socket:
    # The protocol by name: asyncio turns Nagle's delay off (40 ms a call) only on sockets that state it.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", port))
    return listening


def _unix(path: Path) -> socket.socket:
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    # Nobody can connect before the server listens, and by then the mode is set.
    listening.bind(str(path))
    path.chmod(0o600)
    return listening
