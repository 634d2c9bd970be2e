"""Anthropic's Messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .script import Overflow, Status
from .wire import Answer, Asked, event, texts

_STOPS = {"length": "max_tokens", "refusal": "refusal", "filter": "refusal", "context": "model_context_window_exceeded"}
_KINDS = {
    400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error",
    413: "request_too_large", 429: "rate_limit_error", 500: "api_error", 529: "overloaded_error",
}  # fmt: skip


class Messages:
    def read(self, path: str, body: dict[str, Any]) -> Asked:
        messages = body.get("messages", [])
        said = [text for message in messages if message["role"] != "assistant" for text in texts(message["content"])]
        offered = tuple(("", tool.get("name", "")) for tool in body.get("tools") or ())
        return Asked(body.get("model", ""), offered, "\n".join(said), messages, bool(body.get("stream")))

    def plain(self, answer: Answer) -> dict[str, Any]:
        turn, tokens = answer.turn, answer.tokens
        blocks: list[dict[str, Any]] = []
        if turn.thinking:
            blocks.append({"type": "thinking", "thinking": turn.thinking, "signature": f"signed-{answer.position}"})
        if turn.text:
            blocks.append({"type": "text", "text": turn.text})
        blocks += [{"type": "tool_use", "id": call.id, "name": call.name, "input": call.value} for call in answer.calls]
        usage = {
            "input_tokens": tokens.prompt - tokens.cached - tokens.written,
            "cache_read_input_tokens": tokens.cached,
            "cache_creation_input_tokens": tokens.written,
            "output_tokens": tokens.completion,
            "service_tier": "standard",
        }
        return {
            "id": f"msg_{answer.position}",
            "type": "message",
            "role": "assistant",
            "model": answer.asked.model,
            "content": blocks,
            "stop_reason": _STOPS.get(turn.end, "tool_use" if answer.calls else "end_turn"),
            "stop_sequence": None,
            "usage": usage,
        }

    def stream(self, answer: Answer) -> Iterator[str]:
        whole = self.plain(answer)
        begun = {**whole, "content": [], "stop_reason": None, "usage": {**whole["usage"], "output_tokens": 1}}
        yield self._event("message_start", message=begun)
        raws = {call.id: call.raw for call in answer.calls}
        for index, block in enumerate(whole["content"]):
            empty, deltas = _deltas(block, raws)
            yield self._event("content_block_start", index=index, content_block=empty)
            for delta in deltas:
                yield self._event("content_block_delta", index=index, delta=delta)
            yield self._event("content_block_stop", index=index)
        ended = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
        yield self._event("message_delta", delta=ended, usage={"output_tokens": whole["usage"]["output_tokens"]})
        yield self._event("message_stop")

    def error(self, fault: Status) -> dict[str, Any]:
        kind = fault.code or _KINDS.get(fault.status, "api_error")
        return {"type": "error", "error": {"type": kind, "message": fault.message}, "request_id": "req_0"}

    def overflow(self, fault: Overflow) -> Status:
        return Status(400, "prompt is too long: 213462 tokens > 200000 maximum")

    @staticmethod
    def _event(kind: str, **data: Any) -> str:
        return event({"type": kind, **data}, kind)


def _deltas(block: dict[str, Any], raws: dict[str, str]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A block as it begins, and what completes it."""
    if block["type"] == "thinking":
        signature = {"type": "signature_delta", "signature": block["signature"]}
        thought = {"type": "thinking_delta", "thinking": block["thinking"]}
        return {"type": "thinking", "thinking": "", "signature": ""}, [thought, signature]
    if block["type"] == "text":
        return {"type": "text", "text": ""}, [{"type": "text_delta", "text": block["text"]}]
    return {**block, "input": {}}, [{"type": "input_json_delta", "partial_json": raws[block["id"]]}]
