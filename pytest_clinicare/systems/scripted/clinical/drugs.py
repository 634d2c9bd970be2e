"""Drugs by active ingredient, and the classes of PT-014 5.1, 5.2 and 6.2."""

from __future__ import annotations

import re
from functools import cache, lru_cache

# One class a paragraph: its ingredients. A class of HIGH is high-significance (PT-014 5.1), any other low (5.2, 5.3).
_GROUPS = """
anticoagulant: apixaban, rivaroxaban, dabigatran, edoxaban, warfarin, enoxaparin, fondaparinux, dalteparin, heparin
antiplatelet: aspirin, clopidogrel, prasugrel, ticagrelor, dipyridamole, cilostazol
glucose-lowering: insulin, metformin, glipizide, glyburide, glimepiride, sitagliptin, linagliptin, saxagliptin,
    empagliflozin, canagliflozin, dapagliflozin, liraglutide, dulaglutide, semaglutide, exenatide, pioglitazone,
    repaglinide, acarbose
beta-blocker: metoprolol, atenolol, carvedilol, bisoprolol, propranolol, nadolol, labetalol, nebivolol, sotalol
antiarrhythmic: amiodarone, dofetilide, flecainide, propafenone, dronedarone, digoxin, mexiletine
ace-inhibitor: lisinopril, enalapril, captopril, ramipril, benazepril, quinapril, fosinopril, moexipril, perindopril
arb: losartan, valsartan, irbesartan, candesartan, olmesartan, telmisartan, azilsartan, sacubitril
mra: spironolactone, eplerenone
diuretic: furosemide, torsemide, bumetanide, hydrochlorothiazide, chlorthalidone, metolazone, indapamide,
    chlorothiazide, ethacrynic
other-diuretic: acetazolamide, amiloride, triamterene
nsaid: ibuprofen, naproxen, ketorolac, diclofenac, indomethacin, meloxicam, celecoxib, etodolac, nabumetone, sulindac
calcium-blocker: amlodipine, nifedipine, diltiazem, verapamil, felodipine
nitrate: isosorbide, nitroglycerin
statin: atorvastatin, rosuvastatin, simvastatin, pravastatin, lovastatin, fluvastatin, pitavastatin
antiepileptic: levetiracetam, phenytoin, valproate, divalproex, carbamazepine, oxcarbazepine, lamotrigine,
    topiramate, lacosamide, zonisamide, gabapentin, pregabalin, phenobarbital
psychotropic: sertraline, citalopram, escitalopram, fluoxetine, paroxetine, venlafaxine, desvenlafaxine, duloxetine,
    bupropion, mirtazapine, trazodone, amitriptyline, nortriptyline, quetiapine, olanzapine, risperidone,
    aripiprazole, haloperidol, ziprasidone, clozapine, lurasidone, lithium
antiparkinson: carbidopa, levodopa, ropinirole, pramipexole, rasagiline, selegiline, amantadine, entacapone
corticosteroid: prednisone, prednisolone, methylprednisolone, dexamethasone, hydrocortisone
immunosuppressant: tacrolimus, cyclosporine, mycophenolate, azathioprine, methotrexate, sirolimus, everolimus
antiviral: emtricitabine, tenofovir, dolutegravir, bictegravir, abacavir, lamivudine, efavirenz, darunavir,
    raltegravir, entecavir, acyclovir, valacyclovir, valganciclovir
antibacterial: levofloxacin, ciprofloxacin, moxifloxacin, cefpodoxime, cephalexin, cefuroxime, cefdinir,
    ceftriaxone, cefazolin, cefepime, amoxicillin, clavulanate, ampicillin, penicillin, azithromycin, doxycycline,
    clindamycin, metronidazole, sulfamethoxazole, trimethoprim, nitrofurantoin, linezolid, vancomycin, piperacillin,
    meropenem, ertapenem
antifungal: fluconazole, voriconazole, posaconazole, micafungin
thyroid: levothyroxine, liothyronine, methimazole, propylthiouracil
opioid: oxycodone, hydromorphone, morphine, hydrocodone, tramadol, fentanyl, methadone, buprenorphine, oxymorphone,
    codeine
inhaled-controller: tiotropium, fluticasone, budesonide, salmeterol, formoterol, umeclidinium, vilanterol,
    mometasone, beclomethasone
encephalopathy: lactulose, rifaximin
proton-pump-inhibitor: omeprazole, pantoprazole, esomeprazole, lansoprazole, rabeprazole
supplement: multivitamin, vitamin d, vitamin b12, vitamin c, folic acid, thiamine, calcium, iron, magnesium, zinc,
    fish oil, melatonin, biotin, potassium chloride
bowel-regimen: docusate, senna, polyethylene glycol, bisacodyl
other: acetaminophen, artificial tears, tamsulosin, finasteride, allopurinol, colchicine,
    albuterol, ipratropium, ranitidine, famotidine, loratadine, cetirizine, ondansetron, lidocaine, lorazepam,
    clonazepam, zolpidem, hydralazine, clonidine, gemfibrozil, ezetimibe, alendronate, montelukast, benzonatate,
    guaifenesin
"""
# One ingredient a paragraph: brands and spellings that do not hold its name.
_SPELLINGS = """
apixaban: eliquis
rivaroxaban: xarelto
warfarin: coumadin
enoxaparin: lovenox
clopidogrel: plavix
aspirin: asa, ecotrin
ticagrelor: brilinta
insulin: lantus, humalog, novolog, glargine, lispro
metformin: glucophage
sitagliptin: januvia
empagliflozin: jardiance
metoprolol: toprol, lopressor
carvedilol: coreg
atenolol: tenormin
lisinopril: prinivil, zestril
losartan: cozaar
valsartan: diovan
sacubitril: entresto
spironolactone: aldactone
furosemide: lasix
bumetanide: bumex
torsemide: demadex
hydrochlorothiazide: hctz
amlodipine: norvasc
diltiazem: cardizem
isosorbide: imdur
atorvastatin: lipitor
rosuvastatin: crestor
simvastatin: zocor
levetiracetam: keppra
divalproex: depakote
valproate: valproic acid
gabapentin: neurontin
pregabalin: lyrica
lamotrigine: lamictal
phenytoin: dilantin
sertraline: zoloft
citalopram: celexa
escitalopram: lexapro
fluoxetine: prozac
venlafaxine: effexor
duloxetine: cymbalta
bupropion: wellbutrin
quetiapine: seroquel
olanzapine: zyprexa
carbidopa: sinemet
tacrolimus: prograf
mycophenolate: cellcept
levofloxacin: levaquin
ciprofloxacin: cipro
cefpodoxime: vantin
amoxicillin: augmentin
clavulanate: clavulanic
azithromycin: zithromax
sulfamethoxazole: bactrim
levothyroxine: synthroid, levoxyl
oxycodone: percocet, oxycontin
hydromorphone: dilaudid
tiotropium: spiriva
fluticasone: advair, flovent, breo
budesonide: symbicort
omeprazole: prilosec
pantoprazole: protonix
esomeprazole: nexium
multivitamin: multivit, multi-vitamin, daily-vite
vitamin d: cholecalciferol, ergocalciferol
vitamin b12: cyanocobalamin
vitamin c: ascorbic acid
iron: ferrous
docusate: colace
senna: sennosides, senokot
polyethylene glycol: miralax
acetaminophen: tylenol
ibuprofen: motrin, advil
naproxen: aleve, naprosyn
ketorolac: toradol
celecoxib: celebrex
tamsulosin: flomax
allopurinol: zyloprim
nitroglycerin: nitrostat
ondansetron: zofran
"""


def _table(text: str) -> dict[str, tuple[str, ...]]:
    entries = (entry.split(":", 1) for entry in text.replace("\n    ", " ").strip().splitlines())
    return {name: tuple(item.strip() for item in items.split(",")) for name, items in entries}


CLASSES = _table(_GROUPS)
_CLASS_OF = {ingredient: name for name, group in CLASSES.items() for ingredient in group}
HIGH = frozenset(CLASSES) - {
    "nsaid",
    "other-diuretic",
    "opioid",
    "encephalopathy",
    "proton-pump-inhibitor",
    "supplement",
    "bowel-regimen",
    "other",
}
_RENAL_CLASSES = frozenset({"ace-inhibitor", "arb", "mra", "diuretic", "other-diuretic", "nsaid"})
_CALCINEURIN = frozenset({"tacrolimus", "cyclosporine"})
SYNONYMS = {spelling: name for name, spellings in _table(_SPELLINGS).items() for spelling in spellings}
# Words by which a text names a class as a whole.
CLASS_WORDS: dict[str, str] = {
    "anticoagulant": r"anti-?coagula\w+|blood thinners?|DOAC|NOAC",
    "antiplatelet": r"anti-?platelets?(?: agents?)?",
    "glucose-lowering": r"oral hypoglycemics?|diabetes medications?",
    "beta-blocker": r"beta[- ]?blockers?",
    "ace-inhibitor": r"ACE[- ]?(?:i|inhibitors?)\b",
    "arb": r"ARBs?\b|angiotensin[- ]receptor blockers?",
    "mra": r"mineralocorticoid antagonists?",
    "diuretic": r"diuretics?|diuresis",
    "calcium-blocker": r"calcium[- ]channel blockers?|CCB",
    "nitrate": r"nitrates?",
    "statin": r"statins?",
    "antiepileptic": r"anti-?epileptics?|AEDs?",
    "psychotropic": r"anti-?depressants?|SSRIs?|anti-?psychotics?|psychotropics?",
    "corticosteroid": r"steroids?",
    "immunosuppressant": r"immunosuppress\w+",
    "antibacterial": r"antibiotics?|antimicrobials?|abx",
    "antifungal": r"antifungals?",
    "thyroid": r"thyroid (?:hormone|replacement)",
    "opioid": r"opioids?|narcotics?",
    "inhaled-controller": r"inhalers?",
}
COMBINATIONS = {frozenset({"amoxicillin", "clavulanate"}), frozenset({"sulfamethoxazole", "trimethoprim"})}


@cache
def _lexicon() -> tuple[re.Pattern[str], dict[str, str]]:
    names = {name: name for group in CLASSES.values() for name in group} | SYNONYMS
    longest = sorted(names, key=len, reverse=True)
    return re.compile(r"\b(" + "|".join(map(re.escape, longest)) + r")", re.IGNORECASE), names


@lru_cache(maxsize=4096)
def ingredients(text: str) -> tuple[str, ...]:
    """Known active ingredients that a text names, in order, each once; brands, salts and strengths do not matter."""
    pattern, names = _lexicon()
    return tuple(dict.fromkeys(names[m.group(1).lower()] for m in pattern.finditer(text)))


@lru_cache(maxsize=4096)
def main_ingredients(text: str) -> tuple[str, ...]:
    """Ingredients of one list entry: the first drug named, with the components of a combination.

    A drug that the dictionary does not hold stands under its own first word, so that it still can be matched.
    """
    head = re.split(r"\s[-\u2013]\s|[;(]| now |\bRX \*", text.strip(), maxsplit=1)[0]
    found = ingredients(head) or ingredients(text)
    if not found:
        word = re.match(r"[A-Za-z][\w-]+", head)
        return (word.group(0).lower(),) if word else ()
    # Amount words such as 'calcium' in a salt name follow the drug: only a slash, hyphen or plus joins components.
    parts = re.split(r"\d", head, maxsplit=1)[0]
    return found if re.search(r"[a-z]\s?[-/+]\s?[A-Za-z]", parts) and len(found) > 1 else found[:1]


def renally_active(text: str) -> bool:
    """Whether a text names a renin-angiotensin inhibitor, a diuretic, an NSAID or a calcineurin inhibitor."""
    return any(class_of(i) in _RENAL_CLASSES or i in _CALCINEURIN for i in ingredients(text))


def class_of(ingredient: str) -> str:
    """Class of an ingredient; ``unknown`` for one in neither list (PT-014 5.3: low-significance)."""
    return _CLASS_OF.get(ingredient, "unknown")


@cache
def names_of(ingredient: str) -> re.Pattern[str]:
    """All spellings of an ingredient in running text."""
    spellings = [ingredient, *(brand for brand, generic in SYNONYMS.items() if generic == ingredient)]
    return re.compile(r"\b(?:" + "|".join(map(re.escape, spellings)) + r")", re.IGNORECASE)


@cache
def names_or_class(ingredient: str) -> re.Pattern[str]:
    """The drug or its class, as a statement of a decision may name it (PT-014 6.1)."""
    words = CLASS_WORDS.get(class_of(ingredient))
    pattern = names_of(ingredient).pattern
    return re.compile(rf"{pattern}|\b(?:{words})" if words else pattern, re.IGNORECASE)
