"""The gender of a translation by its sentence pair alone, whatever else is translated.

`judge` aligns all sentences together, so that a reading may depend on the company it is in; a
probability needs one that does not. A noun of the lexicon is its first form in the translation; one
that the lexicon does not know is found by aligning this very pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from cuescope.data.items import Item, Span
from cuescope.data.others import people_of
from cuescope.gender import read
from cuescope.gender.forms import entry
from cuescope.gender.languages import get
from cuescope.gender.locate import find, find_first
from cuescope.gender.reading import Gender, Reading
from cuescope.gender.settled import settled


@lru_cache(maxsize=1 << 12)
def beside(text: str, focus: Span) -> tuple[str, ...]:
    """The nouns for the other people of a source, as they stand there.

    >>> beside("The nurse called the clerk because she was ill.", (4, 9))
    ('clerk',)
    """
    found = (span for span in people_of(text) if span[1] <= focus[0] or focus[1] <= span[0])
    return tuple(dict.fromkeys(text[slice(*span)] for span in found))


def read_alone(item: Item, translation: str, lang: str) -> Reading:
    """The reading of the focus noun in one translation.

    >>> nurse = Item("The nurse left as she was ill.", (4, 9), (18, 21), "female")
    >>> read_alone(nurse, "A enfermeira saiu porque estava doente.", "pt").gender
    'feminine'
    """
    if not translation:
        return Reading("unknown", True, reason="empty translation")
    if entry(item.noun, lang) is not None:
        place = find_first(translation, item.noun, lang, beside(item.text, item.focus))
    else:
        from cuescope.align import align

        [links] = align([item.text], [translation], "en", lang)
        place = find(translation, item.noun, lang, near=links.target_span(*item.focus))
    if place.span is None:
        return Reading("unknown", True, reason=place.reason)
    return read(translation, place.span, lang, noun=item.noun)


class Genders:
    """Tells the tree when the gender of an item's noun is decided: only when nothing can change it.

    >>> nurse = Item("The nurse left as she was ill.", (4, 9), (18, 21), "female")
    >>> decide = Genders([nurse], "pt")
    >>> decide(0, "A enfermeira", False), decide(0, "A enfermeira sa", False)
    (None, 'feminine')
    """

    def __init__(self, items: Sequence[Item], lang: str) -> None:
        get(lang)  # a language without rules is an error
        self.items, self.lang = items, lang

    def __call__(self, number: int, text: str, ended: bool) -> Gender | None:
        """The gender of an item's noun; None while more words may tell."""
        item = self.items[number]
        if ended:
            return read_alone(item, text, self.lang).gender
        return settled(text, item.noun, self.lang, beside(item.text, item.focus))
