"""Names of languages, so that `src="en"` means the same to every model."""

from __future__ import annotations

from collections.abc import Sequence

from cuescope.errors import CueScopeError

_NAMES = {
    "de": ("deu", "German"),
    "en": ("eng", "English"),
    "es": ("spa", "Spanish"),
    "fr": ("fra", "French"),
    "it": ("ita", "Italian"),
    "pt": ("por", "Portuguese"),
    "ro": ("ron", "Romanian"),
    "ru": ("rus", "Russian"),
    "uk": ("ukr", "Ukrainian"),
    "zh": ("zho", "Chinese"),
}


def english_name(language: str) -> str:
    """A language's name for a prompt.

    >>> english_name("it"), english_name("Basque")
    ('Italian', 'Basque')
    """
    return _NAMES[language][1] if language in _NAMES else language


def _stem(code: str) -> str:
    """The language in a code: `>>fra<<`, `__fr__`, `fr_XX`, `fra_Latn`."""
    return code.strip("<>_").split("_")[0]


def code(language: str | None, known: Sequence[str], model: str, keyword: str) -> str:
    """The model's own code for a language: itself, or the one that begins with it.

    >>> code("en", ["eng_Latn", "por_Latn"], "a model", "src")
    'eng_Latn'
    """
    starts = {language, _NAMES.get(language or "", (None,))[0]} - {None}
    if language in known:
        assert language is not None
        return language
    fitting = [k for k in known if _stem(k) in starts]
    if len(fitting) == 1:
        return fitting[0]
    ours = {stem for short, (long, _) in _NAMES.items() for stem in (short, long)}
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

    >>> short("por_Latn"), short("pt_XX"), short(">>fra<<"), short("eus_Latn")
    ('pt', 'pt', 'fr', None)
    """
    start = (code or "").strip("<>_").split("_")[0]
    return next((name for name, (three, _) in _NAMES.items() if start in (name, three)), None)
