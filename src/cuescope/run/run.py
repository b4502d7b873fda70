"""What a run is: translations of minimal pairs, and every measure taken on those very ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from cuescope.data.items import Pair
from cuescope.errors import CueScopeError
from cuescope.gender import languages
from cuescope.inside.options import Patching
from cuescope.inside.translator import Translator
from cuescope.measures.minimal_pairs import MPA
from cuescope.models.decoding import Hypothesis
from cuescope.models.translator import Progress
from cuescope.run import chosen, looking, unread
from cuescope.run.settings import Settings
from cuescope.run.store import Store
from cuescope.signature import Signature, hash_text
from cuescope.stats.scores import Scores
from cuescope.stats.value import Value

if TYPE_CHECKING:
    import pandas as pd

    from cuescope.data.items import ContrastSet, Item, Order
    from cuescope.inside.heads import Given, Head
    from cuescope.inside.options import Into, Measure, Normalise, Weight, Where
    from cuescope.inside.options import Value as Ablated
    from cuescope.inside.read.attention import Where as Row
    from cuescope.inside.ready import Made, Ready, Subject, Twins
    from cuescope.measures.card import Card
    from cuescope.measures.other_noun import Selectivity
    from cuescope.measures.verdict import Verdict
    from cuescope.run.circuit import Circuit
    from cuescope.run.exact import Exact
    from cuescope.run.findings import Findings, Story
    from cuescope.run.release import Release
    from cuescope.run.score import Score
    from cuescope.run.study import Study


@dataclass(frozen=True)
class Run:
    """What a model made of a set of minimal pairs, and what is measured from it.

    A measure is taken when it is asked for, once; in a run with a folder it is kept there.
    """

    mt: Translator
    pairs: tuple[Pair, ...] = field(repr=False)
    hypotheses: dict[str, Hypothesis] = field(repr=False)  # by source sentence
    lang: str
    signature: Signature
    settings: Settings = field(repr=False)
    left_out: Mapping[str, int] = field(default_factory=dict, repr=False)  # pairs, by reason
    store: Store = field(default_factory=Store, repr=False, compare=False)
    report: ClassVar[Callable[..., Path]]  # given by `cuescope.show`: a run knows of no page

    def _repr_html_(self) -> str:
        from cuescope.run import html

        return html.run(self)

    @cached_property
    def translations(self) -> dict[str, str]:
        """Source sentence → translation."""
        decode = self.mt.tokenizer.decode
        return {text: decode(best.ids) for text, best in self.hypotheses.items()}

    @property
    def unfinished(self) -> int:
        """How many translations were cut off at the length limit."""
        return sum(not best.finished for best in self.hypotheses.values())

    @property
    def unread(self) -> str:
        """Why no noun is read, in words; empty where the target language has gender rules."""
        return "" if languages.find(self.lang) else languages.without(self.lang)

    @cached_property
    def verdicts(self) -> tuple[tuple[Verdict, Verdict], ...]:
        """The verdict on both twins of every pair, in the order of the pairs."""
        found = unread.judged(self)
        return tuple(zip(found[::2], found[1::2], strict=True))

    @cached_property
    def score(self) -> Score:
        """The verdicts by set: pro and anti; other where the noun's stereotype is not known."""
        from cuescope.run.score import Score

        sets: dict[str, list[Verdict]] = {"pro": [], "anti": [], "other": []}
        for twins in self.verdicts:
            for verdict in twins:
                sets[verdict.item.stereotyped or "other"].append(verdict)
        known = {name: tuple(verdicts) for name, verdicts in sets.items() if verdicts}
        judged = tuple((p, *twins) for p, twins in zip(self.pairs, self.verdicts, strict=True))
        return Score(known, judged, all_pairs=True, signature=self.signature)

    def accuracy(self) -> dict[str, dict[str, Value]]:
        """Gender accuracy by set: all, male, female."""
        unread.refuse(self, "accuracy")
        return {name: self.score.accuracy(name) for name in self.score.sets}

    def mpa(self) -> MPA:
        """Minimal pair accuracy, with its strict form and Pro-F / Pro-M."""
        unread.refuse(self, "minimal pair accuracy")
        found = self.score.mpa
        assert found is not None  # both twins of every pair are translated
        return found

    def versus(self, other: Run | str | Path) -> Release:
        """Another run (or its folder) less this one, on the pairs that both have.

        Paired differences with intervals, and which pairs broke or were mended, side by side.
        """
        from cuescope.run.release import opened, versus

        first, second = opened(self), opened(other)
        if first.label == second.label:
            first, second = replace(first, label="this run"), replace(second, label="the other")
        return versus(first, second)

    def selectivity(self) -> Selectivity:
        """What the cue does to the focus noun, and to the other person."""
        unread.refuse(self, "selectivity")
        return self.score.selectivity()

    def table(self) -> pd.DataFrame:
        """One row a sentence, with the evidence in words."""
        return self.score.table()

    def thin(self, most: int, *, usable: bool = False) -> Run:
        """The same run with at most so many pairs, drawn from all; usable: those of `twins`.

        Half of them have the cue before the noun, half after it, as far as there are so many:
        two stories. The verdicts are those of this run: fewer sentences could be aligned otherwise.
        """
        judged = list(zip(self.pairs, self.verdicts, strict=True))
        if usable and len(self.twins):
            fit = {id(one.pair) for one in self.twins}
            judged = [one for one in judged if id(one[0]) in fit]
        return self._with(chosen.halved(judged, most)) or self

    @cached_property
    def small(self) -> Run:
        """The pairs on which the heads are measured."""
        return self.thin(max(1, self.settings.heads), usable=True)

    @cached_property
    def stories(self) -> dict[Story, tuple[int, ...]]:
        """The pairs that can be looked into, by number: by order, and by whether the twins'
        translations are alike up to the choice."""
        return chosen.stories(self)

    def of_story(self, story: Story) -> Run | None:
        """The same run with the pairs of one story, if there are any."""
        return self.only(set(self.stories.get(story, ())))

    def only(self, numbers: Collection[int]) -> Run | None:
        """The same run with the pairs of these numbers, if there are any."""
        judged = zip(self.pairs, self.verdicts, strict=True)
        return self._with([one for one in judged if one[0].index in numbers])

    def of_order(self, order: Order) -> Run | None:
        """The same run with the pairs of one order of noun and cue, if there are any."""
        return self.only({pair.index for pair in self.pairs if pair.pro.order == order})

    def _with(self, judged: Sequence[tuple[Pair, tuple[Verdict, Verdict]]]) -> Run | None:
        if not judged:
            return None
        pairs, verdicts = zip(*judged, strict=True)
        small = replace(self, pairs=pairs)
        vars(small)["verdicts"] = verdicts  # where the cached property keeps them
        return small

    def _made(self) -> Made:
        """The translations and readings of this run, twin by twin, for whoever looks inside."""
        from cuescope.inside.ready import Made

        verdicts = [verdict for twins in self.verdicts for verdict in twins]
        hypotheses = [self.hypotheses[verdict.item.text] for verdict in verdicts]
        return Made(hypotheses, [verdict.reading for verdict in verdicts])

    @cached_property
    def twins(self) -> Ready[Twins]:
        """The pairs made ready for interventions, each with its contrast; the rest by reason."""
        from cuescope.inside.ready import twins

        return twins(self.mt, self.pairs, lang=self.lang, made=self._made(), any_language=True)

    @cached_property
    def subjects(self) -> Ready[Subject]:
        """The sentences of the pairs, with noun and cue found on both sides; the rest by reason."""
        from cuescope.inside.ready import subjects

        items = [item for pair in self.pairs for item in pair]
        return subjects(self.mt, items, lang=self.lang, made=self._made(), any_language=True)

    @cached_property
    def others(self) -> Run | None:
        """The same run about the other people, whom the cue is not about; None without any."""
        from cuescope.run.others import others_of

        return self._with(list(others_of(self)))

    def attention(
        self,
        site: str,
        *,
        query: Row = "noun",
        key: Row = "cue",
        measure: Weight = "attention",
        batch_size: int = 64,
        progress: Progress | None = None,
    ) -> Scores:
        """Attention from the noun to the cue, per sentence, layer and head.

        In `cross` with query="choice": from the step at which the twins' contrast falls.
        """
        from cuescope.inside.read.attention import attention
        from cuescope.inside.ready import sentences

        options: Any = {"query": query, "key": key, "measure": measure, "batch_size": batch_size}

        def ready() -> Ready[Subject]:
            unread.looks(self, site, query)
            return sentences(self.twins) if query == "choice" else self.subjects

        def made(some: Ready[Subject], told: Progress) -> Scores:
            return attention(self.mt, some, (site,), progress=told, **options)[site]

        return looking.scores(self, "attention", site, options, ready, made, progress)

    def patch(
        self,
        site: str,
        *,
        into: Into = "male",
        where: Where = "all",
        measure: Measure = "logit difference",
        normalise: Normalise = "mean",
        progress: Progress | None = None,
    ) -> Scores:
        """The effect of every head of a site when it speaks as in the twin, per pair.

        `into` the male or the female sentence, or the mean of both; `where`: at all source
        positions, the noun's or the cue's. A share of the mean gap, of each pair's, or none.
        """
        from cuescope.inside.effect.patch import patch

        def sweep(twins: Ready[Twins], how: Patching, told: Progress) -> Scores:
            return patch(self.mt, twins, (site,), how, progress=told)[site]

        how = Patching(into, where, measure, normalise)
        return looking.each_way(self, "effect", site, how, sweep, progress)

    def ablate(
        self,
        site: str,
        *,
        value: Ablated = "mean",
        measure: Measure = "logit difference",
        normalise: Normalise = "mean",
        seed: int = 0,
        progress: Progress | None = None,
    ) -> Scores:
        """The share of the twins' gap that is lost without each head of a site, per pair."""
        from cuescope.inside.effect.ablation import ablation

        options: Any = {"value": value, "measure": measure, "normalise": normalise, "seed": seed}

        def made(twins: Ready[Twins], told: Progress) -> Scores:
            return ablation(self.mt, twins, (site,), progress=told, **options)[site]

        return looking.scores(self, "ablation", site, options, lambda: self.twins, made, progress)

    def attribute(
        self,
        site: str,
        *,
        into: Into = "male",
        where: Where = "all",
        measure: Measure = "logit difference",
        normalise: Normalise = "mean",
        steps: int = 0,
        batch_size: int = 32,
        progress: Progress | None = None,
    ) -> Scores:
        """The same estimated by gradients; `steps` > 0: at so many points between the twins."""
        from cuescope.inside.effect.attribution import attribute

        more: dict[str, int] = {"steps": steps, "batch_size": batch_size}

        def estimate(twins: Ready[Twins], how: Patching, told: Progress) -> Scores:
            return attribute(self.mt, twins, (site,), how, **more, progress=told)[site]

        how = Patching(into, where, measure, normalise)
        return looking.each_way(self, "attribution", site, how, estimate, progress, **more)

    def kept(self, measure: str, site: str, **options: object) -> Scores | None:
        """Scores of attention, effect or attribution if they are kept: nothing is measured."""
        return self.store.kept_scores(*looking.kept_as(self, measure, site, options))

    def circuit(self, heads: Mapping[str, Given] | None = None, *, pairs: int = 24) -> Circuit:
        """Paths between the heads that carry the cue (kept), or given ones; see docs/circuit.md."""
        from cuescope.inside.heads import named
        from cuescope.run import circuit

        return circuit.circuit_of(self, None if heads is None else named(heads), pairs)

    def card(
        self,
        head: Head | str,
        *,
        site: str | None = None,
        story: Story | None = None,
        transfer: Mapping[str, Run] | None = None,
        progress: Progress | None = None,
    ) -> Card:
        """The checks that a claim about a head must pass: `run.card("2.1")`, `run.card((2, 1))`.

        Of the site and the story in which its effect is largest, unless named. `transfer` names
        other runs of the model, in which its effect is looked up: {"winomt": other_run}.
        """
        from cuescope.run.card_stage import card_of

        return card_of(self, head, site, story, transfer or {}, progress)

    # -- how sure --------------------------------------------------------------------------

    def contrast_sets(self, most: int | None = None) -> tuple[list[ContrastSet], Counter[str]]:
        """The he / she / they versions of the sentences, and why some have none."""
        from cuescope.run.study import contrast_sets

        items: list[Item] = [item for pair in self.pairs for item in pair]
        return contrast_sets(items, most or self.settings.sets)

    def uncertainty(
        self, sets: int | None = None, *, progress: Progress | None = None, **changes: Any
    ) -> Study:
        """SE, S3E, GE of the contrast sets, with norm-H and ΔH.

        `changes` are settings: samples, epsilon, measures, similarity, equivalence, seed.
        """
        from cuescope.run.drawn import study_of

        use = replace(self.settings, **changes)
        some = len(self.contrast_sets(sets)[0])
        with looking.watched("sampling", 3 * some, progress) as told:
            return study_of(self, use, sets, told)

    def certified(self, *, progress: Progress | None = None) -> Exact:
        """P of each gender, GE, norm-H and ΔH of the contrast sets, as intervals that contain them.

        The setting `exact` is the width of a sentence's interval.
        """
        from cuescope.run import exact, exact_stage

        some = len(self.contrast_sets()[0])
        with looking.watched("certifying", 3 * some, progress) as told:
            return exact.exact_of(self, exact_stage.facts(self), told)

    # -- together --------------------------------------------------------------------------

    def facts(self, **more: object) -> Signature:
        """What a result of these pairs depends on; the model must be as it was when translating."""
        then, now = self.signature, self.mt.signature
        for name in ("weights", "config", "tokenizer", "under"):
            if (before := then.get(name)) != (after := now.get(name)):
                raise CueScopeError(
                    "the model is not as it was in this run",
                    expected=f"{name} {before}" if before else "no intervention",
                    found=f"{name} {after}" if after else "no intervention",
                    do="measure inside the same `with`, or investigate anew inside this one",
                )
        return then | {**self._read, **more}

    @cached_property
    def _read(self) -> dict[str, str]:
        """The pairs with all that is known of them, and by which rules they are read."""
        pairs = hash_text(f"{pair.index} {item}" for pair in self.pairs for item in pair)
        known = languages.find(self.lang)
        lexicon = {"lexicon": known.fingerprint} if known else {}
        return {"pairs": pairs, "lang": self.lang, **lexicon}

    def findings(self) -> Findings:
        """Everything, as one document; what was not measured before is measured now."""
        from cuescope.run.stages import findings

        return findings(self)
