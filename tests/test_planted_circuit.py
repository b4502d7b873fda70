"""Paths that were planted are found, and no others: by value, by key, and in two steps."""

from __future__ import annotations

import pytest

import planted_heads
from cuescope.inside.effect.edges import SPOTS, Node, flow

FIRST, SECOND, DOUBLE = Node("encoder", 0, 0), Node("encoder", 1, 0), Node("encoder", 1, 1)
READER = Node("cross", 0, 0)
WHOLE = pytest.approx(1, abs=0.05)
LEAST = 0.05  # of the gap: noise heads move a hundredth or two


class Found:
    """All paths between any two heads of a model, in one direction."""

    def __init__(self, mt, side="male"):
        nodes = [
            Node(site, layer, head)
            for site, (layers, heads) in mt.sites.items()
            for layer in range(layers)
            for head in range(heads)
        ]
        self.flow = flow(mt, list(planted_heads.made(mt)), nodes, side)
        self.gap = self.flow.gap.mean()

    def edges(self, where="all"):
        """Those that move a share of the gap that is more than noise."""
        shares = {
            (path.sender, path.receiver, path.by): change.mean() / self.gap
            for path, change in self.flow.paths.items()
            if path.where == where
        }
        return {path: share for path, share in shares.items() if abs(share) >= LEAST}


@pytest.mark.slow
@pytest.mark.parametrize(("by", "side"), [("value", "male"), ("key", "female")])
def test_one_head_writes_and_one_reads(tmp_path, by, side):
    key = by == "key"
    mt = planted_heads.build(tmp_path, doubled=0.0, by_key=key, carried=5.0 if key else 0.6)
    found = Found(mt, side)
    assert found.edges() == {(FIRST, READER, by): WHOLE}
    assert {spot: found.edges(spot) for spot in SPOTS} == {
        "cue": {},
        "noun": {(FIRST, READER, by): WHOLE},
        "end": {},
        "other": {},
    }
    assert found.flow.total[FIRST].mean() / found.gap == WHOLE
    assert found.flow.direct[FIRST].mean() == pytest.approx(0, abs=1e-5)  # heads alone read it
    assert found.flow.direct[READER].mean() / found.gap == WHOLE


def test_in_two_steps_by_the_end_of_the_sentence(tmp_path):
    """With the relay held, nothing of the first head reaches the reader: no edge between them."""
    found = Found(planted_heads.build(tmp_path, doubled=0.0, by_end=True))
    there, on = (FIRST, SECOND, "value"), (SECOND, READER, "value")
    assert found.edges() == {there: WHOLE, on: WHOLE}
    assert found.edges("end") == {there: WHOLE}
    assert found.edges("noun") == {on: WHOLE}
    assert found.flow.total[FIRST].mean() / found.gap == WHOLE


@pytest.mark.slow
def test_heads_that_write_side_by_side(tmp_path):
    mt = planted_heads.build(tmp_path)
    both = [Found(mt, side).edges() for side in ("male", "female")]
    for found in both:
        assert set(found) == {(one, READER, "value") for one in (FIRST, SECOND, DOUBLE)}
    mean = {path[0]: (both[0][path] + both[1][path]) / 2 for path in both[0]}
    assert mean[FIRST] == pytest.approx(0.6, abs=0.05)
    assert mean[SECOND] == pytest.approx(0.2, abs=0.05)  # half of what either would do alone
    assert mean[DOUBLE] == pytest.approx(0.2, abs=0.05)
