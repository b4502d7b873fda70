"""The engines behind `align`: the built-in model, and fast_align and eflomal as named options."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from cuescope.align.fast_align import Ints, Model
from cuescope.align.prior import prior
from cuescope.align.symmetrise import HEURISTICS, Links
from cuescope.errors import CueScopeError, imported

Side = Sequence[tuple[str, ...]]


class Corpus(NamedTuple):
    """Distinct pairs of sentences as words, and how often each stands in the text."""

    sources: Side
    targets: Side
    counts: Sequence[int]
    languages: tuple[str, str]


Engine = Callable[[Corpus, str], list[Links]]  # the name: a heuristic that joins both directions


def builtin(text: Corpus, heuristic: str) -> list[Links]:
    """The fast_align model of this package, with the shipped lexical prior."""
    source_words, source_ids = _number(text.sources)
    target_words, target_ids = _number(text.targets)
    weigh = prior(source_words, target_words, text.languages)
    forward = Model(source_ids, target_ids, text.counts, weigh).viterbi()
    backward = Model(target_ids, source_ids, text.counts, lambda t, s: weigh(s, t)).viterbi()
    merge = HEURISTICS[heuristic]
    return [
        merge(_links(f), frozenset((i, j) for j, i in _links(b)))
        for f, b in zip(forward, backward, strict=True)
    ]


def _number(side: Side) -> tuple[list[str], list[list[int]]]:
    """The vocabulary in alphabetical order, and the sentences as numbers from 1 on."""
    vocabulary = sorted(set(chain.from_iterable(side)))
    number = {word: n for n, word in enumerate(vocabulary, 1)}
    return vocabulary, [[number[word] for word in sentence] for sentence in side]


def _links(best: Ints) -> Links:
    return frozenset((i, j) for j, i in enumerate(best.tolist()) if i >= 0)


def systran(text: Corpus, heuristic: str) -> list[Links]:
    """fast_align itself (`-d -o -v`, both directions) through systran-align's bindings."""
    if heuristic != "grow-diag-final-and":
        raise CueScopeError(
            "systran-align joins the two directions itself",
            expected="heuristic grow-diag-final-and",
            found=heuristic,
            do="use engine='builtin' for the other heuristics",
        )
    systran_align = _need("systran_align", "systran-align")
    with tempfile.TemporaryDirectory() as folder:
        path, forward, backward = (str(Path(folder, n)) for n in ("text", "forward", "backward"))
        rows = zip(text.sources, text.targets, text.counts, strict=True)
        lines = [" ".join((*s, "|||", *t)) + "\n" for s, t, n in rows for _ in range(n)]
        Path(path).write_text("".join(lines), "utf-8")
        systran_align.generate_alignment_probabilities(
            path,
            forward,
            backward,
            favor_diagonal=True,
            optimize_tension=True,
            variational_bayes=True,
        )
        aligner = systran_align.Aligner(forward, backward)
        results = aligner.align_batch([*map(list, text.sources)], [*map(list, text.targets)])
    return [frozenset(map(tuple, result["alignments"])) for result in results]


def eflomal(text: Corpus, heuristic: str) -> list[Links]:
    """eflomal (Gibbs sampling, fertility model) in both directions; its links vary a little."""
    module = _need("eflomal", "eflomal")
    with tempfile.TemporaryDirectory() as folder:
        forward, backward = Path(folder, "forward"), Path(folder, "backward")
        module.Aligner().align(
            _lines(text.sources, text.counts),
            _lines(text.targets, text.counts),
            links_filename_fwd=str(forward),
            links_filename_rev=str(backward),
        )
        pairs = list(zip(_read(forward), _read(backward), strict=True))
    merge, first = HEURISTICS[heuristic], 0
    found = []
    for n in text.counts:  # of equal pairs, the first one speaks for all
        found.append(merge(*pairs[first]))
        first += n
    return found


ENGINES: dict[str, Engine] = {"builtin": builtin, "systran-align": systran, "eflomal": eflomal}


def _lines(side: Side, counts: Sequence[int]) -> list[str]:
    """A side as text, each sentence as often as it stands there."""
    return [" ".join(words) + "\n" for words, n in zip(side, counts, strict=True) for _ in range(n)]


def _read(path: Path) -> list[Links]:
    """Links in Pharaoh's format, `source-target`, one sentence a line."""
    rows = path.read_text("utf-8").splitlines()
    return [frozenset((int(i), int(j)) for i, j in (p.split("-") for p in r.split())) for r in rows]


def _need(module: str, package: str) -> ModuleType:
    what = f"the alignment engine {package} is not installed"
    do = f"pip install {package}, or choose engine='builtin'"
    found: ModuleType = imported(module, what, package=package, do=do)
    return found
