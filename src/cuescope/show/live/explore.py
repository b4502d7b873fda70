"""One sentence in a notebook: the report's own arcs, for every head of every site."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cuescope import files
from cuescope.inside.sentence import item_of, subject_of
from cuescope.run.maps import map_of
from cuescope.show.live.look import every_head, page_data
from cuescope.show.report.page import page
from cuescope.stats.html import escape
from cuescope.stats.palette import SCALES

if TYPE_CHECKING:
    from cuescope.data.items import Item
    from cuescope.inside.translator import Translator

COMPONENTS = "dom state colour grids chart arcs picker".split()  # of the report
PARTS = (  # of the page, that the components speak through
    '<div id="tip" role="tooltip" hidden></div><div id="live" class="unseen" aria-live="polite">'
    '</div><a id="chosen" hidden></a>'
)


@dataclass(frozen=True)
class Explored:
    """A page of its own: shown in a notebook, or saved as one file that asks for nothing."""

    title: str
    html: str
    height: int

    def save(self, path: str | Path) -> Path:
        """Write the page."""
        files.write(path, self.html)
        return Path(path)

    def __repr__(self) -> str:
        return f"Explored({self.title!r}); .save('page.html') writes it"

    def _repr_html_(self) -> str:
        """In a frame that may run its own scripts and nothing else of the notebook's."""
        return (
            f'<iframe sandbox="allow-scripts" srcdoc="{escape(self.html)}" width="100%" '
            f'height="{self.height}" style="border:0" title="{escape(self.title)}"></iframe>'
        )


def explore(
    mt: Translator,
    given: Item | str,
    *,
    noun: str | None = None,
    cue: str | None = None,
    lang: str | None = None,
) -> Explored:
    """The attention of all heads in one sentence: `cs.explore(mt, "The nurse slept as she …")`.

    >>> explore(mt, "The mechanic called because she was late.")             # doctest: +SKIP
    """
    item = item_of(given, noun, cue)
    one, _ = subject_of(mt, item, lang=lang)
    sentence = map_of(mt, one, every_head(mt))
    title = f"{mt.name}: {one.item.text} → {one.target.text}"
    body = (
        '<main id="explore" class="wrap">'
        f'<p class="sentence" dir="auto">{escape(one.item.text)}</p>'
        f'<p class="sentence" dir="auto">{escape(one.target.text)}</p></main>{PARTS}'
    )
    data = page_data(mt, [sentence], [""]) | {"scales": SCALES}
    layers = sum(mt.sites[site][0] for site in mt.sites if site != "decoder")
    html = page(
        title,
        body,
        data=data,
        styles=["report.css", "explore.css"],
        scripts=[f"{name}.js" for name in (*COMPONENTS, "sentence", "explore")],
    )
    return Explored(title, html, 620 + 30 * layers)
