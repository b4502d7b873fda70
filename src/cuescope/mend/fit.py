"""Fitting mends on the project's own sentences."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from cuescope.errors import CueScopeError
from cuescope.inside.heads import Heads, every_head
from cuescope.inside.ready import target_language
from cuescope.measures.verdict import judge
from cuescope.mend import lessons, quiet, sense
from cuescope.mend.export import file_grids, snapped
from cuescope.mend.floor import floor
from cuescope.mend.gate import LOUD, Gating, gate
from cuescope.mend.judge import mended
from cuescope.mend.louder import louder
from cuescope.mend.mend import Mend
from cuescope.mend.targets import Target, held, targets
from cuescope.mend.tune import Told, Tuning, tune

if TYPE_CHECKING:
    from cuescope.models.translator import Translator

People = Literal["one", "two"]  # sentences with one person only, or with two as well
FACTORS = (2.0, 3.0, 4.0, 6.0)
FLOORS = (0.2, 0.4, 0.6, 0.8)
# Of the lessons in which only sense says whose pronoun it is, tuned heads learn so many; the rest
# are held as in the plain model: a gender is turned only where the model is sure, as in choosing.
LEARNED = 0.4
UNSURE = 1300  # of those lessons, most that gated units are shown beside `lessons.sense`
HELD = 2500  # of their targets, most that gated units are held on


def fit_tuned(
    mt: Translator,
    heads: Heads,
    *,
    people: People = "two",
    times: int = 2,
    tuning: Tuning | None = None,
    lang: str | None = None,
    told: Told | None = None,
) -> tuple[Mend, Counter[str]]:
    """Heads tuned on lessons, and how many lessons could not be used, by reason.

    With `people="one"` whose pronoun it is cannot be learned: the cue gets louder, not aimed.
    """
    tuning = tuning or Tuning()
    learn, unsure, skipped = _targets(mt, times, people, tuning.seed, lang)
    apart, rest, _ = _targets(mt, 1, people, tuning.seed + 1, lang, held_out=True)
    count = int(LEARNED * len(unsure))
    keep = [
        *held(mt, lessons.plain(12, seed=tuning.seed)),
        *(one.only_held for one in unsure[count:]),
    ]
    apart += held(mt, lessons.plain(3, seed=tuning.seed + 1, held_out=True))
    apart += [one.only_held for one in rest]
    mend = tune(
        mt,
        heads,
        [*learn, *unsure[:count]],
        keep,
        held_out=apart,
        tuning=tuning,
        fitted={"data": _data(people)},
        told=told,
    )
    return snapped(mend, mt), skipped


def gating(people: People, **given: Any) -> Gating:
    """How gated units are fitted on such lessons, but for what is given."""
    return Gating(**{**(LOUD if people == "one" else {}), **given})


def fit_gated(
    mt: Translator,
    *,
    people: People = "two",
    times: int = 4,
    how: Gating | None = None,
    lang: str | None = None,
    told: Told | None = None,
) -> tuple[Mend, Counter[str]]:
    """Gated units fitted on lessons, and how many lessons could not be used, by reason.

    What syntax tells is learned, and of what sense must tell all that the model can; where it
    cannot, both people are held.
    """
    how = how or gating(people)
    grids = file_grids(mt)
    learn, unsure, skipped = _targets(mt, times, people, how.seed, lang, most=UNSURE)
    apart, others, _ = _targets(mt, 1, people, how.seed + 1, lang, held_out=True)
    if people == "two":
        more, without = targets(mt, list(lessons.items(lessons.sense(3, seed=how.seed))), lang=lang)
        unsure, skipped = [*unsure, *more], skipped + without
        random.Random(how.seed).shuffle(unsure)
    by_sense = sense.told(mt, unsure, how.least, held_out=others)
    learn = [*learn, *by_sense.learn]
    still = by_sense.rest[:HELD]
    keep = [
        *(one.only_held for one in still),
        *held(mt, quiet.nobody(3 * times, seed=how.seed)),
    ]
    texts = [one.source for one in (*learn, *still)]
    silent = [*quiet.without_cue(texts, seed=how.seed), *lessons.plain(12, seed=how.seed)]
    silent += random.Random(how.seed).sample(
        alike := quiet.alike(silent, seed=how.seed), min(len(alike), len(silent) // 2)
    )
    mend = gate(
        mt,
        learn,
        keep,
        quiet.Quiet(mt, silent, how.seed),
        grids,
        held_out=[*apart, *by_sense.apart],
        snap=lambda one: snapped(one, mt),
        how=how,
        sides=sense.sides(mt, learn, unsure),
        fitted={
            "data": _data(people),
            "sense": f"{len(by_sense.learn)} of {len(unsure)}, {by_sense.wrong} left out",
        },
        told=told,
    )
    return mend, skipped


def _data(people: People) -> str:
    return f"lessons, {people} {'person' if people == 'one' else 'people'}"


def _targets(
    mt: Translator,
    times: int,
    people: People,
    seed: int,
    lang: str | None,
    *,
    held_out: bool = False,
    most: int | None = None,
) -> tuple[list[Target], list[Target], Counter[str]]:
    """Targets whose pronoun is sure, those whose is not (in drawn order, of at most so many
    lessons), and what is skipped."""
    some = lessons.lessons(times if people == "two" else 6 * times, seed=seed, held_out=held_out)
    if people == "one":
        some = [lesson for lesson in some if lesson.other is None]
    draw = [lesson for lesson in some if not lesson.sure]
    if most is not None and most < len(draw):
        draw = random.Random(seed).sample(draw, most)
    made, skipped = targets(
        mt, list(lessons.items([lesson for lesson in some if lesson.sure])), lang=lang
    )
    unsure, more = targets(mt, list(lessons.items(draw)), lang=lang) if draw else ([], Counter())
    random.Random(seed).shuffle(unsure)
    return made, unsure, skipped + more


def fit_louder(
    mt: Translator, heads: Heads, *, factors: Sequence[float] = FACTORS, lang: str | None = None
) -> Mend:
    """Louder heads, by the factor with most pairs right among the lessons held out."""
    return _best(mt, [louder(mt, factor, fitted="lessons", **heads) for factor in factors], lang)


def fit_floor(
    mt: Translator, heads: Heads, *, least: Sequence[float] = FLOORS, lang: str | None = None
) -> Mend:
    """A floor under the noun's attention to the cue, by the share with most pairs right."""
    return _best(mt, [floor(mt, share, fitted="lessons", **heads) for share in least], lang)


def _best(mt: Translator, mends: Sequence[Mend], lang: str | None) -> Mend:
    """The mend with most pairs right among the lessons held out."""
    items = list(lessons.items(lessons.lessons(1, held_out=True)))
    texts, found = [item.text for item in items], {}
    for mend in mends:
        said = mended(mend, mt)(texts, items)
        right = [v.correct for v in judge(items, said, target_language(mt, lang))]
        found[mend] = sum(a and b for a, b in zip(right[::2], right[1::2], strict=True))
    return max(found, key=found.__getitem__)


def without_heads(mt: Translator, kind: str, *, found: bool = False) -> Mend:
    """Choosing and debiasing, which are not fitted; contrastive decoding by the weight with most
    pairs right."""
    from cuescope.mend.choose import choosing
    from cuescope.mend.contrastive import WEIGHTS, contrastive
    from cuescope.mend.debiased import debiased

    if kind == "choosing":
        return choosing(mt, found=found)
    if kind == "debiased":
        return debiased(mt)
    made = [contrastive(mt, weight, fitted="lessons") for weight in WEIGHTS]
    return _best(mt, made, None)


def at_random(mt: Translator, heads: Heads, seed: int = 0) -> Heads:
    """As many other heads of the same sites, drawn: the control of a tuned mend."""
    draw, found = random.Random(seed), {}
    for site, some in heads.items():
        rest = [head for head in every_head(mt, [site])[site] if head not in set(some)]
        if len(rest) < len(some):
            raise CueScopeError(
                f"too few other heads for a control at {site}",
                expected=f"at least {len(some)}",
                found=str(len(rest)),
                do="tune fewer heads",
            )
        found[site] = sorted(draw.sample(rest, len(some)))
    return found
