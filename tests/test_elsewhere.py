"""Heads looked up in other runs of the same model: of the same story, and of no other model."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from cuescope.errors import CueScopeError
from cuescope.run.card import Key, Known, _elsewhere, transfer_of
from cuescope.run.elsewhere import effects_in
from cuescope.run.store import Store
from cuescope.signature import Signature
from cuescope.stats.scores import Scores

MINE = Signature({"model": "m", "weights": "abc"})
KINDS = [("cue after", "forms"), ("cue after", "own prefix"), ("cue before", "translations")]
SHARES = {"forms": 0.4, "own prefix": 0.9, "translations": 0.1}


def scores(side):
    """Twelve pairs of each kind; head 0.0 restores as much of each as is told above."""
    rows = [
        {
            "pair": 12 * at + n,
            "noun": f"noun {n % 6}",
            "template": f"t {n % 4}",
            "order": order,
            "gap": 1.0,
        }
        | {"contrast": origin, "text": str(n), "accurate": False}
        for at, (order, origin) in enumerate(KINDS)
        for n in range(12)
    ]
    values = np.zeros((len(rows), 1, 2))
    values[:, 0, 0] = [SHARES[row["contrast"]] for row in rows]
    return Scores(values, "encoder", "effect", pd.DataFrame(rows), {}, MINE, "pair", np.ones(36))


def folder(path, data="winomt:some/where", sides=("male", "female"), **about):
    told = {"model": "m", "weights": "abc", "data": data, "under": "no intervention", **about}
    path.mkdir()
    (path / "run.json").write_text(json.dumps(told), "utf-8")
    for side in sides:
        Store(path).scores(f"effect-encoder-{side}", MINE, lambda side=side: scores(side))
    return str(path)


def test_a_run_is_named_by_its_set(tmp_path):
    some = [folder(tmp_path / "a"), folder(tmp_path / "b", "mine.tsv")]
    found = effects_in(some, MINE, ["encoder", "cross"], "simplegen")
    assert list(found) == ["winomt", "mine"]
    assert set(found["winomt"]) == {"encoder"}  # no cross effects are kept there
    assert list(effects_in(some, MINE, ["encoder"], "mine.tsv")) == ["winomt", "mine, b"]


@pytest.mark.parametrize(
    ("story", "share"),
    [("cue after", 0.4), ("cue after, own words", 0.9), ("cue before", 0.1)],
)
def test_stories_are_never_mixed(tmp_path, story, share):
    there = effects_in([folder(tmp_path / "a")], MINE, ["encoder"], "simplegen")
    run = SimpleNamespace(small=SimpleNamespace(stories={}), pairs=())
    found = dict(_elsewhere(run, Known({}, {}, there), Key(story, "encoder"), set()))
    assert len(found["winomt"]) == 12
    check = transfer_of(found, (0, 0))
    assert check.numbers["winomt"].value == pytest.approx(share)
    assert check.verdict == "passes"
    assert transfer_of(found, (0, 1)).verdict == "fails"


@pytest.mark.parametrize(
    ("about", "message"),
    [
        ({"weights": "other"}, "another model"),
        ({"under": "scale"}, "another model"),
        ({"sides": ("male",)}, "keeps no effects"),
    ],
)
def test_what_cannot_be_looked_up_is_refused(tmp_path, about, message):
    with pytest.raises(CueScopeError, match=message):
        effects_in([folder(tmp_path / "a", **about)], MINE, ["encoder"], "simplegen")


def test_no_run_there(tmp_path):
    with pytest.raises(CueScopeError, match="holds no run"):
        effects_in([str(tmp_path)], MINE, ["encoder"], "simplegen")
