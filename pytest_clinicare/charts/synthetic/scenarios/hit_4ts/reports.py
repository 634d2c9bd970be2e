"""Venous ultrasound and head CT reports of a hit-4ts chart."""

from __future__ import annotations

from datetime import datetime, timedelta

from pytest_clinicare.charts.synthetic.encounter import Encounter
from pytest_clinicare.charts.synthetic.record import Record
from pytest_clinicare.charts.synthetic.streams import apart

_CLOT = (
    (
        "Occlusive thrombus in the right common femoral vein, not compressible.",
        "New acute deep vein thrombosis of the right common femoral vein.",
    ),
    (
        "The right femoral vein does not compress and holds echogenic thrombus.",
        "Acute deep venous thrombosis of the right femoral vein, new.",
    ),
    ("Expanded right femoral vein without flow on color Doppler.", "New right femoral deep vein thrombosis."),
)
_FREE = (
    ("Normal compressibility and flow of the femoral and popliteal veins.", "No evidence of deep venous thrombosis."),
    ("All veins of both legs compress, with normal augmentation.", "No deep vein thrombosis in either leg."),
    ("Patent common femoral, femoral and popliteal veins.", "No DVT."),
)
_BLOOD = (
    (
        "A 2.6 cm hyperdense focus in the left frontal lobe with thin edema.",
        "Acute left frontal intraparenchymal hemorrhage.",
    ),
    (
        "Hyperdense collection of the right parietal lobe, 2 cm, no shift.",
        "Acute right parietal intracranial hemorrhage.",
    ),
)
_CLEAR = (
    ("No hemorrhage, edema or mass effect. Ventricles of normal size.", "No acute intracranial process."),
    ("Age related volume loss. No hemorrhage.", "No acute intracranial hemorrhage."),
)


@apart("time")
def duplex(record: Record, enc: Encounter, time: datetime, finding: str) -> None:
    """A duplex of the legs, ``confirmed`` or ``normal``."""
    found, impression = record.rng.choice(_CLOT if finding == "confirmed" else _FREE)
    person = "man" if record.gender == "M" else "woman"
    record.order(enc, "Radiology", "Ultrasound", time - timedelta(minutes=record.rng.randrange(40, 160)))
    record.radiology(
        time,
        "BILAT LOWER EXT VEINS",
        f"INDICATION:  ___ year old {person} with low platelets // thrombus\n\nTECHNIQUE:  Grey scale, color and "
        f"spectral Doppler evaluation of both legs.\n\nCOMPARISON:  None.\n\nFINDINGS: \n\n{found}\n\nIMPRESSION: \n\n"
        f"{impression}",
        enc,
    )


@apart("time")
def head_ct(record: Record, enc: Encounter, time: datetime, finding: str) -> None:
    """A CT of the head, ``hemorrhage`` or ``normal``."""
    found, impression = record.rng.choice(_BLOOD if finding == "hemorrhage" else _CLEAR)
    person = "man" if record.gender == "M" else "woman"
    record.order(enc, "Radiology", "CT Scan", time - timedelta(minutes=record.rng.randrange(20, 90)))
    record.radiology(
        time,
        "CT HEAD W/O CONTRAST",
        f"INDICATION:  ___ year old {person} with headache and drowsiness // acute process\n\nTECHNIQUE:  Contiguous "
        f"axial images without contrast.\n\nCOMPARISON:  None.\n\nFINDINGS: \n\n{found}\n\n"
        f"IMPRESSION: \n\n{impression}",
        enc,
    )
