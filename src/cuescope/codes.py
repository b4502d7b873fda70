"""Languages by their codes and English names: the one thing that all rooms call them by."""

from __future__ import annotations

NAMES = {  # two letters → three letters, English name
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
    return NAMES[language][1] if language in NAMES else language


def call(short: str, three: str, name: str) -> None:
    """Let a language of a user's own be known by its codes and its English name."""
    NAMES.setdefault(short, (three or short, name))
