"""Does speed cost her gender? Paper D's question, put to one model and its knobs."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from cuescope.audit import knobs, systems, timing
from cuescope.audit.knobs import BASELINE, Row
from cuescope.audit.material import Answers, Material, answers
from cuescope.audit.settings import SpeedSettings
from cuescope.audit.systems import Model
from cuescope.audit.watched import Told, Watch, watched
from cuescope.audit.workers import BLOCK, FACTS, crew, each, says
from cuescope.data.items import sample
from cuescope.errors import CueScopeError
from cuescope.inside.ready import target_language
from cuescope.inside.translator import Translator
from cuescope.measures.corpus import needs_sacrebleu
from cuescope.models import catalog
from cuescope.run.store import Store, clear
from cuescope.signature import Signature, hash_text
from cuescope.stats.value import Value

_BROKEN = 0.9  # of BLEU


@dataclass(frozen=True)
class Measured:
    """A row of the tables: its numbers, or why it has none."""

    row: Row
    absent: str = ""
    time: Value | None = None  # where the baseline takes 1
    seconds: float | None = None  # of CPU per 100 timed sentences: a note, not a result
    values: dict[str, Value] = field(default_factory=dict)
    drops: dict[str, Value] = field(default_factory=dict)  # relative, from the baseline
    said: dict[str, str] = field(default_factory=dict, repr=False)
    cut: int | None = None  # translations without an end; None: the engine does not tell

    @property
    def broken(self) -> bool:
        """Does it no longer translate? Of the baseline's BLEU less than a tenth is left."""
        return "BLEU" in self.drops and self.drops["BLEU"].value > _BROKEN


@dataclass(frozen=True)
class Speed:
    """The grid of one model, measured."""

    model: str
    lang: str
    protocol: str
    rows: tuple[Measured, ...]
    counts: dict[str, int]  # pairs, sentences and rounds behind the numbers
    settings: SpeedSettings
    signature: Signature

    @property
    def baseline(self) -> Measured:
        """What all others are compared with."""
        return self.rows[0]

    def of(self, table: knobs.Table) -> list[Measured]:
        """The rows of table 4a (alone) or 4b (stacked)."""
        return [one for one in self.rows if table in one.row.tables]

    def to_json(self) -> dict[str, Any]:
        """Every number with its interval; what could not run, with the reason."""
        from cuescope.run.numbers import number

        def shown(values: dict[str, Value]) -> dict[str, Any]:
            return {name: number(value) for name, value in values.items()}

        return {
            "model": self.model,
            "lang": self.lang,
            "protocol": self.protocol,
            "counts": self.counts,
            "rows": [
                {
                    "knob": one.row.key,
                    "label": one.row.label,
                    "tables": list(one.row.tables),
                    "knobs": vars(one.row.knobs),
                    "note": one.row.note,
                    "absent": one.absent,
                    "time": number(one.time) if one.time else None,
                    "seconds_per_100": one.seconds,
                    "values": shown(one.values),
                    "drops": shown(one.drops),
                    "cut": one.cut,
                }
                for one in self.rows
            ],
            "settings": self.settings.facts(),
            "signature": str(self.signature),
        }


def speed(use: SpeedSettings, *, fresh: bool = False, watch: Watch | None = None) -> Speed:
    """Translate and time with every knob of the grid; what is kept in the folder is not done again.

    Times are of CPU on one core, interleaved, as ratios to the baseline in the same round.
    """
    needs_sacrebleu()
    model = Model(use.model, use.src, use.tgt)
    kind, _ = catalog.locate(model.name)
    mt = Translator.of(model.load())
    lang = target_language(mt, use.lang)
    material = Material.of(use, lang)
    layers = (mt.sites["encoder"][0], mt.sites["cross"][0])
    grid = knobs.chosen(knobs.rows(kind == "firefox", layers, use.grid), use.knobs)
    signature = mt.signature | material.signature | FACTS
    if fresh:
        clear(use.folder)
    store = Store(use.folder)
    store.claim({"audit": "speed", "model": use.model, "weights": mt.signature["weights"]})
    why = {row.key: systems.absent(model, row.knobs) for row in grid}
    said: dict[str, _Said] = {}
    with crew(mt, use.jobs):
        for row in (row for row in grid if not why[row.key]):
            with watched(watch, row.key, f"translating: {row.label}", len(material.texts)) as told:
                try:
                    said[row.key] = _said(store, model, row, material, signature, told)
                except CueScopeError as error:
                    if row is BASELINE:
                        raise
                    why[row.key] = error.what  # an engine that does not take this model
        able = [row for row in grid if not why[row.key]]
        times = _times(store, model, able, material, use, signature, watch)
        facts = {row.key: signature | {"knobs": row.knobs.name()} for row in able}
        calls = [partial(answers, material, said[k].texts, facts[k]) for k in facts]
        judged: dict[str, Answers] = {}
        with watched(watch, "judge", "reading genders", len(able)) as told:
            for key, found in zip(facts, each(calls), strict=True):
                judged[key] = found
                told(1)
    rows: list[Measured] = []
    for row in grid:
        if why[row.key]:
            rows.append(Measured(row, why[row.key]))
            continue
        mine, base = ([one[key] for one in times] for key in (row.key, BASELINE.key))
        rows.append(
            Measured(
                row,
                time=timing.ratio(mine, base, facts[row.key]),
                seconds=100 * sum(mine) / len(mine) / _timed(material, use),
                values=judged[row.key].values,
                drops=judged[row.key].drops(judged[BASELINE.key], facts[row.key]),
                said=said[row.key].texts,
                cut=said[row.key].cut,
            )
        )
    counts = {
        "pairs": len(material.pairs),
        "test sentences": len(material.sources),
        "pairs with two people": len(material.others),
        "timed sentences": _timed(material, use),
        "rounds": use.rounds,
        "translations": len(material.texts),
    }
    made = Speed(use.model, lang, material.protocol, tuple(rows), counts, use, signature)
    _write(store, made)
    return made


class _Said(NamedTuple):
    """What a row's system says to each sentence, and how often it was cut off."""

    texts: dict[str, str]
    cut: int | None


def _said(
    store: Store,
    model: Model,
    row: Row,
    material: Material,
    signature: Signature,
    told: Told,
) -> _Said:
    """What a row's system says to every sentence, kept block by block."""
    facts = signature | {"knobs": row.knobs.name()}
    make = says(model, row.knobs, told)
    lines = store.lines(f"said-{row.key}", facts, material.texts, make, chunk=BLOCK, progress=told)
    cut = [line["cut"] for line in lines]
    texts = {line["source"]: line["translation"] for line in lines}
    return _Said(texts, None if None in cut else sum(cut))


def _timed(material: Material, use: SpeedSettings) -> int:
    return min(use.timed, len(material.sources))


def _times(
    store: Store,
    model: Model,
    rows: list[Row],
    material: Material,
    use: SpeedSettings,
    signature: Signature,
    watch: Watch | None,
) -> list[dict[str, float]]:
    """Seconds by row, round by round; a round is timed whole, or taken as it is kept."""
    import torch

    texts = list(sample(material.sources, use.timed))
    facts = signature | {"timed": hash_text(texts), "rows": "+".join(row.key for row in rows)}
    names = [f"times-{number}" for number in range(use.rounds)]
    if all(store.kept_json(name, facts) is not None for name in names):
        return [store.kept_json(name, facts) for name in names]
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with watched(watch, "time", "timing, in turn", use.rounds * len(rows)) as told:
            opened = {row.key: systems.opened(model, row.knobs) for row in rows}
            clocks = {key: (lambda one=one: one.seconds(texts)) for key, one in opened.items()}
            return timing.rounds(
                clocks,
                use.rounds,
                lambda number, make: store.json(names[number], facts, make),
                told,
            )
    finally:
        torch.set_num_threads(threads)


def _write(store: Store, found: Speed) -> None:
    import json

    text = json.dumps(found.to_json(), ensure_ascii=False, indent=1, allow_nan=False)
    store.write("speed.json", text)
