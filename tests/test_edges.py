"""Edges between heads, each against a naive loop with plain hooks on a tiny model."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import twins_of
from cuescope.inside.effect import feed as feeding
from cuescope.inside.effect.edges import SPOTS, Node, Path, flow, kinds

NODES = [
    Node("encoder", 0, 1),
    Node("encoder", 2, 3),
    Node("cross", 0, 2),
    Node("cross", 1, 0),
]


def by_hand(mt, twins, into, path):
    """The definition: record, freeze all but the sender, carry one slice into the receiver."""
    fed = {side: feeding.feed(mt, twins, side, into) for side in ("male", "female")}
    all_of = [(site, layer) for site in mt.sites for layer in range(mt.sites[site][0])]
    sender, receiver = path.sender, path.receiver
    name = getattr(mt.family, path.by)
    module = getattr(mt.attention(receiver.site, receiver.layer), name)

    def run(side, hooks):
        handles = [
            (m.register_forward_hook if after else m.register_forward_pre_hook)(call)
            for m, call, after in hooks
        ]
        with torch.no_grad():
            one = fed[side]
            hidden = feeding.hidden_of(mt, one)
            two = mt.engine.pick(hidden, torch.stack([one.feminine, one.masculine], 1))
        for handle in handles:
            handle.remove()
        return (two[:, 0] - two[:, 1]).double().numpy()

    def keeping(kept):
        return [
            (mt.out_proj(*place), lambda _, a, p=place: kept.__setitem__(p, a[0].clone()), False)
            for place in all_of
        ]

    mine, theirs, carried = {}, {}, {}
    base = run(into, keeping(mine))
    run(feeding.other(into), keeping(theirs))
    part = mt.head_slice(*sender)

    def freeze(place):
        def before(_, args):
            x = mine[place].clone()
            if place == (sender.site, sender.layer):
                x[..., part] = theirs[place][..., part]
            return (x, *args[1:])

        return before

    hooks = [(mt.out_proj(*place), freeze(place), False) for place in all_of]
    run(into, [*hooks, (module, lambda _, __, out: carried.__setitem__("it", out.clone()), True)])
    slot = mt.head_slice(*receiver)

    def receive(_, __, out):
        out = out.clone()
        for row, one in enumerate(twins):
            for place in range(out.shape[1]):
                if path.where == "all" or spot_of(one.twin(into), place) == path.where:
                    out[row, place, slot] = carried["it"][row, place, slot]
        return out

    return run(into, [(module, receive, True)]) - base


def spot_of(subject, place):
    if place in subject.cue:
        return "cue"
    if place in subject.noun:
        return "noun"
    if place >= len(subject.encoding):
        return "padding"
    return "end" if place == len(subject.encoding) - 1 else "other"


@pytest.mark.slow
@pytest.mark.parametrize(("family", "into"), [("marian", "male"), ("t5", "female")])
def test_every_path_by_hand(tiny_model, family, into):
    mt = tiny_model(family, (3, 2))
    twins = twins_of.make(mt, like=True, count=2)
    found = flow(mt, twins, NODES, into, least=0.0)
    wanted = {(a, b, by) for a in NODES for b in NODES for by in kinds(a, b)}
    assert {(p.sender, p.receiver, p.by) for p in found.paths} == wanted
    moved = 0
    for path, change in found.paths.items():
        np.testing.assert_allclose(change, by_hand(mt, twins, into, path), atol=2e-4)
        moved += bool(np.abs(change).max() > 1e-3)
    assert moved > len(wanted)  # not all zeros: most paths do something


def test_total_direct_and_gap(tiny_model):
    mt = tiny_model("marian", (3, 2))
    twins = twins_of.make(mt, like=True)
    found = flow(mt, twins, NODES, least=0.0)
    for node in NODES:
        with mt.patched(twins, into="male", **{node.site: [(node.layer, node.head)]}):
            fed = feeding.feed(mt, twins, "male")
            with torch.no_grad():
                hidden = feeding.hidden_of(mt, fed)
                two = mt.engine.pick(hidden, torch.stack([fed.feminine, fed.masculine], 1))
        now = (two[:, 0] - two[:, 1]).double().numpy()
        base = by_base(mt, twins)
        np.testing.assert_allclose(found.total[node], now - base, atol=2e-4)
        if node.site == "encoder":  # the decoder reads it through heads alone, and those are held
            np.testing.assert_allclose(found.direct[node], 0, atol=1e-5)
    last = NODES[-1]  # nothing but feed-forward blocks comes after the last cross heads
    np.testing.assert_allclose(found.direct[last], found.total[last], atol=1e-4)
    for cosines in found.wrote.values():
        assert (np.abs(cosines) <= 1 + 1e-6).all()
    assert {where for _, where in found.wrote} == {"cue", "noun", "end", "choice"}


def by_base(mt, twins):
    fed = feeding.feed(mt, twins, "male")
    with torch.no_grad():
        hidden = feeding.hidden_of(mt, fed)
        two = mt.engine.pick(hidden, torch.stack([fed.feminine, fed.masculine], 1))
    return (two[:, 0] - two[:, 1]).double().numpy()


def test_positions_are_told_only_where_a_path_matters(tiny_model):
    mt = tiny_model("marian", (3, 2))
    twins = twins_of.make(mt, like=True)
    found = flow(mt, twins, NODES, least=1e9)
    assert {path.where for path in found.paths} == {"all"}
    again = flow(mt, twins, NODES[:2], least=0.0)
    assert {path.where for path in again.paths} == {"all", *SPOTS}
    assert Path(*NODES[:2], "value", "noun") in again.paths
