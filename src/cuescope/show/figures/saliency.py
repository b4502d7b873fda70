"""The words of one sentence, and how much each speaks for the feminine form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuescope.show.figures.canvas import AS_IT_IS, axes_for
from cuescope.stats.palette import light

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from cuescope.inside.saliency import Saliency


def saliency(found: Saliency, ax: Axes | None = None) -> Axes:
    """A bar a word, in the order of the sentence: to the right it speaks for the feminine form.

    Noun and cue have their colours; the title says the two forms and what the bars sum to.
    """
    count = len(found.words)
    place: Any = axes_for(1, ax, 4.6, 0.9 + 0.26 * count, bar=0.0)[0]
    values = [word.value for word in found.words]
    colours = [light("she" if value > 0 else "he") for value in values]
    place.barh(range(count), values, color=colours, height=0.72)
    place.axvline(0, color="0.5", linewidth=0.8)
    place.set_yticks(range(count), [word.text for word in found.words], **AS_IT_IS)
    for label, word in zip(place.get_yticklabels(), found.words, strict=True):
        if word.role != "other":
            label.set(color=light("accent" if word.role == "noun" else "focus"), weight="bold")
    place.set_ylim(count - 0.4, -0.6)
    place.tick_params(axis="y", length=0)
    place.spines[["top", "right", "left"]].set_visible(False)
    place.set_xlabel("masculine  ←  logits  →  feminine")
    short = "" if found.complete else f", {abs(found.missed):.2f} missed"
    title = f"{found.feminine} less {found.masculine}: {found.whole:+.2f} by the words{short}"
    place.set_title(title, fontsize="medium", **AS_IT_IS)
    return place  # type: ignore[no-any-return]
