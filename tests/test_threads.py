"""One model, several threads: what is run is right, or refused; nothing stays."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

import cuescope as cs
import tiny
import twins_of
from cuescope.inside.interface import attending
from cuescope.inside.read.capture import Places, capture
from cuescope.models.decoding import Limits

TEXTS = tiny.SENTENCES[:6]


@pytest.fixture(params=["marian", "t5", "firefox"])
def mt(request, tiny_model):
    if request.param == "firefox":
        return request.getfixturevalue("firefox")
    found = tiny_model(request.param)
    found.limits = Limits(most=8)
    return found


def elsewhere(work, *args):
    """What another thread gets from a piece of work."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work, *args).result()


def tried(work, *args):
    try:
        return work(*args)
    except cs.CueScopeError as error:
        return error.what


def bare(mt):
    modules = list(mt.engine.module.modules())
    return not any(m._forward_hooks or m._forward_pre_hooks for m in modules)


@pytest.mark.slow
def test_plain_translations_beside_an_intervention_are_right_or_refused(mt):
    """The audit's case: 96 of them while another thread scales heads, again and again."""
    right = {text: mt.translate(text)[0] for text in TEXTS}
    heads = {"encoder": [(0, 1), (1, 0)], "cross": [(0, 0)]}
    done, failed = threading.Event(), []

    def steer():
        while not done.is_set():
            try:
                with mt.scale(-4.0, **heads):
                    mt.translate(TEXTS[:2])
            except Exception as error:  # anything at all would be a race
                failed.append(error)
            done.wait(0.002)  # a gap in which the others may run

    thread = threading.Thread(target=steer)
    thread.start()
    found = [(text, tried(lambda t: mt.translate(t)[0], text)) for text in TEXTS * 16]
    done.set()
    thread.join()
    assert len(found) == 96
    assert {said for text, said in found if said != right[text]} <= {
        "another thread is inside this model"
    }
    assert {getattr(error, "what", error) for error in failed} <= {
        "another thread is inside this model"
    }
    assert bare(mt)
    assert [mt.translate(text)[0] for text in TEXTS] == list(right.values())


@pytest.mark.slow
def test_the_second_of_two_is_refused_and_the_first_goes_on(mt):
    """Whichever ends first: engine, hooks, attention and signature are as they were."""
    engine, plain = mt.engine, mt.translate(TEXTS)
    twins = twins_of.make(mt, like=True)
    with mt.ablate(value="mean", over=TEXTS[:2], encoder=[(0, 0)]):
        alone = mt.translate(TEXTS)
    seconds = [
        lambda: mt.ablate(encoder=[(1, 1)]).__enter__(),
        lambda: mt.scale(2.0, cross=[(0, 0)]).__enter__(),
        lambda: mt.patched(twins, encoder=[(0, 0)]).__enter__(),
        lambda: capture(mt, {"encoder": Places()}).__enter__(),
        lambda: mt.patch(twins, "encoder"),
        lambda: mt.attribute(twins, "cross"),
        lambda: mt.translate(TEXTS[0]),
        lambda: mt.sample(TEXTS[0], 4),
    ]
    with mt.ablate(value="mean", over=TEXTS[:2], encoder=[(0, 0)]):
        for second in seconds:
            assert elsewhere(tried, second) == "another thread is inside this model"
        assert mt.translate(TEXTS) == alone
        assert "under" not in elsewhere(lambda: mt.signature)
        assert "under" in mt.signature
    assert mt.engine is engine
    assert bare(mt)
    assert elsewhere(mt.translate, TEXTS) == plain
    with mt.scale(1.0, encoder=[(0, 0)]):  # a turn that ended can be taken again
        mt.translate(TEXTS[0])


def test_another_models_thread_is_not_disturbed(tiny_model):
    """What is told to do: a second model, at the same time, attention and all."""
    one, two = tiny_model("marian"), tiny_model("marian")
    batch = two.batch(TEXTS)

    def look():
        with torch.no_grad(), capture(two, {"encoder": Places()}) as seen:
            two.engine.encode(batch.ids, batch.mask)
        return seen.cells("encoder")

    wanted = look()
    calls = []
    with attending(one, lambda call, attend: (calls.append(call), attend(call))[1]):
        assert torch.equal(elsewhere(look), wanted)
        assert not calls


def test_one_thread_may_look_as_often_as_it_likes(tiny_model):
    mt = tiny_model("marian")
    mt.limits = Limits(most=6)
    with mt.scale(2.0, encoder=[(0, 0)]), mt.ablate(cross=[(0, 0)]):
        mt.patch(twins_of.make(mt, like=True), "encoder")
        mt.translate(TEXTS)
    assert not mt.turn.elsewhere
