"""OpenAI's Responses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .script import Overflow, Status
from .wire import Answer, Asked, event, texts

_CREATED = 1_790_000_000
_INCOMPLETE = {"length": "max_output_tokens", "context": "max_output_tokens", "filter": "content_filter"}


class Responses:
    def read(self, path: str, body: dict[str, Any]) -> Asked:
        given = body.get("input", [])
        if isinstance(given, str):
            given = [{"role": "user", "content": given}]
        said = [text for item in given if item.get("role") != "assistant" for text in texts(item.get("content"))]
        offered = tuple(_offered(body.get("tools") or (), ""))
        return Asked(body.get("model", ""), offered, "\n".join(said), given, bool(body.get("stream")))

    def plain(self, answer: Answer) -> dict[str, Any]:
        tokens, end = answer.tokens, answer.turn.end
        reason = _INCOMPLETE.get(end)
        usage = {
            "input_tokens": tokens.prompt,
            "input_tokens_details": {"cached_tokens": tokens.cached, "cache_write_tokens": tokens.written},
            "output_tokens": tokens.completion,
            "output_tokens_details": {"reasoning_tokens": tokens.reasoning},
            "total_tokens": tokens.prompt + tokens.completion,
        }
        return {
            **_blank(answer),
            "status": "incomplete" if reason else "completed",
            "incomplete_details": {"reason": reason} if reason else None,
            "output": list(_items(answer)),
            "usage": usage,
        }

    def stream(self, answer: Answer) -> Iterator[str]:
        whole = self.plain(answer)
        events: list[dict[str, Any]] = [
            {"type": "response.created", "response": _blank(answer)},
            {"type": "response.in_progress", "response": _blank(answer)},
        ]
        for index, item in enumerate(whole["output"]):
            events += _events(index, item)
        ended = "response.incomplete" if whole["status"] == "incomplete" else "response.completed"
        events.append({"type": ended, "response": whole})
        for number, data in enumerate(events):
            yield event({**data, "sequence_number": number}, data["type"])

    def error(self, fault: Status) -> dict[str, Any]:
        return openai_error(fault)

    def overflow(self, fault: Overflow) -> Status:
        told = "Your input exceeds the context window of this model. Please adjust your input and try again."
        return Status(400, told, "context_length_exceeded")


def openai_error(fault: Status) -> dict[str, Any]:
    kind = "server_error" if fault.status >= 500 else "invalid_request_error"
    return {"error": {"message": fault.message, "type": kind, "param": None, "code": fault.code}}


def _offered(tools: Any, namespace: str) -> Iterator[tuple[str, str]]:
    for tool in tools:
        if tool.get("type") == "namespace":
            yield from _offered(tool.get("tools") or (), tool.get("name", ""))
        elif tool.get("name"):
            yield namespace, tool["name"]


def _blank(answer: Answer) -> dict[str, Any]:
    return {
        "id": f"resp_{answer.position}", "object": "response", "created_at": _CREATED, "status": "in_progress",
        "model": answer.asked.model, "output": [], "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
        "error": None, "incomplete_details": None, "instructions": None, "metadata": {}, "temperature": 1.0,
        "top_p": 1.0, "previous_response_id": None, "store": False, "usage": None,
    }  # fmt: skip


def _items(answer: Answer) -> Iterator[dict[str, Any]]:
    turn, position = answer.turn, answer.position
    if turn.thinking:
        summary = [{"type": "summary_text", "text": turn.thinking}]
        sealed = f"sealed-{position}"
        yield {"type": "reasoning", "id": f"rs_{position}", "summary": summary, "encrypted_content": sealed}
    if turn.text or turn.end == "refusal":
        part: dict[str, Any] = {"type": "output_text", "text": turn.text, "annotations": [], "logprobs": []}
        if turn.end == "refusal":
            part = {"type": "refusal", "refusal": turn.text or "I cannot help with that."}
        status = "incomplete" if turn.end in _INCOMPLETE else "completed"
        yield {
            "type": "message", "id": f"msg_{position}", "role": "assistant", "status": status, "content": [part],
        }  # fmt: skip
    for index, call in enumerate(answer.calls):
        item = {
            "type": "function_call", "id": f"fc_{position}_{index}", "call_id": call.id, "name": call.name,
            "arguments": call.raw, "status": "completed",
        }  # fmt: skip
        yield {**item, "namespace": call.namespace} if call.namespace else item


def _events(index: int, item: dict[str, Any]) -> Iterator[dict[str, Any]]:
    at = {"output_index": index}
    within = {**at, "item_id": item["id"]}
    if item["type"] == "function_call":
        yield {"type": "response.output_item.added", **at, "item": {**item, "arguments": "", "status": "in_progress"}}
        yield {"type": "response.function_call_arguments.delta", **within, "delta": item["arguments"]}
        done = {"name": item["name"], "arguments": item["arguments"]}
        yield {"type": "response.function_call_arguments.done", **within, **done}
    elif item["type"] == "message":
        (part,) = item["content"]
        kind = "refusal" if part["type"] == "refusal" else "text"
        word = "refusal" if kind == "refusal" else "output_text"
        extra: dict[str, Any] = {} if kind == "refusal" else {"logprobs": []}
        spot = {**within, "content_index": 0}
        yield {"type": "response.output_item.added", **at, "item": {**item, "content": [], "status": "in_progress"}}
        yield {"type": "response.content_part.added", **spot, "part": {**part, kind: ""}}
        yield {"type": f"response.{word}.delta", **spot, "delta": part[kind], **extra}
        yield {"type": f"response.{word}.done", **spot, kind: part[kind], **extra}
        yield {"type": "response.content_part.done", **spot, "part": part}
    else:
        yield {"type": "response.output_item.added", **at, "item": {**item, "summary": []}}
    yield {"type": "response.output_item.done", **at, "item": item}
