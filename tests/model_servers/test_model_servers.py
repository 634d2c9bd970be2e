"""The scripted models as the official SDKs see them: one script, every protocol, plain and streamed."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import anthropic
import httpx2
import openai
import pytest

from . import Call, Drop, Garbage, ModelServer, Overflow, Script, Stall, Status, Tokens, Turn

LABS = Call("get_labs", {"items": ["Creatinine"]})
PATIENT = Call("get_patient")
REPORT = Call("submit_report", {"verdict": "yes", "rationale": "Grüße"})
SCRIPT = Script.of(
    Turn(calls=(LABS, PATIENT), text="I look.", thinking="Where?", tokens=Tokens(1000, 300, 200, 50, 30)), REPORT
)
NAMES = ("get_labs", "get_patient", "submit_report")
Said = tuple[str, list[tuple[str, Any]], str]
"""Text, calls with their arguments, and why it ended."""


def _messages(url: str, stream: bool, results: int) -> Any:
    client = anthropic.Anthropic(base_url=url, api_key="k", max_retries=0)
    tools: Any = [{"name": name, "input_schema": {"type": "object"}} for name in NAMES]
    messages: Any = [{"role": "user", "content": "Task"}] + [{"role": "user", "content": "result"}] * results
    given: Any = {"model": "m", "max_tokens": 99, "messages": messages, "tools": tools}
    if not stream:
        return client.messages.create(**given)
    with client.messages.stream(**given) as streamed:
        return streamed.get_final_message()


def _responses(url: str, stream: bool, results: int) -> Any:
    client = openai.OpenAI(base_url=f"{url}/v1", api_key="k", max_retries=0)
    tools: Any = [{"type": "function", "name": name, "parameters": {}, "strict": False} for name in NAMES]
    given: Any = [{"role": "user", "content": "Task"}] + [{"role": "user", "content": "result"}] * results
    if not stream:
        return client.responses.create(model="m", input=given, tools=tools)
    # Not the helper `stream`, which knows no end but a completed one.
    *_, last = client.responses.create(model="m", input=given, tools=tools, stream=True)
    assert last.type in ("response.completed", "response.incomplete")
    return last.response


def _chat(url: str, stream: bool, results: int) -> Any:
    client = openai.OpenAI(base_url=f"{url}/v1", api_key="k", max_retries=0)
    tools: Any = [{"type": "function", "function": {"name": name, "parameters": {}}} for name in NAMES]
    given: Any = [{"role": "user", "content": "Task"}] + [{"role": "user", "content": "result"}] * results
    if not stream:
        return client.chat.completions.create(model="m", messages=given, tools=tools)
    with client.chat.completions.stream(
        model="m", messages=given, tools=tools, stream_options={"include_usage": True}
    ) as streamed:
        for _ in streamed:
            pass
        return streamed.get_final_completion()


def _gemini(url: str, stream: bool, results: int) -> Any:
    tools = [{"functionDeclarations": [{"name": name} for name in NAMES]}]
    contents = [{"role": "user", "parts": [{"text": text}]} for text in ("Task", *["result"] * results)]
    operation = "streamGenerateContent?alt=sse" if stream else "generateContent"
    answered = httpx2.post(
        f"{url}/v1beta/models/m:{operation}", json={"contents": contents, "tools": tools}, timeout=httpx2.Timeout(5)
    )
    answered.raise_for_status()
    if not stream:
        return [answered.json()]
    lines = answered.text.splitlines()
    return [json.loads(line.removeprefix("data: ")) for line in lines if line]


def _said_messages(message: Any) -> Said:
    text = "".join(block.text for block in message.content if block.type == "text")
    calls = [(block.name, block.input) for block in message.content if block.type == "tool_use"]
    return text, calls, message.stop_reason


def _said_responses(response: Any) -> Said:
    calls = [(item.name, json.loads(item.arguments)) for item in response.output if item.type == "function_call"]
    return response.output_text, calls, response.status


def _said_chat(completion: Any) -> Said:
    (choice,) = completion.choices
    made = choice.message.tool_calls or ()
    calls = [(call.function.name, json.loads(call.function.arguments)) for call in made]
    return choice.message.content or "", calls, choice.finish_reason


def _said_gemini(chunks: Any) -> Said:
    parts = [part for chunk in chunks for part in chunk["candidates"][0]["content"]["parts"]]
    text = "".join(part["text"] for part in parts if "text" in part and not part.get("thought"))
    calls = [(part["functionCall"]["name"], part["functionCall"]["args"]) for part in parts if "functionCall" in part]
    return text, calls, chunks[-1]["candidates"][0]["finishReason"]


ASKS: dict[str, tuple[Callable[[str, bool, int], Any], Callable[[Any], Said], str, str]] = {
    "messages": (_messages, _said_messages, "tool_use", "end_turn"),
    "responses": (_responses, _said_responses, "completed", "completed"),
    "chat": (_chat, _said_chat, "tool_calls", "stop"),
    "gemini": (_gemini, _said_gemini, "STOP", "STOP"),
}
each = pytest.mark.parametrize("protocol", ASKS)
both = pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])


@contextmanager
def _serving(script: Script) -> Iterator[tuple[ModelServer, str]]:
    server = ModelServer(script)
    with server.serving() as url:
        yield server, url


@each
@both
def test_one_script_in_every_protocol(protocol: str, stream: bool) -> None:
    ask, said, called, ended = ASKS[protocol]
    with _serving(SCRIPT) as (server, url):
        assert said(ask(url, stream, 0)) == (
            "I look.", [("get_labs", {"items": ["Creatinine"]}), ("get_patient", {})], called,
        )  # fmt: skip
        assert said(ask(url, stream, 1))[1] == [("submit_report", {"verdict": "yes", "rationale": "Grüße"})]
        assert said(ask(url, stream, 2)) == ("The report is filed.", [], ended)
    assert [seen.position for seen in server.asked] == [0, 1, 2]
    assert server.asked[0].tools == NAMES


@each
def test_the_same_conversation_is_at_the_same_turn(protocol: str) -> None:
    ask, said, _, _ = ASKS[protocol]
    with _serving(SCRIPT) as (server, url):
        for results in (0, 0, 1, 0, 1):
            said(ask(url, False, results))
    assert [(seen.position, seen.attempt) for seen in server.asked] == [(0, 0), (0, 1), (1, 0), (0, 2), (1, 0)]


def test_tokens_are_split_as_each_protocol_does() -> None:
    with _serving(SCRIPT) as (_, url):
        usage = _messages(url, False, 0).usage
        assert (usage.input_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens) == (500, 300, 200)
        used = _responses(url, False, 0).usage
        assert (used.input_tokens, used.input_tokens_details.cached_tokens, used.output_tokens) == (1000, 300, 50)
        assert _chat(url, True, 0).usage.completion_tokens_details.reasoning_tokens == 30
        assert _gemini(url, False, 0)[0]["usageMetadata"]["candidatesTokenCount"] == 20


@each
def test_faults_come_before_the_answer(protocol: str) -> None:
    ask, said, called, _ = ASKS[protocol]
    script = Script.of(
        Turn(calls=(PATIENT,), faults=(Status(429, retry_after=7), Overflow(), Drop(), Garbage(), Stall(0.01)))
    )
    told = []
    with _serving(script) as (_, url):
        for _ in range(5):
            try:
                ask(url, False, 0)
                told.append("answered")
            except Exception as error:
                headers = getattr(getattr(error, "response", None), "headers", {})
                told.append(headers.get("retry-after") or type(error).__name__)
        assert said(ask(url, False, 0))[2] == called
    assert told[0] == "7"
    assert told[1] in ("BadRequestError", "HTTPStatusError")
    assert "answered" not in told[2:3] + told[4:]


@each
def test_a_stall_ends_with_the_server(protocol: str) -> None:
    ask, _, _, _ = ASKS[protocol]
    began = time.monotonic()
    with _serving(Script.of(Turn(always=Stall(20)))) as (server, url):
        server._ended.set()
        with pytest.raises(Exception, match=r"(?i)disconnect|connection"):
            ask(url, False, 0)
    assert time.monotonic() - began < 5


def test_a_request_without_the_report_tool_is_on_the_side() -> None:
    with _serving(SCRIPT) as (server, url):
        client = openai.OpenAI(base_url=f"{url}/v1", api_key="k", max_retries=0)
        answer = client.chat.completions.create(model="m", messages=[{"role": "user", "content": "A title?"}])
        assert answer.choices[0].message.content == "Audit of a chart"
    assert server.asked == []
    assert len(server.requests) == 1


def test_scripts_by_what_the_user_says() -> None:
    server = ModelServer({"Taxes": Script.of("no"), "Task": Script.of("yes")})
    with server.serving() as url:
        assert _chat(url, False, 0).choices[0].message.content == "yes"
    assert server.asked[0].script == "Task"


def test_tools_are_called_as_they_are_offered() -> None:
    server = ModelServer(Script.of(Turn(calls=(LABS, Call("Bash", "{broken")))), prefix="mcp__clinicare__")
    with server.serving() as url:
        client = openai.OpenAI(base_url=f"{url}/v1", api_key="k", max_retries=0)
        functions: Any = [
            {"type": "function", "name": name, "parameters": {}, "strict": False}
            for name in ("get_labs", "submit_report")
        ]
        tools: Any = [{"type": "namespace", "name": "mcp__clinicare", "description": "d", "tools": functions}]
        made: Any = client.responses.create(model="m", input="Task", tools=tools).output
    assert [(call.name, call.namespace) for call in made] == [
        ("get_labs", "mcp__clinicare"), ("mcp__clinicare__Bash", None),
    ]  # fmt: skip
    assert made[1].arguments == "{broken"


@pytest.mark.parametrize(
    ("end", "stops"),
    [
        ("length", ("max_tokens", "incomplete", "length", "MAX_TOKENS")),
        ("refusal", ("refusal", "completed", "stop", "SAFETY")),
        ("filter", ("refusal", "incomplete", "content_filter", "PROHIBITED_CONTENT")),
    ],
)
def test_ends(end: Any, stops: tuple[str, ...]) -> None:
    with _serving(Script.of(Turn(text="I", end=end))) as (_, url):
        # Plain, as OpenAI's helper for streams of chat takes some ends for errors.
        assert tuple(said(ask(url, False, 0))[2] for ask, said, _, _ in ASKS.values()) == stops
