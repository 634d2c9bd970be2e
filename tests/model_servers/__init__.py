"""Model servers on loopback that play a script: Anthropic's Messages, OpenAI's Responses and chat, Gemini."""

from .investigation import audit_script, task_of
from .script import Call, Drop, Fault, Garbage, Overflow, Script, Stall, Status, Tokens, Turn
from .server import ModelServer, Seen

__all__ = [
    "Call",
    "Drop",
    "Fault",
    "Garbage",
    "ModelServer",
    "Overflow",
    "Script",
    "Seen",
    "Stall",
    "Status",
    "Tokens",
    "Turn",
    "audit_script",
    "task_of",
]
