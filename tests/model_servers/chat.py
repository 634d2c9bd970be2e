"""OpenAI's chat completions, as its many compatible servers speak them too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .responses import openai_error
from .script import Overflow, Status
from .wire import Answer, Asked, event, texts

_CREATED = 1_790_000_000
_ENDS = {"length": "length", "context": "length", "filter": "content_filter"}


class Chat:
    def read(self, path: str, body: dict[str, Any]) -> Asked:
        messages = body.get("messages", [])
        said = [text for message in messages if message["role"] == "user" for text in texts(message.get("content"))]
        functions = [tool["function"] for tool in body.get("tools") or () if tool.get("function")]
        offered = tuple(("", function["name"]) for function in functions)
        conversation = [message for message in messages if message["role"] not in ("system", "developer")]
        return Asked(body.get("model", ""), offered, "\n".join(said), conversation, bool(body.get("stream")))

    def plain(self, answer: Answer) -> dict[str, Any]:
        turn = answer.turn
        message: dict[str, Any] = {"role": "assistant", "content": turn.text or None, "refusal": None}
        if turn.end == "refusal":
            message |= {"content": None, "refusal": turn.text or "I cannot help with that."}
        if turn.thinking:
            # Where DeepSeek, GLM, Kimi and vLLM put it.
            message["reasoning_content"] = turn.thinking
        if answer.calls:
            message["tool_calls"] = [
                {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.raw}}
                for call in answer.calls
            ]
        end = _ENDS.get(turn.end, "tool_calls" if answer.calls else "stop")
        choice = {"index": 0, "message": message, "finish_reason": end, "logprobs": None}
        return {**_blank(answer, "chat.completion"), "choices": [choice], "usage": _usage(answer)}

    def stream(self, answer: Answer) -> Iterator[str]:
        whole = self.plain(answer)
        (choice,) = whole["choices"]
        message = dict(choice["message"])
        calls = message.pop("tool_calls", ())
        deltas = [{name: value for name, value in message.items() if value is not None or name == "content"}]
        for index, call in enumerate(calls):
            named = {**call["function"], "arguments": ""}
            deltas.append({"tool_calls": [{"index": index, **call, "function": named}]})
            rest = {"arguments": call["function"]["arguments"]}
            deltas.append({"tool_calls": [{"index": index, "function": rest}]})
        for delta in deltas:
            yield self._chunk(answer, [{"index": 0, "delta": delta, "finish_reason": None}])
        yield self._chunk(answer, [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}])
        # Whether it is asked for or not, as some compatible servers do.
        yield self._chunk(answer, [], usage=whole["usage"])
        yield "data: [DONE]\n\n"

    def error(self, fault: Status) -> dict[str, Any]:
        return openai_error(fault)

    def overflow(self, fault: Overflow) -> Status:
        told = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens."
        return Status(400, told, "context_length_exceeded")

    @staticmethod
    def _chunk(answer: Answer, choices: list[dict[str, Any]], **more: Any) -> str:
        return event({**_blank(answer, "chat.completion.chunk"), "choices": choices, **more})


def _blank(answer: Answer, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{answer.position}", "object": kind, "created": _CREATED, "model": answer.asked.model}


def _usage(answer: Answer) -> dict[str, Any]:
    tokens = answer.tokens
    return {
        "prompt_tokens": tokens.prompt,
        "completion_tokens": tokens.completion,
        "total_tokens": tokens.prompt + tokens.completion,
        "prompt_tokens_details": {"cached_tokens": tokens.cached},
        "completion_tokens_details": {"reasoning_tokens": tokens.reasoning},
    }
