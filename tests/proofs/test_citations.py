"""Line numbers of the corpus stay right: what scenarios and the reference cite is a passage that says it."""

from __future__ import annotations

import re
from functools import cache

from pytest_clinicare.environment import Brief, Claim, Corpus, Environment, parse_policy
from pytest_clinicare.suite import Case
from pytest_clinicare.systems.scripted.reference import investigate
from tests.proofs.audit import SOURCE, SUITE, by_scenario, cases_of

CORPUS = Corpus(SUITE.root.policy_docs)
# Stems of words that carry meaning, and figures (not those of a unit such as q24h).
_WORD = re.compile(r"[a-z]{5,}")
_FIGURE = re.compile(r"(?<![a-z\d.])\d+(?:\.\d+)?")
_ASIDE = re.compile(r"\([^)]*\)")
STEM = 6
MOST = 0.6
# Sections in words so general that they share none with the claims that rest on them.
SILENT = 0.1


def _stems(text: str) -> set[str]:
    return {word[:STEM] for word in _WORD.findall(text.lower())}


def _said(document: str) -> str:
    return "\n".join(CORPUS.documents[document].lines)


def test_the_corpus_is_whole() -> None:
    assert len(CORPUS.documents) == 70
    for document in CORPUS.documents.values():
        assert document.title
        assert document.issuer
        assert document.kind


@by_scenario()
def test_guideline_rules_stand_in_their_documents(scenario: str) -> None:
    for rule in SUITE.scenarios[scenario].rules:
        if rule.provenance != "guideline":
            continue
        assert rule.source in CORPUS.documents, rule.text
        said = _said(rule.source or "")
        plain = _ASIDE.sub("", rule.text)
        assert set(_FIGURE.findall(plain)) <= set(_FIGURE.findall(said)), rule.text
        stems = _stems(plain)
        assert len(stems & _stems(said)) >= MOST * len(stems), rule.text


@cache
def _claims(scenario: str) -> tuple[Claim, ...]:
    """What the reference claims in one case of each variant."""
    one = {case.variant: case for case in cases_of(scenario)}
    return tuple(claim for case in one.values() for claim in _draft(case))


def _draft(case: Case) -> list[Claim]:
    ids = {"subject_id": case.subject_id, "hadm_id": case.hadm_id, "stay_id": case.stay_id}
    with SOURCE.chart(case) as chart:
        environment = Environment(chart, CORPUS, **ids)
        return investigate(Brief(scenario=case.scenario, query="", **ids), environment).claims


@by_scenario()
def test_reference_cites_whole_sections_that_speak_of_its_claims(scenario: str) -> None:
    asked = _stems(" ".join(finding.text for finding in SUITE.scenarios[scenario].findings))
    claimed: dict[str, set[str]] = {}
    for claim in _claims(scenario):
        for text in claim.policy:
            claimed.setdefault(text, set(asked)).update(_stems(claim.text))
    assert claimed
    silent = []
    for text, stems in claimed.items():
        citation = parse_policy(text)
        assert CORPUS.resolve(citation), text
        lines = CORPUS.documents[citation.document].lines
        first, last = citation.start or 0, citation.end or 0
        assert lines[first - 1].startswith("#"), f"{text} begins within a section"
        assert not any(line.startswith("#") for line in lines[first:last]), f"{text} runs into the next section"
        assert any(line.strip() for line in lines[first:last]), f"{text} is a heading alone"
        if not stems & _stems(" ".join(lines[first - 1 : last])):
            silent.append(text)
    assert len(silent) <= len(claimed) * SILENT, silent


@by_scenario()
def test_reference_cites_what_governs(scenario: str) -> None:
    cited = {parse_policy(text).document for claim in _claims(scenario) for text in claim.policy}
    assert cited == set(SUITE.scenarios[scenario].evidence.governing)
