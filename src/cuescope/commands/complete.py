"""What the shell may complete: names of models, challenge sets, sites and languages."""

from __future__ import annotations

from collections.abc import Iterable

Offer = list[tuple[str, str]]  # what to type, and what it is

_SETS = {
    "simplegen": "shipped",
    "relationships": "shipped: es, fr, it into English",
    "winomt:": "and its folder",
}


def _starting(begun: str, known: Iterable[tuple[str, str]]) -> Offer:
    return [(name, about) for name, about in known if name.startswith(begun)]


def models(incomplete: str) -> Offer:
    """Names of the catalogue, and of what is in the cache; no torch."""
    from cuescope.models import catalog

    known = {name: entry.about for name, entry in catalog.CATALOG.items()}
    return _starting(incomplete, {**dict.fromkeys(catalog.cached(), "here"), **known}.items())


def data(incomplete: str) -> Offer:
    """The challenge sets, and files of one's own in this folder.

    >>> data("sim")
    [('simplegen', 'shipped')]
    """
    from glob import glob

    own = [(name, "your own") for end in ("tsv", "jsonl") for name in sorted(glob(f"*.{end}"))]
    return _starting(incomplete, [*_SETS.items(), *own])


def runs(incomplete: str) -> Offer:
    """Run folders here and in `artifacts/`."""
    from glob import glob

    found = [*glob("*/findings.json"), *glob("artifacts/*/findings.json")]
    names = sorted(path.removesuffix("/findings.json") for path in found)
    return _starting(incomplete, ((name, "a run") for name in names))


def sites(incomplete: str) -> Offer:
    """Sites, also after a comma.

    >>> [name for name, _ in sites("encoder,c")]
    ['encoder,cross']
    """
    from cuescope.models.sites import SITES

    done, comma, begun = incomplete.rpartition(",")
    taken = done.split(",")
    return [
        (done + comma + name, about)
        for name, about in _starting(begun, SITES.items())
        if name not in taken
    ]


def languages(incomplete: str) -> Offer:
    """Languages whose gender can be read.

    >>> [name for name, _ in languages("p")]
    ['pt']
    """
    from cuescope.codes import english_name
    from cuescope.gender.languages import codes

    return _starting(incomplete, ((lang, english_name(lang)) for lang in codes()))


def measures(incomplete: str) -> Offer:
    """Measures of uncertainty, also after a comma."""
    from cuescope.measures.parts import MEASURES

    done, comma, begun = incomplete.rpartition(",")
    return [(done + comma + name, about) for name, about in _starting(begun, MEASURES.items())]
