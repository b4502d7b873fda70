"""What is seen of one sentence: its translation, how feminine the choice is, all attention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cuescope.data.contrast import contrast
from cuescope.errors import CueScopeError
from cuescope.inside.sentence import item_of, leaning_of, subject_of
from cuescope.run.maps import map_of

if TYPE_CHECKING:
    from cuescope.data.items import Item
    from cuescope.inside.ready import Subject
    from cuescope.inside.translator import Translator
    from cuescope.run.findings import MapOf

LONGEST = 1000  # characters of a sentence
LOUDEST = 16.0  # the largest factor of a head
Head = tuple[str, int, int]  # site, layer, head


@dataclass(frozen=True)
class Asked:
    """A sentence, whose gender is asked, and heads that are louder, softer or off (factor 0)."""

    text: str
    noun: str | None = None
    cue: str | None = None
    heads: Mapping[Head, float] = field(default_factory=dict)

    @classmethod
    def of(cls, given: Any) -> Asked:
        """From JSON of anyone: what is not as it should be is an error for people."""
        expected = "text, noun, cue, and heads as [site, layer, head, factor]"
        if not isinstance(given, dict) or not set(given) <= {"text", "noun", "cue", "heads"}:
            raise CueScopeError("not a question", expected=expected, found=type(given).__name__)
        words = {name: given.get(name) or None for name in ("text", "noun", "cue")}
        if any(word is not None and not isinstance(word, str) for word in words.values()):
            raise CueScopeError("not a question", expected=expected, found="a word that is no text")
        text = " ".join(str(words["text"] or "").split())
        if not text or len(text) > LONGEST:
            raise CueScopeError(
                "no sentence" if not text else "too long a sentence",
                expected=f"1 to {LONGEST:,} characters",
                found=f"{len(text):,}",
            )
        heads: dict[Head, float] = {}
        for row in given.get("heads") or []:
            match row:
                case [str(site), int(layer), int(head), int() | float() as factor]:
                    if not 0 <= factor <= LOUDEST:
                        raise CueScopeError(
                            "no such factor", expected=f"0 to {LOUDEST:.0f}", found=str(factor)
                        )
                    heads[site, layer, head] = float(factor)
                case _:
                    raise CueScopeError("not a head", expected=expected, found=repr(row)[:80])
        return cls(text, words["noun"], words["cue"], heads)


def look(mt: Translator, asked: Asked, lang: str | None = None) -> dict[str, Any]:
    """All that the page shows of a sentence; heads are edited for this one look alone."""
    item = item_of(asked.text, asked.noun, asked.cue)
    plain = _seen(mt, item, lang) if asked.heads else None
    with ExitStack() as stack:
        for factor in sorted(set(asked.heads.values())):
            chosen: dict[str, list[tuple[int, int]]] = {}
            for (site, layer, head), own in asked.heads.items():
                if own == factor:
                    chosen.setdefault(site, []).append((layer, head))
            stack.enter_context(mt.scale(factor, **chosen))
        one, why, share = _seen(mt, item, lang)
        sentence = map_of(mt, one, every_head(mt))
    return {
        **page_data(mt, [sentence], [one.target.text]),
        "source": marked(one),
        "translation": one.target.text,
        "span": one.reading.span,
        "gender": one.reading.gender,
        "feminine": share,
        "why": why,
        "versions": _versions(item),
        "gold": item.gold,
        "before": plain and {"translation": plain[0].target.text, "feminine": plain[2]},
    }


def _seen(mt: Translator, item: Item, lang: str | None) -> tuple[Subject, str, float | None]:
    one, why = subject_of(mt, item, lang=lang)
    return one, why, None if one.choice is None else leaning_of(mt, one)


def marked(one: Subject) -> dict[str, Any]:
    """The source with the places of noun and cue."""
    return {"text": one.item.text, "noun": one.item.focus, "cue": one.item.cue}


def _versions(item: Item) -> dict[str, str]:
    """The sentence with he, she and they; none where no pronoun can be swapped."""
    if item.cue is None:
        return {}
    try:
        made = contrast(item)
    except CueScopeError:
        return {}
    return {"he": made.he.text, "she": made.she.text, "they": made.they.text}


def every_head(mt: Translator) -> dict[str, list[tuple[int, int]]]:
    """All heads of all sites."""
    return {
        site: [(layer, head) for layer in range(layers) for head in range(heads)]
        for site, (layers, heads) in mt.sites.items()
    }


def page_data(mt: Translator, sentences: Sequence[MapOf], titles: Sequence[str]) -> dict[str, Any]:
    """What the report's components read: maps of all heads, and grids of the noun's look."""
    grids = {site: _grid(mt, site, sentences[0]) for site in mt.sites if site != "decoder"}
    return {
        "maps": {"heads": every_head(mt), "sentences": list(sentences)},
        "heads": {"cue after": grids} if sentences[0]["cue"] else {},
        "titles": list(titles),
    }


_TITLES = {
    "encoder": "from the noun to the cue",
    "cross": "from the steps that emit the noun to the cue",
}


def _grid(mt: Translator, site: str, one: MapOf) -> dict[str, Any]:
    """How much the noun (in cross-attention: the steps that emit it) looks at the cue."""
    from base64 import b64decode

    import numpy as np

    layers, heads = mt.sites[site]
    columns = len(one["source"])
    rows = columns if site == "encoder" else len(one["target"])
    packed: str = one[site]  # type: ignore[literal-required]
    bytes_ = np.frombuffer(b64decode(packed), dtype=np.uint8)
    weights = bytes_.reshape(layers, heads, rows, columns) / 255
    asked = [at for at in (one["noun"] if site == "encoder" else one["steps"]) if at < rows]
    looks: Any = weights[:, :, asked][..., one["cue"]].sum(-1).mean(-1) if asked else None
    nothing = [[None] * heads for _ in range(layers)]
    grid = {
        "scores": nothing
        if looks is None
        else [[round(v, 3) for v in row] for row in looks.tolist()],
        "low": nothing,
        "high": nothing,
        "n": 1,
        "unit": "item",
        "threshold": round(len(one["cue"]) / columns, 4),
        "title": _TITLES[site],
    }
    return {"layers": layers, "heads": heads, "attention": {"all": grid}, "carrying": {}}
