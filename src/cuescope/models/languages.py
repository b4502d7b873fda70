"""Names of languages, so that `src="en"` means the same to every model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from cuescope.codes import NAMES
from cuescope.errors import CueScopeError
from cuescope.files.fetch import say

Pair = tuple[str | None, str | None]  # from, to


def _stem(code: str) -> str:
    """The language in a code: `>>fra<<`, `__fr__`, `fr_XX`, `fra_Latn`, `<2fr>`."""
    return code.strip("<>_").removeprefix("2").split("_")[0]


def code(language: str | None, known: Sequence[str], model: str, keyword: str) -> str:
    """The model's own code for a language: itself, or the one that begins with it.

    >>> code("en", ["eng_Latn", "por_Latn"], "a model", "src")
    'eng_Latn'
    """
    starts = {language, NAMES.get(language or "", (None,))[0]} - {None}
    if language in known:
        assert language is not None
        return language
    fitting = [k for k in known if _stem(k) in starts]
    if len(fitting) == 1:
        return fitting[0]
    ours = {stem for short, (long, _) in NAMES.items() for stem in (short, long)}
    shown = sorted(fitting or known, key=lambda k: (_stem(k) not in ours, k))  # the likely first
    raise CueScopeError(
        f"{model} needs to be told the language: {keyword}=…"
        if language is None
        else f"{model} does not know one language {language!r}",
        expected=f"{keyword}= one of {', '.join(shown[:8])}{' …' if len(shown) > 8 else ''}",
        found="nothing" if language is None else repr(language),
        do=f'load({model!r}, src="en", tgt="pt") or --src en --tgt pt',
    )


def short(code: str | None) -> str | None:
    """The two letters of a model's own code, where they are known.

    >>> short("por_Latn"), short("pt_XX"), short(">>fra<<"), short("<2pt>"), short("eus_Latn")
    ('pt', 'pt', 'fr', 'pt', None)
    """
    start = _stem(code or "")
    return next((name for name, (three, _) in NAMES.items() if start in (name, three)), None)


def written(code: str | None) -> str:
    """What a language is called by here: its two letters, else what its code begins with.

    >>> written("por_Latn"), written("hu"), written("eus_Latn"), written(None)
    ('pt', 'hu', 'eus', '')
    """
    return short(code) or _stem(code or "")


def pair(given: Pair, said: Pair, model: str) -> Pair:
    """The languages of a model: as the user says, else as it says itself, else by its name.

    Whatever is taken from the name, or against the model's own word, is said aloud.

    >>> pair((None, None), ("en", "fr"), "a model")
    ('en', 'fr')
    """
    named = _named(model) if given == said == (None, None) else (None, None)
    if named != (None, None):
        say(f"{model} does not say its languages; taken from its name: {'→'.join(map(str, named))}")
    found = []
    for mine, its, name, side in zip(given, said, named, ("from", "into"), strict=True):
        if mine and its and (short(mine) or mine) != (short(its) or its):
            say(f"{model} says that it translates {side} {its}; taken is {mine}, as you say")
        found.append(mine or its or name)
    return found[0], found[1]


def _named(model: str) -> Pair:
    """The pair in a name such as `opus-mt-en-fr` or `wmt19-en-de`; a group (ROMANCE) is none."""
    met = re.search(r"(?:opus-mt(?:-tc-\w+)?|wmt\d\d)-([a-z]{2,3})-([a-z]{2,3})$", Path(model).name)
    return (met.group(1), met.group(2)) if met else (None, None)
