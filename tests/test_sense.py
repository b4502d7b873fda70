"""What the model can tell where only sense says whose pronoun it is."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch

from cuescope.data.items import Item
from cuescope.data.lists import rows
from cuescope.mend import lessons, sense
from cuescope.mend import targets as of
from cuescope.mend.targets import Asked, Target


def test_lessons_of_sense_are_held_out_by_acts_and_by_ends():
    taken, apart = lessons.sense(2), lessons.sense(2, held_out=True)
    assert len(taken) > 1000
    assert not any(one.sure for one in [*taken, *apart])
    assert not {one.pair.pro.noun for one in taken} & {one.pair.pro.noun for one in apart}

    def ends(some: list[lessons.Lesson]) -> set[str]:
        table = [
            row for name in ("causes.tsv", "sense.tsv") for row in rows(name, lessons._PACKAGE)
        ]
        known = {end for _, *sides in table for side in sides for end in side.split("|") if end}
        texts = [one.pair.pro.template for one in some]
        return {end for end in known if any(text.endswith(f" {end}.") for text in texts)}

    both = ends(taken) & ends(apart)
    assert len(both) < 0.1 * len(ends(apart))  # the same words in two rows
    firsts = [one.pair.pro.focus[0] < one.other[1][0] for one in taken if one.other]
    assert 0.35 < sum(firsts) / len(firsts) < 0.65
    for one in taken[::97]:
        for item in one.pair:
            assert item.text[slice(*item.focus)] == item.noun
            assert "{" not in item.text


def planted(count: int, noise: float, seed: int = 0) -> tuple[list[Target], torch.Tensor]:
    """Targets of forty frames, and states of which one number tells the side, but for noise."""
    draw = torch.Generator().manual_seed(seed)
    first = torch.randint(2, (count,), generator=draw).bool()
    states = torch.randn(count, 12, generator=draw)
    states[:, 3] = torch.where(first, 2.0, -2.0) + noise * torch.randn(count, generator=draw)
    made = [
        Target(f"{at}", "", (0,), frozenset(), asked=Asked((0, 1), f"end {at % 40}", bool(side)))
        for at, side in enumerate(first.tolist())
    ]
    return made, states


def told(monkeypatch, made: list[Target], states: torch.Tensor, **given) -> sense.Told:
    monkeypatch.setattr(sense, "cue_states", lambda _, some: states[[int(t.source) for t in some]])
    return sense.told(SimpleNamespace(device="cpu"), made, **given)  # type: ignore[arg-type]


def test_what_the_states_tell_is_learned_and_the_rest_held(monkeypatch):
    made, states = planted(800, noise=0.3)
    found = told(monkeypatch, made, states, least=0.2)
    assert len(found.learn) > 0.97 * len(made)
    assert len(found.learn) + len(found.rest) + found.wrong == len(made)
    alone = Target("x", "", (0,), frozenset())
    assert told(monkeypatch, [*made, alone], states, least=0.2).rest[-1] is alone


def test_what_the_states_do_not_tell_is_not_learned(monkeypatch):
    """Pure noise: out of fold about half is right, and hardly any by much."""
    made, states = planted(800, noise=1.0)
    states[:, 3] = torch.randn(800, generator=torch.Generator().manual_seed(5))
    assert len(told(monkeypatch, made, states, least=1.0).learn) < 0.1 * len(made)
    # an end is not judged by itself: states that name their end tell nothing about a new one
    noise = torch.randn(800, 40, generator=torch.Generator().manual_seed(2))
    by_end = torch.eye(40)[torch.arange(800) % 40] + 0.01 * noise
    sides = torch.randint(2, (40,), generator=torch.Generator().manual_seed(1)).bool()
    made = [
        Target(
            f"{at}", "", (0,), frozenset(), asked=Asked((0, 1), f"e{at % 40}", bool(sides[at % 40]))
        )
        for at in range(800)
    ]
    assert len(told(monkeypatch, made, by_end, least=1.0).learn) < 0.6 * len(
        made
    )  # in its own fold: all


def test_what_is_sure_and_wrong_is_left_out(monkeypatch):
    """A tenth of the lessons say the contrary of their states: neither learned nor held."""
    made, states = planted(800, noise=0.3)
    contrary = [at for at in range(800) if at % 10 == 3]
    for at in contrary:
        asked = made[at].asked
        assert asked
        made[at] = replace(made[at], asked=asked._replace(first=not asked.first))
    found = told(monkeypatch, made, states, least=0.2)
    assert not {made[at].source for at in contrary} & {one.source for one in found.learn}
    assert found.wrong > 0.9 * len(contrary)
    assert not found.apart


def test_sides_are_of_all_that_is_learned(monkeypatch):
    made, states = planted(60, noise=0.3)
    monkeypatch.setattr(sense, "cue_states", lambda _, some: states[[int(t.source) for t in some]])
    mt = SimpleNamespace(device="cpu")
    alone = Target("x", "", (0,), frozenset())
    found = sense.sides(mt, [*made[:40], alone], [*made[30:], alone])  # type: ignore[arg-type]
    assert found
    assert (found.first[:, 3] > 0).all()
    assert (found.second[:, 3] < 0).all()
    assert len(found.first) + len(found.second) == 40
    assert torch.equal(found.everywhere, torch.cat([states[30:], states[:40]]))
    assert len(sense.sides(mt, made, [alone]).everywhere) == 60  # type: ignore[arg-type,union-attr]
    assert sense.sides(mt, [alone], made) is None  # type: ignore[arg-type]


def test_what_is_held_out_is_split_by_what_the_lessons_tell(monkeypatch):
    made, states = planted(800, noise=0.3)
    states[700:720, 3] = 0.0  # not told
    taken, apart = made[:700], [replace(one, focus=frozenset({1})) for one in made[700:]]
    alone = replace(apart[0], asked=None)
    found = told(monkeypatch, taken, states, least=0.5, held_out=[*apart, alone])
    learned = {one.source for one in found.apart if one.focus}
    assert learned >= {one.source for one in apart[25:]}
    held = [one for one in found.apart if not one.focus]
    assert alone.only_held in held
    assert len(held) > 10
    assert all(one.other == {1} for one in held)
    few = told(monkeypatch, taken[:5], states, least=0.5, held_out=apart)
    assert few.apart == [one.only_held for one in apart]


@pytest.mark.parametrize(
    ("template", "end"),
    [
        ("The {a} called the {b} because {sbj} was late.", " was late."),
        ("The {a} knew that {sbj} had lost {pos} keys.", " had lost {pos} keys."),
        ("", ""),
    ],
)
def test_lessons_of_one_end_are_asked_together(template, end):
    item = Item("The cook met the nurse.", (4, 8), (8, 9), "male", template=template)
    other = SimpleNamespace(item=SimpleNamespace(focus=(17, 22)))
    asked = of.asked(SimpleNamespace(item=item, other=other))  # type: ignore[arg-type]
    assert asked == Asked((8, 9), end, True)


@pytest.mark.model
def test_the_pronouns_state_is_what_the_second_block_takes_up(firefox):
    text = "The baker thanked the driver because she was grateful."
    at = text.index("she")
    target = Target(text, "", (0,), frozenset(), asked=Asked((at, at + 3), "", True))
    caught = []
    layer = firefox.engine.encoder.layers[int(sense.BLOCK.split(".")[1])]
    hook = layer.self_attn_around.register_forward_hook(lambda _, __, out: caught.append(out))
    batch = firefox.batch([text])
    firefox.engine.encode(batch.ids, batch.mask)
    hook.remove()
    (place,) = firefox.tokenise(text).positions(at, at + 3)
    found = sense.cue_states(firefox, [target])
    torch.testing.assert_close(found[0], caught[0][0, place])
