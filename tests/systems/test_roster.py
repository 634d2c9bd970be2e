"""Systems that TOML declares: those of the leaderboard, and a user's."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_clinicare.environment import Brief, Limits
from pytest_clinicare.systems import declared_systems
from pytest_clinicare.systems.credentials import MissingKey, credential
from pytest_clinicare.systems.declaration import Declaration, Price
from pytest_clinicare.systems.prompt import prompt_digest, prompt_of
from pytest_clinicare.systems.roster import RosterError, alias_of, load_roster

# The paper's Table 2.
LEADERBOARD = {
    "claude-code": {"opus-5", "sonnet-5"},
    "codex": {"gpt-5.6-sol", "gpt-5.6-luna", "gpt-5.5", "gpt-5.4", "gpt-5.4-mini"},
    "gemini-cli": {"gemini-3.6-flash", "gemini-3.5-flash", "gemini-3.1-pro"},
    "opencode": {"deepseek-v4-pro", "deepseek-v4-flash", "glm-5.2", "qwen-3.7-plus", "minimax-m3", "kimi-k2.7-code"},
}
MINE = """
[systems.mine]
harness = "native"
model = "llama"
api = "openai-chat"
endpoint = "http://127.0.0.1:8000/v1"
price = {date = 2026-11-30, prompt = 1.0, cached = 0.1, completion = 4.0}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CLINICARE_SYSTEMS", raising=False)
    return tmp_path


def test_the_sixteen_and_their_native_twins(folder: Path) -> None:
    names = {entry.name for entry in declared_systems()}
    sixteen = {f"{harness}/{model}" for harness, models in LEADERBOARD.items() for model in models}
    assert len(sixteen) == 16
    assert names == sixteen | {f"native/{name.partition('/')[2]}" for name in sixteen}
    aliases = [entry.alias for entry in declared_systems() if entry.alias]
    assert len(set(aliases)) == 16
    assert alias_of("gpt-5.5") == "gpt55"


def test_every_shipped_system_needs_a_key_and_sends_cases_away(folder: Path) -> None:
    for entry in declared_systems():
        assert entry.declaration.key
        assert entry.declaration.remote
        assert entry.declaration.family


@pytest.mark.parametrize(("file", "before"), [("clinicare.toml", ""), ("pyproject.toml", "tool.clinicare.")])
def test_a_users_own(folder: Path, file: str, before: str) -> None:
    (folder / file).write_text(MINE.replace("[systems", f"[{before}systems"))
    entry = load_roster()["mine"]
    assert (entry.declaration.model_id, entry.declaration.remote, entry.declaration.key) == ("llama", False, None)
    assert entry.declaration.price is not None
    assert entry.declaration.price.usd(prompt=1_000_000, cached=500_000, completion=250_000) == pytest.approx(1.55)


def test_a_known_model_brings_what_the_roster_knows(folder: Path) -> None:
    (folder / "clinicare.toml").write_text(
        '[systems.hard]\nharness = "codex"\nmodel = "gpt-5.5"\neffort = "high"\n[systems."codex/gpt-5.5"]\n'
        'harness = "codex"\nmodel = "gpt-5.5"\nid = "gpt-5.5-2026-10-01"\n'
    )
    roster = load_roster()
    hard = roster["hard"].declaration
    assert (hard.family, hard.key, hard.effort) == ("openai", "OPENAI_API_KEY", "high")
    assert roster["codex/gpt-5.5"].declaration.model_id == "gpt-5.5-2026-10-01"
    assert len(roster) == 33


def test_a_file_named_by_the_environment(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "elsewhere.toml"
    other.write_text(MINE)
    monkeypatch.setenv("CLINICARE_SYSTEMS", str(other))
    assert load_roster()["mine"].source == str(other)
    other.unlink()
    with pytest.raises(RosterError, match="CLINICARE_SYSTEMS: there is no file"):
        load_roster()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[systems.a]\nharness = 'natve'\nmodel = 'x'", r"clinicare\.toml:2: system 'a': key harness: Input should be"),
        ("[systems.a]\nharness = 'native'", r"clinicare\.toml:1: system 'a': harness native needs a model"),
        ("[systems.a]\nharness = 'native'\nmodel = 'x'", r"model 'x' is not in the roster: say its api and endpoint"),
        ("[systems.a]\nharness = 'codex'\nmodel = 'gpt-5.5'\ntemprature = 1", r"toml:4: system 'a': key temprature"),
        ("[systems.a]\nharness = 'command'", "needs the command"),
        ("[systems.a]\nharness = 'codex'\nmodel = 'gpt-5.5'\n[systems.a.price]\nprompt = 1\ncompletion = 2",
         "key price.date: Field required"),
        ("[systems]\na = 3", "system 'a' must be a table"),
        ("systems = 3", "systems must be a table of systems"),
        ("[systems.a", "cannot be read as TOML"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_its_place(folder: Path, text: str, told: str) -> None:
    (folder / "clinicare.toml").write_text(text)
    with pytest.raises(RosterError, match=told):
        load_roster()


@pytest.mark.parametrize(
    ("endpoint", "remote"),
    [("http://127.0.0.1:8000/v1", False), ("http://localhost:11434/v1", False), ("http://[::1]:1/v1", False),
     ("https://api.openai.com/v1", True), ("http://10.0.0.5/v1", True), ("http://127.0.0.1.evil.org/v1", True)],
)  # fmt: skip
def test_only_loopback_keeps_cases_here(endpoint: str, remote: bool) -> None:
    declared = Declaration(harness="native", model="m", api="openai-chat", endpoint=endpoint)
    assert declared.remote is remote


def test_a_command_may_send_anything_anywhere() -> None:
    assert Declaration(harness="command", command=("agent",)).remote


def test_settings_tell_no_credential_and_no_price() -> None:
    declared = Declaration(
        harness="native", model="m", api="openai-chat", endpoint="http://127.0.0.1/v1", key="MY_KEY", effort="low",
        price=Price.model_validate({"date": "2026-11-30", "prompt": 1, "completion": 1}),
    )  # fmt: skip
    assert declared.settings == {
        "api": "openai-chat", "effort": "low", "endpoint": "http://127.0.0.1/v1", "harness": "native", "model": "m",
    }  # fmt: skip


def test_a_missing_key_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOBODYS_KEY", raising=False)
    with pytest.raises(MissingKey, match="export NOBODYS_KEY="):
        credential("NOBODYS_KEY")
    monkeypatch.setenv("NOBODYS_KEY", "v")
    assert credential("NOBODYS_KEY") == "v"


def test_one_prompt_for_all() -> None:
    one = Brief(scenario="a", query="Was it?", subject_id=1, hadm_id=2, limits=Limits(calls=7, seconds=90))
    other = one.model_copy(update={"query": "Did it?", "stay_id": 3})
    first, second = prompt_of(one), prompt_of(other)
    assert first.instructions == second.instructions
    assert "At most 7 tool calls, 200 turns and 1.5 minutes" in first.instructions
    assert first.task == "Patient: subject_id 1, hadm_id 2.\n\nWas it?\n"
    assert second.task == "Patient: subject_id 1, hadm_id 2, stay_id 3.\n\nDid it?\n"
    assert prompt_digest().startswith("audit-1 ")
