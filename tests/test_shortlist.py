"""Marian's lexical shortlist: read as it is written, and decoding within it."""

from __future__ import annotations

import pytest

import tiny
import tiny_firefox
from cuescope.errors import CueScopeError
from cuescope.models import catalog, load, shortlist
from cuescope.models.shortlist import Shortlisted, read

LISTS = [[0, 5], [], [7, 30, 31], [2]]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tiny_firefox.folder(tmp_path_factory.mktemp("firefox") / "xxyy")


def test_a_list_is_what_the_file_says(tmp_path):
    path = tmp_path / "lex.bin"
    path.write_bytes(tiny_firefox.shortlist(LISTS, first=4, best=3))
    found = read(path)
    assert (found.first, found.best) == (4, 3)
    # first four; lists of 0 and 2; the words 0 and 2 themselves; the next ones up to eight
    assert found.of([2, 0, 2], 40) == [0, 1, 2, 3, 5, 7, 30, 31]
    assert found.of([0], 40) == [0, 1, 2, 3, 4, 5, 6, 7]  # 4, 6, 7 fill up
    alone = read(path, shared=False)
    assert alone.of([30], 5) == [0, 1, 2, 3, 4]  # no row for it, and a small vocabulary


@pytest.mark.parametrize(
    "change",
    [lambda d: d[:-1], lambda d: d[:40], lambda d: b"\0" + d[1:], lambda d: d + b"\0" * 4,
     lambda d: d[:48] + b"\xff" * 8 + d[56:], lambda d: b""],
)  # fmt: skip
def test_a_damaged_file_is_refused(tmp_path, change):
    path = tmp_path / "lex.bin"
    path.write_bytes(change(tiny_firefox.shortlist(LISTS, first=4, best=3)))
    with pytest.raises(CueScopeError, match="not a whole shortlist"):
        read(path)


@pytest.mark.slow
@pytest.mark.parametrize("beam", [1, 3])
def test_decoding_is_that_with_all_other_words_barred(place, beam):
    """The same words as the whole model whose other words may not be said: sentence by sentence."""
    path = catalog.shortlist(str(place))
    short = Shortlisted.of(load(str(place), check=False), read(path))
    texts = tiny.SENTENCES[:4]
    unlike = 0
    for text in texts:
        whole = load(str(place), check=False)
        free = whole.translate(text, beam=beam)
        listed = {*read(path).of(whole.tokenise(text).ids, whole.engine.vocabulary)}
        others = [w for w in range(whole.engine.vocabulary) if w not in listed]
        whole.engine.barred = (*whole.engine.barred, *others)
        wanted = whole.generate(text, beam=beam)[0]
        found = short.generate([text], beam=beam)[0]
        assert (found.ids, found.finished) == (wanted.ids, wanted.finished)
        unlike += short.translate(text, beam=beam) != free
    assert unlike  # the list does bind


def test_no_shortlist_is_none(place, tmp_path, tiny_folder):
    assert catalog.shortlist(str(tiny_folder("marian"))) is None
    bare = tmp_path / "bare"
    bare.mkdir()
    for one in place.iterdir():
        if not one.name.startswith("lex"):
            (bare / one.name).write_bytes(one.read_bytes())
    assert catalog.shortlist(str(bare)) is None


@pytest.mark.model
def test_the_real_list(firefox):
    """What the wheel brings: 50 first words, 50 a word, all within the vocabulary."""
    path = catalog.shortlist("firefox:en-pt")
    if path is None:
        pytest.skip("the shortlist is not in the cache: `cuescope models get firefox:en-pt`")
    found = shortlist.read(path)
    assert (found.first, found.best, len(found.offsets)) == (50, 50, 32_001)
    assert int(found.words.max()) < 32_000
    text = "The mechanic called because she was late."
    assert Shortlisted.of(firefox, found).translate(text) == firefox.translate(text)


def test_a_list_with_words_that_the_model_lacks_is_refused(place, tmp_path):
    path = tmp_path / "lex.bin"
    path.write_bytes(tiny_firefox.shortlist([[5], [1_000_000]], first=4, best=3))
    mt = load(str(place), src="en", tgt="pt", check=False)
    with pytest.raises(CueScopeError, match="not a whole shortlist"):
        Shortlisted.of(mt, read(path))


def test_a_flipped_bit_is_seen_by_the_checksum(tmp_path):
    whole = tiny_firefox.shortlist(LISTS, first=4, best=3)
    path = tmp_path / "lex.bin"
    path.write_bytes(whole[:-8] + bytes([whole[-8] ^ 1]) + whole[-7:])
    with pytest.raises(CueScopeError, match="checksum"):
        read(path)
