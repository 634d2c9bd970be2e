"""Order chains, radiology reports, and the match between them (RH-RAD-01)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from pytest_clinicare.systems.scripted.clinical.orders import chains
from pytest_clinicare.systems.scripted.clinical.radiology import could_match, index_ct, match, read_study

ORDERED = datetime(2150, 6, 2, 9, 30)


def poe(number: int, hours: float, kind: str = "New", subtype: str = "CT Scan", **links: Any) -> dict[str, Any]:
    links = {name: f"1-{other}" for name, other in links.items()}
    return {
        "ref": f"poe:1-{number}", "poe_id": f"1-{number}", "ordertime": str(ORDERED + timedelta(hours=hours)),
        "order_type": "Radiology", "order_subtype": subtype, "transaction_type": kind, **links,
    }  # fmt: skip


def report(hours: float, title: str = "CT HEAD W/O CONTRAST", body: str = "No hemorrhage.") -> Any:
    context = "INDICATION:  rule out bleed\n\nCOMPARISON:  Outside hospital CT."
    text = f"EXAMINATION:  {title}\n\n{context}\n\nFINDINGS:  {body}\n"
    return read_study("radiology:1-RR-1", str(ORDERED + timedelta(hours=hours)), text)


def test_a_change_continues_the_order_and_only_a_dc_row_ends_it() -> None:
    rows = [
        poe(1, 0, discontinued_by_poe_id=2),
        poe(2, 0.5, "Change", discontinue_of_poe_id=1),
        poe(3, 5, discontinued_by_poe_id=4),
        poe(4, 6, "D/C", discontinue_of_poe_id=3),
    ]
    changed, stopped = chains(rows)
    assert changed.time == ORDERED
    assert changed.refs == ("poe:1-1", "poe:1-2")
    assert changed.discontinued is None
    assert stopped.discontinued == ORDERED + timedelta(hours=6)
    assert stopped.live_at(ORDERED + timedelta(hours=5.9))
    assert not stopped.live_at(ORDERED + timedelta(hours=6.1))


def test_a_dc_row_that_names_the_change_ends_the_whole_chain() -> None:
    (order,) = chains(
        [poe(1, 0), poe(2, 1, "Change", discontinue_of_poe_id=1), poe(3, 2, "D/C", discontinue_of_poe_id=2)]
    )
    assert order.discontinued == ORDERED + timedelta(hours=2)


def test_the_nearest_live_order_of_the_class_is_matched_within_its_window() -> None:
    orders = chains([poe(1, 0), poe(2, 4), poe(3, 5, subtype="MRI"), poe(4, 5, subtype="General Xray")])
    assert match(report(4.5), orders) is orders[1]
    assert match(report(2), orders) is orders[0]
    assert match(report(-1), orders) is orders[0]
    assert match(report(-1.01), orders) is None
    assert match(report(76.01), orders) is None
    mri = match(report(6, "MR HEAD W/O CONTRAST"), orders)
    assert mri is not None
    assert mri.subtype == "MRI"


def test_a_report_with_a_date_alone_fits_every_order_that_could_have_led_to_it() -> None:
    orders = chains([poe(1, 0), poe(2, 8), poe(3, 40)])
    dated = read_study("radiology:1-RR-1", "2150-06-02 00:00:00", "EXAMINATION: CT ABD & PELVIS\n\nFINDINGS: none.")
    assert dated is not None
    assert dated.time is None
    assert match(dated, orders) is None
    assert could_match(dated, orders) == list(orders[:2])


@pytest.mark.parametrize(
    ("title", "body", "modality", "counts", "unsettled"),
    [
        ("CTA CHEST WITH CONTRAST", "No embolism.", "CT", True, False),
        ("MRCP (MR ABD W&W/OC)", "Normal.", "MR", True, False),
        ("CHEST (PORTABLE AP)", "CT is recommended.", "OTHER", False, False),
        ("SECOND OPINION CT TORSO", "Images acquired at ___ Hospital.", "CT", False, False),
        ("LUNG SCAN WITH SPECT/CT", "Attenuation correction.", "OTHER", False, True),
        ("DRAINAGE CATHETER PLACEMENT", "Under imaging guidance a needle was advanced.", "OTHER", False, True),
        ("DRAINAGE CATHETER PLACEMENT", "Under ultrasound guidance a needle was advanced.", "OTHER", False, False),
        ("CT HEAD W/O CONTRAST", "The examination was aborted before any image was acquired.", "CT", False, False),
    ],
)
def test_reports_are_classed_by_what_was_done_here(
    title: str, body: str, modality: str, counts: bool, unsettled: bool
) -> None:
    study = report(1, title, body)
    assert (study.modality, study.counts, study.unsettled) == (modality, counts, unsettled)


def test_the_body_governs_the_time_and_a_day_of_disagreement_leaves_it_unresolved() -> None:
    near = report(5, body="The scan was performed at 11:15. No hemorrhage.")
    assert near.time == ORDERED.replace(hour=11, minute=15)
    far = report(5, body="The scan was performed on 2150-05-30 11:15.")
    assert far.conflict
    assert index_ct([far], lambda day: None)[1] is None
    assert index_ct([near], lambda day: None)[1] == near.time


def test_a_dated_ct_that_may_be_the_earliest_leaves_t0_unresolved_unless_a_charted_scan_times_it() -> None:
    dated = read_study("radiology:1-RR-1", "2150-06-02 00:00:00", "EXAMINATION: CT HEAD\n\nFINDINGS: none.")
    later = report(5)
    assert dated is not None
    assert index_ct([dated, later], lambda day: None)[1] is None
    assert index_ct([dated, later], lambda day: ORDERED)[1] == ORDERED
