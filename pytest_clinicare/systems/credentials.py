"""Credentials, from the environment or a keyring; they are asked for where a request is made, and kept nowhere else."""

from __future__ import annotations

import os

SERVICE = "pytest-clinicare"
"""The name that a keyring knows them under: ``keyring set pytest-clinicare OPENAI_API_KEY``."""


class MissingKey(Exception):
    """A credential that is neither in the environment nor in a keyring; the message says how to give it."""


def credential(name: str) -> str:
    """The value of the credential called ``name``. Raises MissingKey."""
    found = os.environ.get(name) or _from_keyring(name)
    if not found:
        raise MissingKey(
            f"{name} is not set; export {name}=..., or put it into a keyring: keyring set {SERVICE} {name}"
        )
    return found


def _from_keyring(name: str) -> str | None:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return None
    try:
        return keyring.get_password(SERVICE, name)
    except KeyringError:
        return None
