"""Findings: all that a run found, as one plain document (`findings.json`).

It is what the report, `cuescope compare` and `cuescope show` read: they know nothing of how a
number was made. Every share is a number from 0 to 1; what has no value is null.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NotRequired, TypedDict, cast

from cuescope import files
from cuescope.data.items import Order
from cuescope.errors import CueScopeError
from cuescope.files import documents, shapes
from cuescope.measures.registry import known
from cuescope.run import consistent, older
from cuescope.run.findings_exact import CertifiedOf
from cuescope.run.findings_site import Agreement as Agreement
from cuescope.run.findings_site import Carrying as Carrying
from cuescope.run.findings_site import Site as Site
from cuescope.run.findings_site import Taken as Taken
from cuescope.run.findings_site import Together as Together
from cuescope.run.findings_site import Who as Who
from cuescope.run.numbers import STORIES as STORIES
from cuescope.run.numbers import CircuitOf as CircuitOf
from cuescope.run.numbers import GridOf as GridOf
from cuescope.run.numbers import MeasureOf as MeasureOf
from cuescope.run.numbers import Number as Number
from cuescope.run.numbers import OffTargetOf as OffTargetOf
from cuescope.run.numbers import SelectivityOf as SelectivityOf
from cuescope.run.numbers import Story as Story
from cuescope.run.numbers import number as number
from cuescope.stats.value import Value

NAME = "findings.json"
_SUM, _AGAIN = "crc32", "run `cuescope investigate` again"
SCHEMA = 3  # raised when the document changes so that older readers would go wrong

Span = tuple[int, int]


class CheckOf(TypedDict):
    """One check of a card, with its words: see `measures/card.py`."""

    name: str
    label: str
    asks: str  # in one sentence
    passes: str  # when
    verdict: Literal["passes", "fails", "not measured"]
    numbers: dict[str, Number]  # by label; each with its `unit`
    why: str


class CardOf(TypedDict):
    """The checks that the claim about one head must pass, in one story."""

    site: str
    story: Story
    layer: int
    head: int
    checks: list[CheckOf]
    measured_on: str


class BlockOf(TypedDict):
    """A block that speaks as in the twin at some positions (all, noun, cue), and what returns."""

    site: str  # encoder or decoder feed-forward; encoder stream: what leaves a layer
    layer: int
    where: str
    restored: Number


class BlocksOf(TypedDict):
    """What is carried besides the heads."""

    pairs: int
    blocks: list[BlockOf]


class OrderOf(TypedDict):
    """The pairs whose cue stands after the noun, or before it: two stories, never mixed."""

    pairs: int
    accuracy: dict[str, dict[Who, Number]]  # set → who
    measures: dict[str, MeasureOf]
    moved: Number | None  # share of pairs whose choice the cue moves its way, decided or not


class Entropies(TypedDict):
    """One measure of uncertainty (ge, s3e, se) over the contrast sets."""

    part: str  # what makes two samples alike
    alpha: float | None
    certain: int  # sets without any entropy
    values: dict[str, Number]  # "H he", "norm-H she", "H he − they", "ΔH" …
    entropy: dict[str, list[float]]  # he, she, they → H of every set, in the order of `sets`


class ContrastOf(TypedDict):
    """One contrast set: its three sentences and, if gender was read, the shares of the samples."""

    noun: str
    template: str | None
    stereotype: str | None
    texts: dict[str, str]  # he, she, they
    shares: dict[str, dict[str, float]]  # he, she, they → gender → share of the samples


class UncertaintyOf(TypedDict):
    """How sure the model is."""

    samples: int
    epsilon: float
    measures: dict[str, Entropies]
    feminine: NotRequired[dict[str, Number]]  # he, she, they → mean share of feminine samples
    sets: list[ContrastOf]
    left_out: dict[str, int]


class EvidenceOf(TypedDict):
    """A word of the translation that speaks for a gender; characters [start, end)."""

    start: int
    end: int
    word: str
    rule: str
    gender: str


class OtherOf(TypedDict):
    """The other person of a sentence, whom the cue is not about."""

    noun: str
    focus: Span  # in the source
    span: Span | None  # in the translation
    gender: str
    evidence: list[EvidenceOf]
    skipped: str


class TwinOf(TypedDict):
    """One sentence of a pair, its translation and the verdict. Spans count characters (code
    points, not UTF-16 units) of `source` or `translation`."""

    set: str  # pro or anti; other if the stereotype of the noun is not known
    source: str
    focus: Span
    cue: Span | None
    gold: str
    translation: str
    span: Span | None  # the noun in the translation
    gender: str  # by the noun's own phrase
    with_pronouns: str  # the same, pronouns and other words about it asked where that is silent
    correct: bool
    consistent: bool
    evidence: list[EvidenceOf]
    skipped: str
    other: NotRequired[OtherOf | None]  # null: English names no other person of open gender


class PairOf(TypedDict):
    """A minimal pair; `map` is the place of each twin in `maps.sentences`."""

    index: int
    noun: str
    template: str | None
    stereotype: str | None
    order: Order | None
    twins: list[TwinOf]
    map: tuple[int, int] | None


class SalientOf(TypedDict):
    """What each source sub-word adds to the choice of the feminine form, in logits."""

    values: list[float]
    whole: float  # to what they should sum
    missed: float  # by the integration


class MapOf(TypedDict):
    """The attention of one sentence: base64 of bytes, 255 a weight of 1, in C order.

    encoder [head, source, source]; cross [head, target, source], where a row is the step that
    emits the target piece. The heads are those of `Maps.heads`.
    """

    source: list[str]  # sub-words
    target: list[str]
    noun: list[int]  # source positions
    cue: list[int]
    steps: list[int]  # target positions of the noun
    saliency: NotRequired[SalientOf | None]
    encoder: str
    cross: str
    decoder: NotRequired[str]  # [head, target, what was fed]; of a single sentence alone


class Maps(TypedDict):
    """Attention maps of some sentences, of the heads that matter most if all are too many."""

    heads: dict[str, list[tuple[int, int]]]  # site → (layer, head), strongest effect first
    sentences: list[MapOf]


class WithPronouns(TypedDict):
    """The second reading: where the noun's phrase is silent, pronouns about it decide."""

    accuracy: dict[str, dict[Who, Number]]
    mpa: Number


class ModelOf(TypedDict):
    """The model that was looked into."""

    name: str
    under: NotRequired[str]  # the intervention that was on, as "scale 4 encoder 2.1"
    src: str
    tgt: str
    family: str
    parameters: int
    sites: dict[str, tuple[int, int]]
    weights: str


class DataOf(TypedDict):
    """The challenge set, and why pairs of it were left out."""

    name: str
    pairs: int
    sentences: int
    left_out: dict[str, int]


class Guard(TypedDict):
    """One check of the wrapped model; `ok` null where it does not apply."""

    name: str
    ok: bool | None
    detail: str


class Findings(TypedDict):
    """All that a run found. What was not measured is null or empty."""

    schema: int
    version: str
    signature: str
    settings: dict[str, Any]
    model: ModelOf
    data: DataOf
    lang: str
    guards: list[Guard]
    unfinished: int  # translations cut off at the length limit
    unread: NotRequired[str]  # why no noun was read, in words; empty where they were
    accuracy: dict[str, dict[Who, Number]]  # set → who
    f1: dict[str, dict[str, Number]]
    confusion: dict[str, dict[str, dict[str, int]]]  # set → gold → reading → count
    measures: dict[str, MeasureOf]  # every registered one, by name
    others_left_out: NotRequired[dict[str, int]]  # pairs in no count of the other noun, by reason
    selectivity: NotRequired[SelectivityOf | None]  # of the heads
    circuit: NotRequired[CircuitOf | None]
    with_pronouns: WithPronouns | None
    orders: dict[Order, OrderOf]
    heads: dict[Story, dict[str, Site]]  # by story and site
    rule: str  # which heads are said to carry the cue
    cards: list[CardOf]  # of the heads that are said to
    blocks: dict[Story, BlocksOf]  # feed-forward blocks and the stream, where cards were made
    redrawn: str  # what the intervals redraw
    uncertainty: UncertaintyOf | None
    certified: NotRequired[CertifiedOf | None]
    pairs: list[PairOf]
    maps: Maps | None
    notes: NotRequired[list[str]]  # what could not be measured, and why


def measured(findings: Findings) -> Iterator[tuple[Story, str, Site]]:
    """Story, name and heads of every site that was looked into."""
    for story, sites in findings["heads"].items():
        for name, site in sites.items():
            yield story, name, site


def measures(values: Mapping[str, Value]) -> dict[str, MeasureOf]:
    """Registered measures as plain JSON, each with its words."""
    return {
        one.name: {
            **number(values[one.name]),
            "label": one.label,
            "says": one.says,
            "unit": one.unit,
        }
        for one in known()
        if one.name in values
    }


def read(folder: str | Path) -> Findings:
    """The findings of a run folder, or of the file itself; of this release or an earlier one."""
    folder = Path(folder)
    path = folder / NAME if folder.is_dir() else folder
    if not path.is_file():
        raise CueScopeError(
            f"{folder} is not a run folder",
            expected=f"a folder with {NAME}",
            found=f"a folder without {NAME}" if folder.is_dir() else "no such folder",
            do=f"make one: cuescope investigate MODEL --out {folder}",
        )
    told: Any = documents.json_of(
        "\n".join(files.read_lines(path)), f"{path} is not a run's findings"
    )
    stated = told.pop(_SUM, None) if isinstance(told, dict) else None
    if stated is not None and stated != documents.checksum(told):
        raise CueScopeError(
            f"{path} was changed after it was written",
            expected=f"a document of the checksum {documents.short(stated)}",
            found="another one",
            do="run `cuescope investigate` again: it goes on with what is kept",
        )
    schema = told.get("schema") if isinstance(told, dict) else None
    if not isinstance(schema, int):
        found = f"the schema {schema}" if isinstance(told, dict) else type(told).__name__
        raise _none(path, "a document with a schema", found)
    if schema > SCHEMA:
        raise CueScopeError(
            f"{path} was written by a later release",
            expected=f"schema {SCHEMA} or below",
            found=str(schema),
            do="install that release, or run `cuescope investigate` again",
        )
    if missing := older.missing(told):
        needed = ", ".join(sorted(older.NEEDED))
        raise _none(path, needed, f"nothing under {', '.join(missing)}")
    try:
        findings = cast(Findings, older.opened(told, SCHEMA))
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        expected = "pairs with their twins, and heads by story and site"
        raise _none(path, expected, f"{type(error).__name__}: {error}") from None
    strange = set(findings) - set(Findings.__annotations__)
    if stated is None and strange:  # a later release has more keys, but a checksum too
        known = "keys that this release knows, or a checksum"
        raise _none(path, known, ", ".join(sorted(strange))[:80])
    shapes.check(findings, Findings, str(path), _AGAIN)
    consistent.check(findings, str(path))
    return findings


def _none(path: Path, expected: str, found: str) -> CueScopeError:
    what = f"{path} is not a run's findings"
    return CueScopeError(what, expected=expected, found=found, do=_AGAIN)


def write(folder: str | Path, findings: Findings) -> Path:
    """Write the findings into a run folder."""
    path = Path(folder) / NAME
    files.write(path, packed(findings))
    return path


def packed(findings: Findings) -> str:
    """The document as it is written, with its checksum."""
    told = {_SUM: documents.checksum(findings), **findings}
    return json.dumps(told, ensure_ascii=False, allow_nan=False)
