"""What the sandbox has for analysis: this interpreter's standard library with pandas, numpy and scipy, and no more.

The harness's own packages stay outside: among them lie the cases with their reference verdicts. So the sandbox shows a
folder that holds copies (hard links where possible) of just these files, readable by every user.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from pytest_clinicare.environment.sandbox.protocol import SandboxError

PACKAGES = ("numpy", "pandas", "scipy")
_LEFT_OUT = frozenset(
    {"site-packages", "dist-packages", "test", "tests", "idlelib", "turtledemo", "ensurepip", "tkinter"}
)
_REQUIREMENT = re.compile(r"[A-Za-z0-9._-]+")


@dataclass(frozen=True)
class Analysis:
    """``folder`` holds ``python/`` (bin, lib) and ``packages/``; ``versions`` by name, python included."""

    folder: Path
    versions: dict[str, str]


def prepare_analysis() -> Analysis:
    """The folder, made once per machine, user and versions.

    Raises SandboxError where the packages are not installed.
    """
    found = dict(_distributions())
    missing = [name for name in PACKAGES if name not in found]
    if missing:
        raise SandboxError(
            f"the shell needs {', '.join(missing)}; install them with: pip install 'pytest-clinicare[analysis]'"
        )
    versions = {"python": ".".join(map(str, sys.version_info[:3]))}
    versions |= {name: found[name].version for name in PACKAGES}
    stamp = f"{sys.base_prefix} {sorted((name, d.version) for name, d in found.items())} {sys.version}"
    name = f"clinicare-analysis-{os.getuid()}-{hashlib.sha256(stamp.encode()).hexdigest()[:12]}"
    folder = Path(tempfile.gettempdir()).resolve() / name
    if not folder.is_dir():
        _make(folder, list(found.values()))
    # In a folder that everybody may write to, somebody else may have been there first.
    if folder.stat().st_uid != os.getuid() or folder.is_symlink():
        raise SandboxError(f"{folder} belongs to somebody else; remove it")
    return Analysis(folder, versions)


def _make(folder: Path, distributions: list[metadata.Distribution]) -> None:
    making = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", dir=folder.parent))
    try:
        making.chmod(0o755)
        _interpreter(making / "python")
        for distribution in distributions:
            for file in distribution.files or ():
                source = Path(str(distribution.locate_file(file)))
                if ".." not in file.parts and source.is_file() and "tests" not in file.parts:
                    _link(source, making / "packages" / str(file))
        for at, folders, _ in os.walk(making):
            for inner in folders:
                Path(at, inner).chmod(0o755)
        making.rename(folder)
    except OSError:
        # Another process may have finished the same folder meanwhile.
        shutil.rmtree(making, ignore_errors=True)
        if not folder.is_dir():
            raise


def _interpreter(target: Path) -> None:
    executable = Path(os.path.realpath(getattr(sys, "_base_executable", sys.executable)))
    _link(executable, target / "bin" / "python3")
    (target / "bin" / "python").symlink_to("python3")
    library = Path(sysconfig.get_path("stdlib"))
    for at, folders, files in os.walk(library):
        folders[:] = [name for name in folders if name not in _LEFT_OUT]
        for name in files:
            if not name.endswith((".a", ".opt-1.pyc", ".opt-2.pyc")):
                source = Path(at, name)
                _link(source, target / "lib" / library.name / source.relative_to(library))
    if sysconfig.get_config_var("Py_ENABLE_SHARED"):
        shared = Path(str(sysconfig.get_config_var("LIBDIR")))
        for source in shared.glob(f"libpython{sys.version_info.major}*.so*"):
            _link(source, target / "lib" / source.name)


def _link(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    real = Path(os.path.realpath(source))
    readable = real.stat().st_mode & 0o004
    try:
        if not readable:
            raise OSError("not readable by others")
        os.link(real, target)
    except OSError:
        shutil.copyfile(real, target)
        target.chmod(0o755 if os.access(real, os.X_OK) else 0o644)


def _distributions() -> Iterator[tuple[str, metadata.Distribution]]:
    """The packages and what they require, each once."""
    waiting, seen = list(PACKAGES), set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        try:
            distribution = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        yield name, distribution
        for requirement in distribution.requires or ():
            wanted, _, marker = requirement.partition(";")
            if "extra" not in marker and (named := _REQUIREMENT.match(wanted)):
                waiting.append(named.group().lower())
