"""The policy corpus: Markdown documents with front matter, cited by line."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pytest_clinicare.environment.report import PolicyCitation

_WORD = re.compile(r"[a-z0-9]+")


class CorpusError(Exception):
    """A corpus that cannot be read; the message names the file."""


@dataclass(frozen=True)
class Document:
    """``lines`` are those of the whole file, front matter included; line 1 is ``lines[0]``."""

    id: str
    title: str
    year: int | None
    kind: str
    issuer: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Passage:
    """A block of lines that a search found; lines count from 1, both ends included."""

    document: Document
    start: int
    end: int
    score: float

    @property
    def text(self) -> str:
        return numbered(self.document, self.start, self.end)


class Corpus:
    """The documents of one folder, read when first needed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def documents(self) -> dict[str, Document]:
        """By id, in order of id.

        Raises:
            CorpusError: the folder is missing, or a document has no id in its front matter.
        """
        if not self.folder.is_dir():
            raise CorpusError(f"{self.folder}: no such folder of policy documents")
        home = self.folder.resolve()
        paths = sorted(self.folder.glob("*.md"))
        for path in paths:
            if path.is_symlink() and home not in path.resolve().parents:
                raise CorpusError(f"{path} links to a file outside of {self.folder}; put the document itself there")
        read = [_read(path) for path in paths]
        return {document.id: document for document in sorted(read, key=lambda document: document.id)}

    def resolve(self, citation: PolicyCitation) -> bool:
        """Whether the document exists and has the cited lines."""
        document = self.documents.get(citation.document)
        if document is None:
            return False
        if citation.start is None:
            return citation.end is None
        end = citation.end if citation.end is not None else citation.start
        return 1 <= citation.start <= end <= len(document.lines)

    def search(self, query: str) -> list[Passage]:
        """Passages with at least one word of the query, best first; ties in order of document and line."""
        words = dict.fromkeys(_stem(word) for word in _WORD.findall(query.lower()))
        found = []
        for passage, counts, size in self._index:
            hits = [word for word in words if word in counts]
            if hits:
                # BM25 without tuning: rare words count more, repetition saturates, long blocks are discounted.
                norm = 0.5 + size / 80
                score = sum(self._weight(word) * counts[word] * 2 / (counts[word] + norm) for word in hits)
                score *= len(hits) / len(words)
                found.append(Passage(passage.document, passage.start, passage.end, round(score, 4)))
        return sorted(found, key=lambda p: (-p.score, p.document.id, p.start))

    @cached_property
    def _index(self) -> list[tuple[Passage, Counter[str], int]]:
        index = []
        for document in self.documents.values():
            title = [_stem(word) for word in _WORD.findall(f"{document.id} {document.title}".lower())]
            for start, end in _blocks(document):
                words = [_stem(w) for line in document.lines[start - 1 : end] for w in _WORD.findall(line.lower())]
                index.append((Passage(document, start, end, 0.0), Counter(words + title), len(words)))
        return index

    @cached_property
    def _frequencies(self) -> Counter[str]:
        return Counter(word for _, counts, _ in self._index for word in counts)

    def _weight(self, word: str) -> float:
        return math.log(1 + len(self._index) / (1 + self._frequencies[word]))


def numbered(document: Document, start: int, end: int) -> str:
    """Lines as an agent sees and cites them: ``L12: text``."""
    return "\n".join(f"L{number}: {document.lines[number - 1]}" for number in range(start, end + 1))


def _read(path: Path) -> Document:
    lines = tuple(path.read_text(encoding="utf-8").splitlines())
    front: dict[str, str] = {}
    if lines and lines[0].strip() == "---":
        for line in lines[1:]:
            if line.strip() == "---":
                break
            key, colon, value = line.partition(":")
            if colon:
                front[key.strip()] = value.strip().strip("\"'")
    if "id" not in front:
        raise CorpusError(f"{path}: line 1: a policy document begins with front matter that gives its id")
    year = front.get("year", "")
    return Document(
        front["id"],
        front.get("title", front["id"]),
        int(year) if year.isdigit() else None,
        front.get("kind", ""),
        front.get("issuer", ""),
        lines,
    )


def _blocks(document: Document) -> list[tuple[int, int]]:
    """Sections without their subsections: from a heading to the line before the next, after the front matter."""
    lines = document.lines
    body = next((i for i, line in enumerate(lines[1:], 1) if line.strip() == "---"), -1) + 1
    starts = [i for i in range(body, len(lines)) if lines[i].startswith("#")] or [body]
    blocks = []
    for start, following in zip(starts, [*starts[1:], len(lines)], strict=True):
        end = following
        while end > start + 1 and not lines[end - 1].strip():
            end -= 1
        if start < len(lines):
            blocks.append((start + 1, end))
    return blocks


def _stem(word: str) -> str:
    """Singular and plural alike; no more, as medical words do not stem well."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
