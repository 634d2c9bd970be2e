"""Gemini's generateContent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .script import Overflow, Status
from .wire import Answer, Asked, event, texts

_ENDS = {"length": "MAX_TOKENS", "context": "MAX_TOKENS", "refusal": "SAFETY", "filter": "PROHIBITED_CONTENT"}
_KINDS = {400: "INVALID_ARGUMENT", 403: "PERMISSION_DENIED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED"}


class Gemini:
    def read(self, path: str, body: dict[str, Any]) -> Asked:
        model, _, operation = path.rpartition("/")[2].partition(":")
        contents = body.get("contents", [])
        said = [text for content in contents if content.get("role") != "model" for text in texts(content.get("parts"))]
        offered = [
            function["name"]
            for tool in body.get("tools") or ()
            for function in tool.get("functionDeclarations") or tool.get("function_declarations") or ()
        ]
        named = tuple(("", name) for name in offered)
        return Asked(model, named, "\n".join(said), contents, operation == "streamGenerateContent")

    def plain(self, answer: Answer) -> dict[str, Any]:
        turn = answer.turn
        parts: list[dict[str, Any]] = []
        if turn.thinking:
            parts.append({"text": turn.thinking, "thought": True})
        if turn.text:
            parts.append({"text": turn.text})
        for call in answer.calls:
            made = {"id": call.id, "name": call.name, "args": call.value}
            parts.append({"functionCall": made, "thoughtSignature": f"c2lnbmVk{answer.position:04}"})
        return self._candidate(answer, parts, _ENDS.get(turn.end, "STOP"))

    def stream(self, answer: Answer) -> Iterator[str]:
        whole = self.plain(answer)
        (candidate,) = whole["candidates"]
        parts = candidate["content"]["parts"]
        for part in parts[:-1]:
            yield event(self._candidate(answer, [part], None))
        yield event(self._candidate(answer, parts[-1:], candidate["finishReason"]))

    def error(self, fault: Status) -> dict[str, Any]:
        kind = fault.code or _KINDS.get(fault.status, "UNAVAILABLE" if fault.status == 503 else "INTERNAL")
        return {"error": {"code": fault.status, "message": fault.message, "status": kind}}

    def overflow(self, fault: Overflow) -> Status:
        return Status(400, "The input token count (1196265) exceeds the maximum number of tokens allowed (1048576).")

    @staticmethod
    def _candidate(answer: Answer, parts: list[dict[str, Any]], end: str | None) -> dict[str, Any]:
        tokens = answer.tokens
        candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "index": 0}
        if end:
            candidate["finishReason"] = end
        usage = {
            "promptTokenCount": tokens.prompt,
            "cachedContentTokenCount": tokens.cached,
            "candidatesTokenCount": tokens.completion - tokens.reasoning,
            "thoughtsTokenCount": tokens.reasoning,
            "totalTokenCount": tokens.prompt + tokens.completion,
        }
        return {
            "candidates": [candidate],
            "usageMetadata": usage,
            "modelVersion": answer.asked.model,
            "responseId": f"r{answer.position}",
        }
